/**
 * A tab that consists of a few views, one of them visible: a row of choices, and the chosen view. A view is drawn when it is
 * first chosen and then kept, so that typed text survives a look at another view.
 */
import type { ComponentType } from "preact";
import { useState } from "preact/hooks";
import type { PaneServices, TabId, ViewId } from "../services";
import { Message } from "./parts";
import type { TabProps, ViewProps } from "./tab";

export interface View {
  readonly id: ViewId;
  readonly label: string;
  readonly Panel: ComponentType<ViewProps>;
  readonly Badge?: ComponentType<{ services: PaneServices }>;
}

export function Views(props: TabProps & { readonly tab: TabId; readonly views: readonly View[] }) {
  const { tab, views, view, workbook, services, active, show } = props;
  const chosen = view ?? views[0]?.id ?? null;
  const [visited, setVisited] = useState<ReadonlySet<ViewId | null>>(new Set([chosen]));
  if (!visited.has(chosen)) setVisited(new Set([...visited, chosen]));
  if (workbook.kind !== "open") return <NoWorkbook workbook={workbook} />;
  return (
    <>
      <fieldset class="views">
        <legend class="spoken">View</legend>
        {views.map(({ id, label, Badge }) => (
          <label key={id}>
            <input
              type="radio"
              name={`inv-view-${tab}`}
              checked={id === chosen}
              onChange={() => show(tab, id)}
            />
            <span>
              {label}
              {Badge ? <Badge services={services} /> : null}
            </span>
          </label>
        ))}
      </fieldset>
      {views.map(({ id, label, Panel }) =>
        visited.has(id) ? (
          <div key={id} class="view" hidden={id !== chosen}>
            <h2 class="spoken">{label}</h2>
            <Panel
              {...props}
              workbook={workbook.workbook}
              refresher={workbook.refresher}
              active={active && id === chosen}
            />
          </div>
        ) : null,
      )}
    </>
  );
}

export function NoWorkbook({ workbook }: { workbook: Exclude<TabProps["workbook"], { kind: "open" }> }) {
  if (workbook.kind === "failed") return <Message intent="error">{workbook.error.message}</Message>;
  return <p>{workbook.kind === "starting" ? "Waiting for the workbook…" : "No workbook is open."}</p>;
}
