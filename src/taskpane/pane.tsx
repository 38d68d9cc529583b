/**
 * The pane as a whole: the band, the notices, four tabs and their panels. A panel is built when it is
 * first visited and then kept, so that what was typed on one tab survives a look at another.
 */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { ActivityTab, isUnanswered } from "./activity-tab";
import { Band } from "./band";
import { ConnectTab } from "./connect-tab";
import { Notices } from "./notices";
import { Message } from "./parts";
import { RefreshTab } from "./refresh-tab";
import type { PaneServices } from "./services";
import { SettingsTab } from "./settings-tab";
import { useChanges, useSource } from "./use-source";
import { count } from "./words";

const tabs = ["connect", "refresh", "activity", "settings"] as const;
type TabName = (typeof tabs)[number];

const titles: Record<TabName, string> = {
  connect: "Connect",
  refresh: "Refresh",
  activity: "Activity",
  settings: "Settings",
};

export function Pane({ services }: { services: PaneServices }) {
  const connection = useSource(services.connection);
  const workbook = useSource(services.workbook);
  useChanges(services.engine.subscribe);
  const progress = services.engine.progress();
  const [chosen, setChosen] = useState<TabName | null>(null);
  const [visited, setVisited] = useState<ReadonlySet<TabName>>(new Set());
  // Until a tab is chosen, the one that helps: connecting comes before refreshing.
  const connected = connection.consumerId !== null;
  const current = chosen ?? (connection.ready && connected ? "refresh" : "connect");

  function show(name: TabName): void {
    setChosen(name);
    setVisited(new Set([...visited, current, name]));
  }

  const panels: Record<TabName, () => ComponentChildren> = {
    connect: () => <ConnectTab services={services} connection={connection} onDemo={() => show("refresh")} />,
    refresh: () => (
      <RefreshTab
        services={services}
        connection={connection}
        progress={progress}
        workbook={workbook}
        active={current === "refresh"}
      />
    ),
    activity: () => <ActivityTab services={services} />,
    settings: () => <SettingsTab services={services} />,
  };

  return (
    <main>
      <h1 class="spoken">INV: store inventory</h1>
      <Band connection={connection} progress={progress} />
      {services.host.kind === "page" ? <NoHost /> : null}
      <Notices
        services={services}
        connection={connection}
        faults={progress.faults}
        onConnect={() => show("connect")}
      />
      <div class="tabs-line">
        <fluent-tablist
          class="tabs"
          aria-label="INV"
          activeid={`inv-tab-${current}`}
          onChange={(event) => {
            const name = tabNamed(Reflect.get(event.currentTarget, "activeid"));
            if (name !== null && name !== current) show(name);
          }}
        >
          {tabs.map((name) => (
            <fluent-tab
              key={name}
              id={`inv-tab-${name}`}
              aria-controls={`inv-panel-${name}`}
              aria-selected={name === current}
            >
              {titles[name]}
              {name === "activity" ? <ProblemCount services={services} /> : null}
            </fluent-tab>
          ))}
        </fluent-tablist>
      </div>
      {connection.ready ? null : <p class="panel">Reading the list of environments…</p>}
      {tabs.map((name) => (
        <div
          key={name}
          id={`inv-panel-${name}`}
          role="tabpanel"
          aria-labelledby={`inv-tab-${name}`}
          hidden={name !== current || !connection.ready}
          class="panel"
        >
          {connection.ready && (name === current || visited.has(name)) ? panels[name]() : null}
        </div>
      ))}
    </main>
  );
}

/** Cells that nobody answered, beside the name of the activity tab; an #N/A is an answer and no alarm. */
function ProblemCount({ services }: { services: PaneServices }) {
  useChanges(services.activity.subscribe);
  let problems = 0;
  for (const group of services.activity.groups()) if (isUnanswered(group)) problems += group.count;
  if (problems === 0) return null;
  return (
    <span slot="end" class="badge">
      {problems > 999 ? "999+" : count(problems)}
      <span class="spoken"> {problems === 1 ? "cell" : "cells"} not answered</span>
    </span>
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

function tabNamed(id: unknown): TabName | null {
  return tabs.find((name) => id === `inv-tab-${name}`) ?? null;
}
