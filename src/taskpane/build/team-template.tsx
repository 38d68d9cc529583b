/**
 * Saving the open sheet as a template for the team: every constant that is inside is shown first. Whoever has the role
 * publishes it; everybody else downloads the file, or copies its text where a web view refuses downloads, for the
 * administrator to place.
 */
import { useState } from "preact/hooks";
import { InvError } from "../../domain/errors";
import { constantsOf, unpublishable } from "../../domain/templates/constants";
import { type Template, templateEnding } from "../../domain/templates/template";
import type { Workbook } from "../../workbook/port";
import { loaded } from "../../workbook/loaded";
import { selectedAreas } from "../../workbook/selected-areas";
import { Told, useAction } from "../parts/action";
import { Button, Field, Message, Section } from "../parts/parts";
import { useLoaded } from "../parts/use-source";
import type { PaneServices } from "../services";
import { counted } from "../parts/words";

export function TeamTemplate({ services, workbook }: { services: PaneServices; workbook: Workbook }) {
  const [title, setTitle] = useState("");
  const [summary, setSummary] = useState("");
  const [made, setMade] = useState<Template | null>(null);
  const making = useAction();
  const copying = useAction();
  const publishing = useAction();
  const published = useLoaded(async () => (await services.published()).list(), [services, made]);
  const replaced = published.value?.templates.find(({ template }) => template.id === made?.id) ?? null;
  const fault = made === null ? null : unpublishable(made);

  async function make(): Promise<string> {
    if (title.trim() === "" || summary.trim() === "") {
      throw new InvError("bad-argument", "Give the template a title and a sentence, then make it.");
    }
    const [{ sheet }] = await selectedAreas(workbook, services.clock);
    const { templateOfSheet } = await loaded(
      import(/* webpackChunkName: "share" */ "../../workbook/templates/from-sheet"),
    );
    const template = await templateOfSheet(workbook, sheet, { title: title.trim(), summary: summary.trim() });
    setMade(template);
    return contents(template);
  }

  /** Of what has just been seen: whoever was faster is not overwritten. */
  async function publish(template: Template): Promise<string> {
    const server = await services.published();
    await server.publish(template, replaced?.version ?? 0).finally(() => published.again());
    return `"${template.title}" is published. Your team has it in a minute.`;
  }

  return (
    <>
      <p class="hint">Makes a template of this sheet: formulas, formats and constants, without any values.</p>
      <Field id="inv-team-title" label="Title">
        <input
          id="inv-team-title"
          class="control"
          maxLength={60}
          value={title}
          onInput={(event) => setTitle(event.currentTarget.value)}
        />
      </Field>
      <Field id="inv-team-summary" label="What it is for, in a sentence">
        <input
          id="inv-team-summary"
          class="control"
          maxLength={200}
          value={summary}
          onInput={(event) => setSummary(event.currentTarget.value)}
        />
      </Field>
      <div class="buttons">
        <Button onClick={() => making.run(make)}>Make the template</Button>
      </div>
      <Told action={making} />
      {made === null ? null : (
        <>
          <Constants template={made} />
          {published.value?.mayPublish !== true ? null : fault === null ? (
            <div class="buttons">
              <Button primary onClick={() => publishing.run(() => publish(made))}>
                {replaced === null
                  ? "Publish to your team"
                  : `Replace the one published by ${replaced.author}`}
              </Button>
            </div>
          ) : (
            <Message intent="warning">This can't be published. {fault}</Message>
          )}
          <Told action={publishing} />
          <Field
            id="inv-team-text"
            label={`Save this text as ${made.id}${templateEnding} in the server's folder of templates`}
          >
            <textarea
              id="inv-team-text"
              class="control"
              rows={4}
              readOnly
              value={JSON.stringify(made, null, 1)}
            />
          </Field>
          <div class="buttons">
            <Button onClick={() => download(made)}>Download the file</Button>
            <Button
              onClick={() =>
                copying.run(async () => {
                  await services.copyText(JSON.stringify(made, null, 1));
                  return "Copied. Give it to your administrator.";
                })
              }
            >
              Copy the text
            </Button>
          </div>
          <Told action={copying} />
        </>
      )}
    </>
  );
}

function Constants({ template }: { template: Template }) {
  const constants = constantsOf(template);
  return (
    <Section title={counted(constants.length, "constant")}>
      <p class="hint">Everybody who gets the template can read them. Names of cells and sheets stay too.</p>
      <ul class="rows" tabIndex={0} aria-label="Constants">
        {constants.map((constant) => (
          <li key={constant}>{constant}</li>
        ))}
      </ul>
    </Section>
  );
}

function download(template: Template): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(
    new Blob([JSON.stringify(template, null, 1)], { type: "application/json" }),
  );
  link.download = template.id + templateEnding;
  link.click();
  URL.revokeObjectURL(link.href);
}

function contents({ table, blocks = [], needs }: Template): string {
  const cells = blocks.reduce((sum, { rows }) => sum + rows.reduce((all, row) => all + row.length, 0), 0);
  const rows =
    table && needs === "pairs"
      ? `A table of ${counted(table.columns.length, "column")} for everybody's own stores and items; yours are not in it. `
      : "No table of stores and items was recognised, so all constants are in it, store numbers and GTINs too. ";
  return `${rows}${counted(cells, "other cell")}. No values and no credentials.`;
}
