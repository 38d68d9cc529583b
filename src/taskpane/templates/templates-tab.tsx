/**
 * Templates: the gallery of built-in and team templates; choosing one opens its form. In folds below it: opening a file, saving the
 * sheet, checking a list, and copies with values.
 */
import { useState } from "preact/hooks";
import type { Template } from "../../domain/templates/template";
import { builtInTemplates } from "../../workbook/templates/built-in";
import { Fold, Message, Section } from "../parts/parts";
import { lazyPanel } from "../parts/lazy-panel";
import { NoWorkbook } from "../parts/no-workbook";
import { type TabProps, type ViewProps, requestIf } from "../parts/tab";
import { useLoaded, useTick } from "../parts/use-observable";
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

const OpenTemplate = lazyPanel(
  () => import(/* webpackChunkName: "open-template" */ "./open-template"),
  "OpenTemplate",
);

const CheckList = lazyPanel(
  () => import(/* webpackChunkName: "check-list" */ "../rows/check-list"),
  "CheckList",
);
const Share = lazyPanel(() => import(/* webpackChunkName: "share" */ "./share"), "Share");

const lookEveryMs = 60_000;

export function TemplatesTab({ workbook, ...props }: TabProps) {
  if (workbook.kind !== "open") return <NoWorkbook workbook={workbook} />;
  return <Templates {...props} workbook={workbook.workbook} refresher={workbook.refresher} />;
}

/** Looks for new templates each minute, and whenever the tab is shown again. */
function Templates(props: ViewProps) {
  const { services, connection, workbook, active, requestedPart } = props;
  const [chosen, setChosen] = useState<Template | null>(null);
  const { clock, readJson } = services;
  const { environment } = connection;
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
      {environment?.credentials === "server" && connection.hasCredentials ? (
        <PublishedGallery
          key={environment.id}
          services={services}
          round={round}
          // A person who chooses another environment before it is built is asked.
          onChoose={(template) =>
            setChosen({ ...template, environment: template.environment ?? environment.id })
          }
        />
      ) : null}
      {team.error === null ? null : (
        <Message intent="warning" actions={{ "Try again": team.again }}>
          INV couldn't read your team's templates from its server.
        </Message>
      )}
      <div class="folds">
        <Fold title="Open a template file">{() => <OpenTemplate onChoose={setChosen} />}</Fold>
        <Fold keeps title="Save this sheet as a team template">
          {() => <TeamTemplate {...props} />}
        </Fold>
        <Fold keeps title="Check a list" openRequest={requestIf(requestedPart, "check")} active={active}>
          {() => <CheckList {...props} />}
        </Fold>
        <Fold keeps title="Copy with values">
          {() => <Share {...props} />}
        </Fold>
      </div>
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
