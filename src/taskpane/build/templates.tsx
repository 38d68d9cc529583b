/** The gallery of built-in and team templates; choosing one opens its form. Below it: marking stale values, and saving a sheet. */
import { useState } from "preact/hooks";
import type { Template } from "../../domain/templates/template";
import { builtInTemplates } from "../../workbook/templates/built-in";
import { loaded } from "../../workbook/loaded";
import type { Workbook } from "../../workbook/port";
import { WorkButtons } from "../parts/action";
import { Fold, Message, Section } from "../parts/parts";
import { lazyPanel } from "../parts/lazy-panel";
import type { ViewProps } from "../parts/tab";
import { useLoaded, useTick } from "../parts/use-source";
import { counted, overwrittenWords } from "../parts/words";
import type { PaneServices } from "../services";
import { Gallery } from "./gallery";

const TemplateForm = lazyPanel(
  () => import(/* webpackChunkName: "template-form" */ "./template-form"),
  "TemplateForm",
);

const TeamTemplate = lazyPanel(
  () => import(/* webpackChunkName: "team-template" */ "./team-template"),
  "TeamTemplate",
);

const PublishedGallery = lazyPanel(
  () => import(/* webpackChunkName: "published-gallery" */ "./published-gallery"),
  "PublishedGallery",
);

const lookEveryMs = 60_000;

/** Shows the templates. Looks for new ones each minute, and whenever the view is shown again. */
export function Templates({ services, connection, workbook, active }: ViewProps) {
  const [chosen, setChosen] = useState<Template | null>(null);
  const { clock, readJson } = services;
  useTick(clock, { everyMs: lookEveryMs, active });
  const round = active ? Math.floor(clock.now() / lookEveryMs) : null;
  const team = useLoaded(active ? async () => templatesOf(await readJson("templates.json")) : null, [
    readJson,
    round,
  ]);
  if (chosen !== null) {
    return (
      <TemplateForm
        services={services}
        connection={connection}
        workbook={workbook}
        template={chosen}
        onBack={() => setChosen(null)}
      />
    );
  }
  return (
    <>
      <Section>
        <Gallery templates={builtInTemplates()} onChoose={setChosen} />
      </Section>
      {team.value !== null && team.value.length > 0 ? (
        <Section title="Your team's templates">
          <Gallery templates={team.value} onChoose={setChosen} />
        </Section>
      ) : null}
      {connection.environment?.credentials === "server" && connection.hasCredentials ? (
        <PublishedGallery
          key={connection.environment.id}
          services={services}
          round={round}
          onChoose={setChosen}
        />
      ) : null}
      {team.error === null ? null : (
        <Message intent="warning" actions={{ "Try again": team.again }}>
          INV couldn't read your team's templates from its server.
        </Message>
      )}
      <div class="folds">
        <Fold keeps title="Mark stale values on this sheet">
          {() => <MarkStale services={services} workbook={workbook} />}
        </Fold>
        <Fold keeps title="Save this sheet as a team template">
          {() => <TeamTemplate services={services} workbook={workbook} />}
        </Fold>
      </div>
    </>
  );
}

/** Marks stale values on the active sheet, and says how many it marked. */
function MarkStale({ services, workbook }: { services: PaneServices; workbook: Workbook }) {
  async function mark(): Promise<string> {
    const { markStaleValues } = await loaded(
      import(/* webpackChunkName: "mark-stale" */ "../../workbook/mark-stale"),
    );
    const { sheet, cells, skipped, overwritten } = await markStaleValues(workbook, services.clock);
    const rest =
      skipped === 0
        ? ""
        : ` ${counted(skipped, "formula")} can't be marked: grids, LET, and columns of a table.`;
    if (overwritten.length > 0) return `INV marked nothing.${overwrittenWords(overwritten)}`;
    return cells === 0
      ? `No INV values to mark on "${sheet}".${rest}`
      : `${counted(cells, "value")} on "${sheet}" marked. Press Ctrl+Z to undo.${rest}`;
  }

  return (
    <>
      <p class="hint">
        Adds a Status column to this sheet. The column colours values that the service didn't answer for.
      </p>
      <WorkButtons quiet actions={{ "Mark this sheet": mark }} />
    </>
  );
}

/** Checks the formulas of the team's templates. Loads the code for that only if there are templates. */
async function templatesOf(json: unknown): Promise<readonly Template[]> {
  const list: unknown = typeof json === "object" && json !== null ? Reflect.get(json, "templates") : null;
  if (!Array.isArray(list) || list.length === 0) return [];
  const { readTemplate } = await import(
    /* webpackChunkName: "read-template" */ "../../domain/templates/read-template"
  );
  return list.flatMap((each: unknown) => readTemplate(each).template ?? []);
}
