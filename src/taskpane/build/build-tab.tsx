/**
 * Templates: their gallery, what a template becomes with the person's rows and what that costs; and
 * below it freezing, mailing and sharing. Loaded as a chunk of its own when the tab is first in view.
 */
import { useEffect, useState } from "preact/hooks";
import type { Template } from "../../domain/templates/template";
import type { Workbook } from "../../workbook/port";
import { builtInTemplates } from "../../workbook/templates/built-in";
import { lazyPanel } from "../parts/lazy-panel";
import { Button, Message, Section } from "../parts/parts";
import { ShareSection } from "./freeze-and-mail";
import type { PaneServices } from "../services";
import type { TabProps } from "../parts/tab";
import { TemplatePicture } from "./template-picture";

/** What fills and builds a template comes with the first that is chosen. */
const TemplateForm = lazyPanel(async () => {
  const { TemplateForm: Panel } = await import(/* webpackChunkName: "template-form" */ "./template-form");
  return Panel;
});

/** Few who build a sheet save lists: what reads and writes them comes when it is asked for. */
const SavedLists = lazyPanel(async () => {
  const { SavedLists: Panel } = await import(/* webpackChunkName: "saved-lists" */ "./saved-lists");
  return Panel;
});

export function TemplatesTab({ services, connection, workbook }: TabProps) {
  const [chosen, setChosen] = useState<Template | null>(null);
  const [team, reload] = useTeamTemplates(services);
  if (workbook.kind !== "open") {
    return workbook.kind === "failed" ? (
      <Message intent="error">{workbook.error.message}</Message>
    ) : (
      <p>{workbook.kind === "none" ? "No workbook is open here." : "Waiting for the workbook…"}</p>
    );
  }
  if (chosen !== null) {
    return (
      <TemplateForm
        services={services}
        connection={connection}
        workbook={workbook.workbook}
        template={chosen}
        onBack={() => setChosen(null)}
      />
    );
  }
  return (
    <>
      <Section title="Templates">
        <p class="hint">Choose a sheet to build into this workbook.</p>
        <Gallery templates={builtInTemplates()} onChoose={setChosen} />
      </Section>
      <Section title="Your team's templates">
        {team === "loading" ? <p>Asking the server…</p> : null}
        {typeof team === "object" && team.length > 0 ? (
          <Gallery templates={team} onChoose={setChosen} />
        ) : null}
        {typeof team === "object" && team.length === 0 ? (
          <p class="hint">
            None yet. The administrator puts template files into the server's folder of templates.
          </p>
        ) : null}
        {team === "failed" ? (
          <Message
            intent="warning"
            actions={
              <Button quiet onClick={reload}>
                Try again
              </Button>
            }
          >
            The team's templates cannot be read from INV's server.
          </Message>
        ) : null}
      </Section>
      <ListsSection services={services} workbook={workbook.workbook} />
      <ShareSection services={services} open={workbook} />
    </>
  );
}

function ListsSection(props: { readonly services: PaneServices; readonly workbook: Workbook }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Section title="Saved lists">
      <p class="hint">
        Stores or items under a name, for templates and formulas:{" "}
        <code>=INV.QTY(Stores_North, TRANSPOSE(Items_Top))</code>. Colleagues get them with the file.
      </p>
      {isOpen ? (
        <SavedLists {...props} />
      ) : (
        <div class="buttons">
          <Button onClick={() => setOpen(true)}>Save as a list…</Button>
        </div>
      )}
    </Section>
  );
}

function Gallery(props: { templates: readonly Template[]; onChoose: (template: Template) => void }) {
  return (
    <ul class="gallery">
      {props.templates.map((template) => (
        <li key={template.id}>
          <button type="button" class="template-card" onClick={() => props.onChoose(template)}>
            <TemplatePicture template={template} />
            <span>
              <span class="template-title">{template.title}</span>
              <span class="hint">{template.summary}</span>
              <span class="hint">{needWords[template.needs]}</span>
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

export const needWords: Readonly<Record<Template["needs"], string>> = {
  pairs: "Needs rows of store and GTIN.",
  grid: "Needs stores and GTINs.",
  pair: "Needs one store and one GTIN.",
  nothing: "Needs nothing.",
};

type Team = readonly Template[] | "loading" | "failed";

/** What the server lists; files that this INV cannot read are left out. */
function useTeamTemplates({ readJson }: PaneServices): [Team, () => void] {
  const [team, setTeam] = useState<Team>("loading");
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let current = true;
    setTeam("loading");
    readJson("templates.json")
      .then(templatesOf)
      .then(
        (templates) => current && setTeam(templates),
        () => current && setTeam("failed"),
      );
    return () => {
      current = false;
    };
  }, [readJson, attempt]);
  return [team, () => setAttempt(attempt + 1)];
}

/** Reading other people's templates checks their formulas too: loaded where there are any. */
async function templatesOf(json: unknown): Promise<readonly Template[]> {
  const list: unknown = typeof json === "object" && json !== null ? Reflect.get(json, "templates") : null;
  if (!Array.isArray(list) || list.length === 0) return [];
  const { readTemplate } = await import(
    /* webpackChunkName: "read-template" */ "../../domain/templates/read-template"
  );
  return list.flatMap((each: unknown) => readTemplate(each).template ?? []);
}
