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
import type { SheetTemplate } from "../../workbook/templates/from-sheet";
import { ActionStatus, useAction, WorkButtons } from "../parts/action";
import { Field, TextField } from "../parts/fields";
import { Fold, Form, Message, Rows } from "../parts/parts";
import { useLoaded } from "../parts/use-observable";
import type { PaneServices } from "../services";
import { counted } from "../../domain/number-words";

/** What leaves, as the sheet was when it was read. */
interface Shown extends SheetTemplate {
  readonly sheetId: string;
}

export function TeamTemplate({ services, workbook }: { services: PaneServices; workbook: Workbook }) {
  const [title, setTitle] = useState("");
  const [summary, setSummary] = useState("");
  const [shown, setShown] = useState<Shown | null>(null);
  const newTemplate = shown?.template ?? null;
  const making = useAction();
  const published = useLoaded(async () => (await services.published()).list(), [services, newTemplate]);
  const replaced = published.value?.templates.find(({ template }) => template.id === newTemplate?.id) ?? null;
  const fault = newTemplate === null ? null : whyUnpublishable(newTemplate);

  /** What was typed belongs to the template that it makes, never to an earlier one. */
  const typing = (set: (text: string) => void) => (text: string) => {
    set(text);
    setShown(null);
  };

  async function make(): Promise<null> {
    setShown(null);
    if (title.trim() === "" || summary.trim() === "") {
      throw new InvError(
        "not-possible",
        "The template needs a title and a sentence. Type both, then make it.",
      );
    }
    const [{ sheet }] = await selectedAreas(workbook, services.clock);
    const id = (await workbook.sheets()).find(({ name }) => name === sheet)?.id ?? "";
    setShown(await read(id));
    return null;
  }

  async function read(sheetId: string): Promise<Shown> {
    const sheet = (await workbook.sheets()).find(({ id }) => id === sheetId)?.name;
    if (sheet === undefined) throw new InvError("not-possible", "The sheet is no longer there.");
    const { templateOfSheet } = await import(
      /* webpackChunkName: "share" */ "../../workbook/templates/from-sheet"
    );
    const named = { title: title.trim(), summary: summary.trim() };
    return { sheetId, ...(await templateOfSheet(workbook, sheet, named)) };
  }

  /** Lets the template leave if the sheet is as shown; otherwise shows what the sheet is now. */
  async function leave<T>(
    { sheetId, template }: Shown,
    send: (template: Template) => T,
  ): Promise<Awaited<T>> {
    const now = await read(sheetId);
    if (JSON.stringify(now.template) !== JSON.stringify(template)) {
      setShown(now);
      throw new InvError(
        "not-possible",
        "The sheet has changed, and nothing has left. Look at what leaves now, then choose again.",
      );
    }
    return await send(now.template);
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
      {shown === null || newTemplate === null ? null : (
        <>
          <p role="status">{whatLeaves(shown)}</p>
          {published.value?.mayPublish !== true ? null : fault === null ? (
            <WorkButtons
              primary
              actions={{
                [replaced === null
                  ? "Publish to your team"
                  : `Replace the one published by ${replaced.author}`]: () => leave(shown, publish),
              }}
            />
          ) : (
            <Message intent="warning">This can't be published. {fault}</Message>
          )}
          <Constants template={newTemplate} />
          <Field
            id="inv-team-text"
            label={`${newTemplate.id}${templateEnding}, for colleagues or your administrator`}
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
              "Save as a file": () => leave(shown, download),
              "Copy the text": () =>
                leave(shown, async (template) => {
                  await services.copyText(JSON.stringify(template, null, 1));
                  return "Copied.";
                }),
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

function whatLeaves({ template, notSaved }: Shown): string {
  const left = notSaved.map(({ name, count }) => counted(count, name, plural(name)));
  return `${contents(template)}${left.length === 0 ? "" : ` Not saved: ${left.join(", ")}.`}`;
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
