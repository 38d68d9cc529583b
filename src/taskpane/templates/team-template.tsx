/**
 * Makes a template for the team from the open sheet, and shows every constant in it. People with the role `templates`
 * publish it. Others download the file for the administrator, or copy its text where a web view refuses downloads.
 */
import { useState } from "preact/hooks";
import { InvError } from "../../domain/errors";
import { constantsOf, whyUnpublishable } from "../../domain/templates/constants";
import { type Template, templateEnding } from "../../domain/templates/template";
import type { Workbook } from "../../workbook/port";
import { selectedAreas } from "../../workbook/selected-areas";
import { ActionStatus, useAction, WorkButtons } from "../parts/action";
import { Field, TextField } from "../parts/fields";
import { Fold, Form, Message, Rows } from "../parts/parts";
import { useLoaded } from "../parts/use-source";
import type { PaneServices } from "../services";
import { counted } from "../../domain/number-words";

export function TeamTemplate({ services, workbook }: { services: PaneServices; workbook: Workbook }) {
  const [title, setTitle] = useState("");
  const [summary, setSummary] = useState("");
  const [newTemplate, setNewTemplate] = useState<Template | null>(null);
  const making = useAction();
  const published = useLoaded(async () => (await services.published()).list(), [services, newTemplate]);
  const replaced = published.value?.templates.find(({ template }) => template.id === newTemplate?.id) ?? null;
  const fault = newTemplate === null ? null : whyUnpublishable(newTemplate);

  /** What was typed belongs to the template that it makes, never to an earlier one. */
  const typing = (set: (text: string) => void) => (text: string) => {
    set(text);
    setNewTemplate(null);
  };

  async function make(): Promise<string> {
    setNewTemplate(null);
    if (title.trim() === "" || summary.trim() === "") {
      throw new InvError(
        "not-possible",
        "The template needs a title and a sentence. Type both, then make it.",
      );
    }
    const [{ sheet }] = await selectedAreas(workbook, services.clock);
    const { templateOfSheet } = await import(
      /* webpackChunkName: "share" */ "../../workbook/templates/from-sheet"
    );
    const named = { title: title.trim(), summary: summary.trim() };
    const { template, notSaved } = await templateOfSheet(workbook, sheet, named);
    setNewTemplate(template);
    const left = notSaved.map(({ name, count }) => counted(count, name, plural(name)));
    return `${contents(template)}${left.length === 0 ? "" : ` Not saved: ${left.join(", ")}.`}`;
  }

  /** Sends the version that this pane saw, so that the server refuses to overwrite a colleague's newer one. */
  async function publish(template: Template): Promise<string> {
    const server = await services.published();
    await server.publish(template, replaced?.version ?? 0).finally(() => published.again());
    return `"${template.title}" is published. Your team has it in a minute.`;
  }

  return (
    <>
      <p class="hint">
        Makes a template of this sheet: formulas, formats, colours, notes and constants, without any values.
      </p>
      <Form submit="Make the template" onSubmit={() => making.run(make)} isBusy={making.busyText !== null}>
        <TextField id="inv-team-title" label="Title" maxLength={60} value={title} onText={typing(setTitle)} />
        <TextField
          id="inv-team-summary"
          label="What it is for, in a sentence"
          maxLength={200}
          value={summary}
          onText={typing(setSummary)}
        />
      </Form>
      <ActionStatus action={making} />
      {newTemplate === null ? null : (
        <>
          {published.value?.mayPublish !== true ? null : fault === null ? (
            <WorkButtons
              primary
              actions={{
                [replaced === null
                  ? "Publish to your team"
                  : `Replace the one published by ${replaced.author}`]: () => publish(newTemplate),
              }}
            />
          ) : (
            <Message intent="warning">This can't be published. {fault}</Message>
          )}
          <Constants template={newTemplate} />
          <Field
            id="inv-team-text"
            label={`Save this text as ${newTemplate.id}${templateEnding} in the server's folder of templates`}
          >
            <textarea
              id="inv-team-text"
              class="control"
              rows={4}
              readOnly
              value={JSON.stringify(newTemplate, null, 1)}
            />
          </Field>
          <WorkButtons
            actions={{
              "Download the file": () => Promise.resolve(download(newTemplate)),
              "Copy the text": async () => {
                await services.copyText(JSON.stringify(newTemplate, null, 1));
                return "Copied. Give it to your administrator.";
              },
            }}
          />
        </>
      )}
    </>
  );
}

function Constants({ template }: { template: Template }) {
  const constants = constantsOf(template);
  return (
    <Fold title={`${counted(constants.length, "constant")} that everybody can read`}>
      {() => (
        <>
          <p class="hint">Names of cells and sheets stay too.</p>
          <Rows
            label="Constants"
            isText
            all={constants.length}
            rows={constants.map((constant) => ({ key: constant, line: constant }))}
          />
        </>
      )}
    </Fold>
  );
}

function download(template: Template): null {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(
    new Blob([JSON.stringify(template, null, 1)], { type: "application/json" }),
  );
  link.download = template.id + templateEnding;
  link.click();
  URL.revokeObjectURL(link.href);
  return null;
}

/** `2 rules for texts`, `2 icon sets`. */
function plural(name: string): string {
  return name.startsWith("rule ") ? name.replace("rule", "rules") : `${name}s`;
}

function contents({ table, blocks = [], needs }: Template): string {
  const cells = blocks.reduce((sum, { rows }) => sum + rows.reduce((all, row) => all + row.length, 0), 0);
  const rows =
    table && needs === "pairs"
      ? `A table of ${counted(table.columns.length, "column")} for everybody's own stores and items, without yours. `
      : "INV recognized no table of stores and items, so the template contains all constants, also store numbers and GTINs. ";
  const others = cells === 0 ? "" : `${counted(cells, "other cell")}. `;
  return `${rows}${others}No values and no credentials.`;
}
