/**
 * The whole pane: the header, the notices, the tabs and their panels. The pane draws a panel at its first visit and then keeps
 * it, with what was typed in it. While nothing is connected and no tab was chosen, the pane shows only the connection form.
 */
import type { ComponentType } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { PaneHeader, StockAgeText } from "./header/pane-header";
import { PaneNotices } from "./header/notices";
import { stateWord } from "./header/stock-words";
import { lazyPanel } from "./parts/lazy-panel";
import { Message } from "./parts/parts";
import type { TabProps, RequestedPart } from "./parts/tab";
import { useChanges, useFact, useObservable } from "./parts/use-observable";
import { cellErrorOf } from "../domain/errors";
import { count } from "../domain/number-words";
import { RefreshTab } from "./refresh/refresh-tab";
import type { PaneServices, PartId, TabId } from "./services";
import { SettingsTab } from "./settings/settings-tab";

const Cell = lazyPanel(() => import(/* webpackChunkName: "cell" */ "./cell/cell-tab"), "CellTab");
const Templates = lazyPanel(
  () => import(/* webpackChunkName: "templates" */ "./templates/templates-tab"),
  "TemplatesTab",
);

/** The labels are four short words, so that they fit one line at 300 px. */
const tabs: readonly { id: TabId; label: string; Panel: ComponentType<TabProps> }[] = [
  { id: "refresh", label: "Refresh", Panel: RefreshTab },
  { id: "cell", label: "Cell", Panel: Cell },
  { id: "templates", label: "Templates", Panel: Templates },
  { id: "settings", label: "Settings", Panel: SettingsTab },
];

export function Pane({ services }: { services: PaneServices }) {
  const connection = useObservable(services.connection);
  const workbook = useObservable(services.workbook);
  const isAnswered = useFact(services.age, (age) => age.isAnswered);
  const isWaiting = useFact(services.age, (age) => age.isWaiting);
  useChanges(services.engine.subscribe);
  const progress = services.engine.progress();
  const [chosen, setChosen] = useState<TabId | null>(null);
  const [parts, setParts] = useState<Partial<Record<TabId, RequestedPart>>>({});
  const [visited, setVisited] = useState<ReadonlySet<TabId>>(new Set());
  const isConnected = connection.ready && connection.hasCredentials;
  const alone = connection.ready && !isConnected && chosen === null;
  const current = chosen ?? (alone ? "settings" : "refresh");

  // A command may request a tab before the pane is drawn, and after.
  const requestedView = useObservable(services.commands.requestedView);
  useEffect(() => {
    if (requestedView !== null) show(requestedView.tab, requestedView.part);
  }, [requestedView]);

  function show(tab: TabId, part?: PartId): void {
    setChosen(tab);
    setVisited((before) => new Set([...before, current, tab]));
    if (part !== undefined) setParts((before) => ({ ...before, [tab]: { part } }));
  }

  function moveByArrow(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const next = tabs.at((tabs.findIndex(({ id }) => id === current) + step) % tabs.length)?.id ?? current;
    event.preventDefault();
    show(next);
    document.getElementById(`inv-tab-${next}`)?.focus();
  }

  const focusesEnvironment = useRef(false);
  function changeEnvironment(): void {
    focusesEnvironment.current = true;
    show("settings");
  }
  useEffect(() => {
    if (!focusesEnvironment.current) return;
    focusesEnvironment.current = false;
    document.getElementById("inv-environment")?.focus();
  });

  return (
    <main>
      <h1 class="spoken">INV: store inventory</h1>
      <PaneHeader
        environment={connection.environment}
        state={stateWord(connection, progress, { isAnswered, isWaiting })}
        onEnvironment={changeEnvironment}
        onHelp={services.commands.showHelp}
      >
        <StockAgeText services={services} />
      </PaneHeader>
      {services.host.kind === "page" ? <NoHost /> : null}
      <PaneNotices
        services={services}
        connection={connection}
        faults={progress.faults}
        workbook={workbook}
        onConnect={changeEnvironment}
      />
      <div class="tabs-line" hidden={alone}>
        <div class="tabs" role="tablist" aria-label="INV" onKeyDown={moveByArrow}>
          {tabs.map(({ id, label }) => (
            <button
              key={id}
              type="button"
              role="tab"
              id={`inv-tab-${id}`}
              aria-controls={`inv-panel-${id}`}
              aria-selected={id === current}
              tabIndex={id === current ? 0 : -1}
              onClick={() => show(id)}
            >
              {label}
              {id === "refresh" ? <ProblemBadge services={services} /> : null}
            </button>
          ))}
        </div>
      </div>
      {connection.ready ? null : <p class="panel">Reading the list of environments…</p>}
      {tabs.map(({ id, Panel }) => (
        <div
          key={id}
          id={`inv-panel-${id}`}
          {...(alone ? {} : { role: "tabpanel", "aria-labelledby": `inv-tab-${id}` })}
          hidden={id !== current || !connection.ready}
          class="panel"
        >
          {connection.ready && (id === current || visited.has(id)) ? (
            <Panel
              services={services}
              connection={connection}
              progress={progress}
              workbook={workbook}
              active={id === current}
              alone={alone}
              requestedPart={parts[id] ?? null}
              show={show}
            />
          ) : null}
        </div>
      ))}
    </main>
  );
}

function NoHost() {
  return (
    <div class="notices">
      <Message intent="info">
        This page is INV's pane. It works only inside Excel. To try INV without Excel, open the{" "}
        <a href="/">browser workbook</a>.
      </Message>
    </div>
  );
}

/** Counts the cells with #VALUE!, but not #N/A, which is a valid answer. */
function ProblemBadge({ services: { cells } }: { services: PaneServices }) {
  useChanges(cells.problemList.subscribe);
  const problems = cells.problemList
    .groups()
    .reduce((sum, group) => sum + (cellErrorOf(group.code) === "#VALUE!" ? group.count : 0), 0);
  if (problems === 0) return null;
  return (
    <span class="badge">
      {problems > 999 ? "999+" : count(problems)}
      <span class="spoken"> {problems === 1 ? "cell" : "cells"} with #VALUE!</span>
    </span>
  );
}
