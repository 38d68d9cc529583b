/**
 * The pane as a whole: the band, the notices, the line of tabs and their panels. A panel is built when it is
 * first visited and then kept, so that what was typed on one tab survives a look at another. The help stands in
 * their place while it is open.
 */
import { useEffect, useState } from "preact/hooks";
import { Band } from "./header/band";
import { PaneNotices } from "./header/notices";
import { Message } from "./parts/parts";
import { lazyPanel } from "./parts/lazy-panel";
import type { PaneServices, TabId, WantedView } from "./services";
import { StockLine } from "./header/stock-line";
import { tabs } from "./tabs";
import { useChanges, useSource } from "./parts/use-source";

type WantedHelp = Extract<WantedView, { help: string | null }>;

const Help = lazyPanel(async () => {
  const { HelpPanel } = await import(/* webpackChunkName: "help" */ "./help/help-panel");
  return HelpPanel;
});

export function Pane({ services }: { services: PaneServices }) {
  const connection = useSource(services.connection);
  const workbook = useSource(services.workbook);
  const settings = useSource(services.settings);
  useChanges(services.engine.subscribe);
  const progress = services.engine.progress();
  const [chosen, setChosen] = useState<TabId | null>(null);
  const [visited, setVisited] = useState<ReadonlySet<TabId>>(new Set());
  // Until a tab is chosen, the one that helps: connecting comes before refreshing.
  const connected = connection.hasCredentials;
  const current = chosen ?? (connection.ready && connected ? "refresh" : "connect");

  // A command may want a tab before the pane is there, and while it is.
  const wanted = useSource(services.commands.wanted);
  const [help, setHelp] = useState<WantedHelp | null>(null);
  useEffect(() => {
    if (wanted === null) return;
    if ("help" in wanted) setHelp(wanted);
    else show(wanted.tab);
  }, [wanted]);

  function show(id: TabId): void {
    setHelp(null);
    setChosen(id);
    setVisited(new Set([...visited, current, id]));
  }

  return (
    <main>
      <h1 class="spoken">INV: store inventory</h1>
      <div class="top">
        <Band
          connection={connection}
          progress={progress}
          offline={settings.offline}
          onHelp={services.commands.showHelp}
        />
        <StockLine services={services} />
      </div>
      {services.host.kind === "page" ? <NoHost /> : null}
      <PaneNotices
        services={services}
        connection={connection}
        faults={progress.faults}
        workbook={workbook}
        onConnect={() => show("connect")}
      />
      {help === null ? null : (
        <Help
          services={services}
          wanted={help}
          onClose={() => {
            setHelp(null);
            document.getElementById("inv-help")?.focus();
          }}
        />
      )}
      <div class="tabs-line" hidden={help !== null}>
        <fluent-tablist
          class="tabs"
          aria-label="INV"
          activeid={`inv-tab-${current}`}
          onChange={(event) => {
            const active: unknown = Reflect.get(event.currentTarget, "activeid");
            const tab = tabs.find(({ id }) => active === `inv-tab-${id}`);
            if (tab && tab.id !== current) show(tab.id);
          }}
        >
          {tabs.map(({ id, label, Badge }) => (
            <fluent-tab
              key={id}
              id={`inv-tab-${id}`}
              aria-controls={`inv-panel-${id}`}
              aria-selected={id === current}
              // Choosing the tab that is shown keeps it: until then another may take its place.
              onClick={() => {
                if (chosen !== id) show(id);
              }}
            >
              {label}
              {Badge ? <Badge services={services} /> : null}
            </fluent-tab>
          ))}
        </fluent-tablist>
      </div>
      {connection.ready ? null : <p class="panel">Reading the list of environments…</p>}
      {tabs.map(({ id, Panel }) => (
        <div
          key={id}
          id={`inv-panel-${id}`}
          role="tabpanel"
          aria-labelledby={`inv-tab-${id}`}
          hidden={id !== current || !connection.ready || help !== null}
          class="panel"
        >
          {connection.ready && (id === current || visited.has(id)) ? (
            <Panel
              services={services}
              connection={connection}
              progress={progress}
              workbook={workbook}
              active={id === current && help === null}
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
        This page is INV's pane and belongs inside Excel. To try INV without Excel, open the{" "}
        <a href="/">browser workbook</a>.
      </Message>
    </div>
  );
}
