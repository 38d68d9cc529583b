/**
 * Refresh: choose how much, see what it costs, follow it, cancel it, resume it; then what it changed, and on request
 * how old the values are. The refresher finds the formulas and asks for their values.
 */
import { useState } from "preact/hooks";
import type { Engine } from "../../engine/types";
import type { OpenWorkbook } from "../../workbook/open-workbook";
import { isRunning, type Refresher, type RefreshScope } from "../../workbook/refresh/refresh";
import { NameErrors } from "../inspect/name-errors";
import { changesInShort } from "./change-words";
import { Button, Choice } from "../parts/parts";
import { PriceTag } from "./price-tag";
import { ProgressPanel } from "./progress-panel";
import type { PaneServices } from "../services";
import { lazyPanel } from "../parts/lazy-panel";
import type { TabProps } from "../parts/tab";
import { NoWorkbook } from "../parts/views";
import { useChanges, useSource } from "../parts/use-source";
import { ValueAges } from "./value-ages";
import { count, duration, scopeOptions } from "../parts/words";

const WhatChanged = lazyPanel(async () => {
  const { WhatChanged: Panel } = await import(/* webpackChunkName: "what-changed" */ "./what-changed");
  return Panel;
});

type OpenBook = Extract<OpenWorkbook, { kind: "open" }>;

export function RefreshTab(props: TabProps) {
  const { services, workbook, active, show } = props;
  if (workbook.kind !== "open") return <NoWorkbook workbook={workbook} />;
  return (
    <>
      <NameErrors services={services} workbook={workbook.workbook} active={active} />
      <RefreshForm {...props} refresher={workbook.refresher} />
      <Changes services={services} open={workbook} />
      <ValueAges services={services} active={active} onStale={() => show("inspect", "problems")} />
    </>
  );
}

/** The sentence is there at once, and spoken; the list comes when there is one. */
function Changes({ services, open }: { services: PaneServices; open: OpenBook }) {
  const report = useSource(open.refresher.changes);
  useChanges(open.refresher.subscribe);
  const { startedAtMs } = open.refresher.state;
  const isEmpty = report === null || report.changes.length + report.notCompared.length === 0;
  return (
    <>
      <p role="status">
        {report === null ? null : (
          <strong>{changesInShort(report, services.clock.now(), startedAtMs)}</strong>
        )}
      </p>
      {isEmpty ? null : <WhatChanged services={services} workbook={open.workbook} report={report} />}
    </>
  );
}

function RefreshForm(props: TabProps & { refresher: Refresher }) {
  const { services, connection, progress, active, refresher, show } = props;
  const [scope, setScope] = useState<RefreshScope>("workbook");
  useChanges(refresher.subscribe);
  const { state } = refresher;
  const running = isRunning(state);
  const connected = connection.environment !== null && connection.hasCredentials;
  const { freshnessMinutes, offline } = useSource(services.settings);

  return (
    <div class="form">
      <Choice
        name="inv-scope"
        legend={<span class="spoken">What to refresh</span>}
        value={scope}
        onChange={setScope}
        options={[
          ...scopeOptions,
          { value: "older", label: `Only values older than ${duration(freshnessMinutes * 60_000)}` },
        ]}
      />
      {running || !active || !connected ? null : (
        <PriceTag services={services} refresher={refresher} scope={scope} />
      )}
      <div class="buttons">
        {running ? (
          <Button onClick={() => refresher.cancel()}>Cancel</Button>
        ) : offline ? null : (
          <Button primary disabled={!connected} onClick={() => void refresher.start(scope)}>
            Refresh
          </Button>
        )}
        {offline ? null : mayResume(state.phase, services.engine) ? (
          <Button onClick={() => void refresher.resume()}>Resume</Button>
        ) : running || progress.busy || !connected ? null : (
          <AskUnanswered services={services} refresher={refresher} />
        )}
      </div>
      {offline ? <p class="hint">INV is offline. Go online to refresh.</p> : null}
      {connected ? null : (
        <p>
          <button type="button" class="link" onClick={() => show("settings")}>
            Connect to an environment
          </button>{" "}
          to refresh.
        </p>
      )}
      <ProgressPanel
        progress={progress}
        refresh={state}
        clock={services.clock}
        onCancel={running ? null : () => services.engine.cancel()}
      />
    </div>
  );
}

/** After a cancelled or failed fill-down: the rest alone, instead of the whole workbook. */
function AskUnanswered({ services, refresher }: { services: PaneServices; refresher: Refresher }) {
  useChanges(services.cells.subscribe);
  const { owed } = services.cells.summary();
  if (owed === 0) return null;
  return (
    <Button onClick={() => void refresher.start("unanswered")}>Ask for the {count(owed)} unanswered</Button>
  );
}

/** After a cancel or a failure there is a rest to ask for, once nothing is under way. */
function mayResume(phase: Refresher["state"]["phase"], engine: Engine): boolean {
  return (phase === "cancelled" || phase === "failed") && !engine.progress().busy;
}
