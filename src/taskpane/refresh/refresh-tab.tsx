/**
 * Refresh: choose how much, see the cost, follow or cancel it, refresh the rest. Then it shows what the refresh changed and how old the
 * values are.
 */
import { useState } from "preact/hooks";
import { unawaited } from "../../domain/unawaited";
import type { OpenOne } from "../../workbook/open-workbook";
import { hasLeft, isRunning, type QuotedScope, type Refresher } from "../../workbook/refresh/refresh";
import { changesInShort } from "./change-words";
import { Choice } from "../parts/fields";
import { NoWorkbook } from "../parts/no-workbook";
import { Buttons, Fold } from "../parts/parts";
import { PriceTag } from "./price-tag";
import { Problems } from "./problems";
import { ProgressPanel } from "./progress-panel";
import type { PaneServices } from "../services";
import { lazyPanel } from "../parts/lazy-panel";
import type { TabProps } from "../parts/tab";
import { useChanges, useObservable } from "../parts/use-observable";
import { ValueAges } from "./value-ages";
import { duration, scopeOptions } from "../parts/words";

const WhatChanged = lazyPanel(
  () => import(/* webpackChunkName: "what-changed" */ "./what-changed"),
  "WhatChanged",
);

export function RefreshTab(props: TabProps) {
  const { services, workbook, active, requestedPart } = props;
  if (workbook.kind !== "open") return <NoWorkbook workbook={workbook} />;
  const { refresher } = workbook;
  return (
    <>
      <RefreshForm {...props} refresher={refresher} />
      <div class="folds">
        <Changes services={services} open={workbook} active={active} />
        <Problems {...props} workbook={workbook.workbook} refresher={refresher} />
        <ValueAges services={services} refresher={refresher} active={active} requestedPart={requestedPart} />
      </div>
    </>
  );
}

/** What the last refresh changed, also announced; a fold if there is a list to open. */
function Changes(props: { services: PaneServices; open: OpenOne; active: boolean }) {
  const { services, open, active } = props;
  const report = useObservable(open.refresher.changes);
  useChanges(open.refresher.subscribe);
  const { startedAtMs } = open.refresher.state;
  const words = report === null ? "" : changesInShort(report, services.clock.now(), startedAtMs);
  const isEmpty =
    report === null || report.changed.length + report.added.length + report.movedSheets.length === 0;
  return (
    <>
      <p role="status" class={isEmpty ? undefined : "spoken"}>
        {words}
      </p>
      {isEmpty ? null : (
        <Fold title={words} active={active}>
          {() => <WhatChanged services={services} workbook={open.workbook} report={report} />}
        </Fold>
      )}
    </>
  );
}

function RefreshForm(props: TabProps & { refresher: Refresher }) {
  const { services, connection, progress, active, refresher, show } = props;
  const [scope, setScope] = useState<QuotedScope>("workbook");
  useChanges(refresher.subscribe);
  useChanges(services.cells.subscribe);
  const { state } = refresher;
  const running = isRunning(state);
  const hasRest = hasLeft(state) || services.cells.summary().latestUnanswered > 0;
  const connected = connection.environment !== null && connection.hasCredentials;
  const { freshnessMinutes } = useObservable(services.settings);

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
      {/* Before the price, which would move them while a person presses. */}
      <Buttons
        primary={!running}
        disabled={!running && !connected}
        actions={
          running
            ? { Cancel: () => refresher.cancel() }
            : {
                Refresh: () => unawaited(refresher.start(scope)),
                "Refresh the rest":
                  hasRest && !progress.busy ? () => unawaited(refresher.start("rest")) : null,
                Cancel: progress.busy ? () => services.engine.cancel() : null,
              }
        }
      />
      {running || !active || !connected ? null : (
        <PriceTag services={services} refresher={refresher} scope={scope} />
      )}
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
        waiting={services.cells.summary().waiting}
        clock={services.clock}
      />
    </div>
  );
}
