/**
 * Saves the open sheet as a template, in one step: shows what leaves, with every constant, and publishes it (people with the role
 * `templates`) or saves it as a file. Invariant: only what is on show leaves. Each button reads the sheet again; if what leaves
 * differs, it is shown instead.
 */
import { useEffect, useState } from "preact/hooks";
import { InvError } from "../../domain/errors";
import { counted } from "../../domain/number-words";
import { constantsOf, itemAmong, whyUnpublishable } from "../../domain/templates/constants";
import { type Template, templateEnding } from "../../domain/templates/template";
import { selectedAreas } from "../../workbook/selected-areas";
import {
  idOf,
  namedTemplate,
  type SheetTemplate,
  templateOfSheet,
} from "../../workbook/templates/from-sheet";
import { ActionStatus, useAction, WorkButtons } from "../parts/action";
import { Field, TextField } from "../parts/fields";
import { Buttons, Fold, Message, Rows } from "../parts/parts";
import type { ViewProps } from "../parts/tab";
import { useLoaded } from "../parts/use-observable";
import type { PaneServices } from "../services";

/** What leaves, as the sheet was when it was read, and where it may be published. */
interface Shown extends SheetTemplate {
  readonly sheet: string;
  readonly environmentId: string | null;
}

export function TeamTemplate(props: Pick<ViewProps, "services" | "connection" | "workbook">) {
  const { services, workbook } = props;
  const [title, setTitle] = useState("");
  const [summary, setSummary] = useState("");
  const names = { title: title.trim(), summary: summary.trim() };
  const [shown, setShown] = useState<Shown | null>(null);
  /** The last one that was saved, where nobody knows whether its file arrived. */
  const [saved, setSaved] = useState<Template | null>(null);
  const work = useAction();
  const { environment, hasCredentials } = props.connection;
  const latest = useLoaded(
    shown === null ? null : async () => ({ shown, ...(await (await services.published()).list()) }),
    [services, hasCredentials, shown],
  ).value;
  /** A list that was read for what was on show before may be another environment's. */
  const published = latest?.shown === shown ? latest : null;
  const replaced = published?.templates.find(({ template }) => template.id === idOf(names.title));
  const mayPublish = published?.mayPublish === true && shown !== null;
  const fault = mayPublish ? whyUnpublishable(shown.template) : null;

  async function read(): Promise<Shown> {
    const [{ sheet }] = await selectedAreas(workbook, services.clock);
    const read = await templateOfSheet(workbook, sheet);
    return { sheet, environmentId: services.connection.get().environment?.id ?? null, ...read };
  }

  function look(): void {
    work.run(async () => {
      setShown(await read());
      return null;
    });
  }
  useEffect(look, [environment?.id]);

  function leave(send: (template: Template) => string | null | Promise<string>): void {
    work.run(async () => {
      setSaved(null);
      if (names.title === "" || names.summary === "") {
        throw new InvError("not-possible", "The template needs a title and a sentence. Type both.");
      }
      const now = await read();
      if (JSON.stringify(now) !== JSON.stringify(shown)) {
        setShown(now);
        const changed = now.environmentId === shown?.environmentId ? "sheet" : "environment";
        throw new InvError(
          "not-possible",
          `The ${changed} has changed, and nothing has left. Look at what leaves now, then choose again.`,
        );
      }
      return send(namedTemplate(now.template, names));
    });
  }

  /** Sends the version that this pane saw, so that the server refuses to overwrite a colleague's newer one. */
  async function publish(template: Template): Promise<string> {
    const server = await services.published();
    await server
      .publish(template, replaced?.version ?? 0)
      .finally(() => setShown((now) => now && { ...now }));
    return `"${template.title}" is published. Your team has it in a minute.`;
  }

  function save(template: Template): string | null {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([textOf(template)], { type: "application/json" }));
    link.download = fileOf(template);
    link.click();
    // The browser reads the file later.
    services.clock.setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    if (services.host.kind !== "excel") {
      return `${fileOf(template)} is downloaded. Whoever gets it opens it under Templates.`;
    }
    setSaved(template);
    return null;
  }

  return (
    <>
      <p class="hint">
        Makes a template of this sheet: formulas, formats, colours, notes and constants, without any values.
      </p>
      {shown === null ? null : <WhatLeaves shown={shown} />}
      <Buttons quiet isBusy={work.busyText !== null} actions={{ "Read the sheet again": look }} />
      <TextField id="inv-team-title" label="Title" maxLength={60} value={title} onText={setTitle} />
      <TextField
        id="inv-team-summary"
        label="What it is for, in a sentence"
        maxLength={200}
        value={summary}
        onText={setSummary}
      />
      {fault === null ? null : <Message intent="warning">This can't be published. {fault}</Message>}
      <Buttons
        // What is on show now has buttons of its own: a second click, or a key that repeats, must not press them.
        key={shown}
        primary
        isBusy={work.busyText !== null}
        actions={{
          [replaced === undefined
            ? "Publish to your team"
            : `Replace the one published by ${replaced.author}`]:
            mayPublish && fault === null ? () => leave(publish) : null,
          "Save as a file": () => leave(save),
        }}
      />
      <ActionStatus action={work} />
      {saved === null ? null : <FileText template={saved} copyText={services.copyText} />}
    </>
  );
}

function WhatLeaves({ shown: { sheet, template, notSaved } }: { shown: Shown }) {
  const constants = constantsOf(template);
  const notSavedWords = notSaved.map(({ name, count }) => counted(count, name, plural(name)));
  return (
    <>
      <p role="status">
        {sheet}: {contents(template, itemAmong(constants))}
        {notSavedWords.length === 0 ? "" : ` Not saved: ${notSavedWords.join(", ")}.`}
      </p>
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
    </>
  );
}

/** The file's text. Excel doesn't say whether it lets a pane download files. */
function FileText({ template, copyText }: { template: Template } & Pick<PaneServices, "copyText">) {
  const text = textOf(template);
  return (
    <>
      <Field
        id="inv-team-text"
        label={`Excel may block downloads. If you get no file, save this text as ${fileOf(template)}`}
      >
        <textarea id="inv-team-text" class="control" rows={4} readOnly value={text} />
      </Field>
      <WorkButtons
        actions={{
          "Copy the text": async () => {
            await copyText(text);
            return "Copied.";
          },
        }}
      />
    </>
  );
}

function textOf(template: Template): string {
  return JSON.stringify(template);
}

function fileOf({ id }: Template): string {
  return id + templateEnding;
}

/** `2 rules for texts`, `2 areas of a data bar`, `2 icon sets`. */
function plural(name: string): string {
  return /^(rule|area) /.test(name) ? name.replace(" ", "s ") : `${name}s`;
}

/** @param ownItem the first of its constants that looks like an item */
function contents({ table, blocks = [] }: Template, ownItem: string | null): string {
  const cells = blocks.reduce((sum, { rows }) => sum + rows.reduce((all, row) => all + row.length, 0), 0);
  // The table ends above the first row without a store, so items may be left below it.
  const own =
    ownItem === null
      ? ", without yours"
      : `. Outside of its rows, which end above the first row without a store, "${ownItem}" looks like one of yours and leaves too`;
  const rows = table
    ? `a table of ${counted(table.columns.length, "column")} for everybody's own stores and items${own}. `
    : "INV recognized no table of stores and items, so the template contains all constants, also store numbers and GTINs. ";
  const others = cells === 0 ? "" : `${counted(cells, "other cell")}. `;
  return `${rows}${others}No values and no credentials.`;
}
