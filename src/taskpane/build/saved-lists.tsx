/**
 * Saved lists: those of the workbook, and a form that makes a new one from the selected stores or items. The form checks the
 * entries before it writes them.
 */
import { useEffect, useState } from "preact/hooks";
import { columnName } from "../../formula/columns";
import { InvError } from "../../domain/errors";
import { functionAddress } from "../../workbook/addresses";
import { draftsOf, type ListDraft } from "../../workbook/lists/draft";
import { type ListKind, checkListName } from "../../workbook/lists/list-name";
import { readLists, type SavedList, saveList, readNamesInUse } from "../../workbook/lists/saved-lists";
import type { Area } from "../../workbook/port";
import { selectedAreas } from "../../workbook/selected-areas";
import { filledCells } from "../../workbook/templates/selected-rows";
import { ActionStatus, useAction, WorkButtons } from "../parts/action";
import { CellLink } from "../parts/cell-link";
import { Choice, TextField } from "../parts/fields";
import { Button, Message, Section } from "../parts/parts";
import type { ViewProps } from "../parts/tab";
import { useLoaded } from "../parts/use-source";
import { count, counted } from "../parts/words";
import type { PaneServices } from "../services";
import { RowReasons } from "./row-reasons";

interface ReadSelection {
  readonly drafts: readonly ListDraft[];
  readonly from: Area;
}

export function SavedLists({ services, workbook }: ViewProps) {
  const [selection, setSelection] = useState<ReadSelection | null>(null);
  const saving = useAction();
  const saved = useLoaded(
    async () => ({ lists: await readLists(workbook), names: await readNamesInUse(workbook) }),
    [workbook],
  );
  const { lists, names } = saved.value ?? { lists: [], names: [] };

  async function take(): Promise<null> {
    const areas = await selectedAreas(workbook, services.clock);
    const drafts = draftsOf(await filledCells(workbook, areas));
    if (drafts.length === 0) {
      throw new InvError("bad-argument", "No stores or items selected. Select the cells that contain them.");
    }
    setSelection({ drafts, from: areas[0] });
    return null;
  }

  async function save(draft: ListDraft, name: string, of: ReadSelection): Promise<string> {
    const { kind, entries, names: entryNames, itemType } = draft;
    const { heading } = await saveList(workbook, { name, kind, entries, names: entryNames });
    // Saving shows the new list's sheet. Select the original cells again, so that the person can continue there.
    await workbook.select(of.from).catch(() => undefined);
    saved.again();
    // The person may have taken other cells in the meantime.
    setSelection((now) => (now === of ? null : now));
    const type = itemType === "wm_item_number" ? ' Give "wm_item_number" as item_type with it.' : "";
    return `${name}: ${countedOf(kind, entries.length)}, in column ${columnName(heading.col)} of "${heading.sheet}".${type}`;
  }

  return (
    <Section>
      <p class="hint">
        Stores or items under a name, for templates and formulas:{" "}
        <code>=INV.QTY(Stores_North, TRANSPOSE(Items_Top))</code>. They are stored in the workbook. To save
        names too, select a column headed Name to the right of the stores or items.
      </p>
      {saved.error === null ? null : <Message intent="error">{saved.error.message}</Message>}
      {lists.length === 0 ? null : <Lists services={services} lists={lists} />}
      <WorkButtons actions={{ "Use the selected cells": take }} />
      {selection === null ? null : (
        <NewList
          drafts={selection.drafts}
          names={names}
          isSaving={saving.busyText !== null}
          onSave={(draft, name) => saving.run(() => save(draft, name, selection))}
        />
      )}
      <ActionStatus action={saving} />
    </Section>
  );
}

function Lists({ services, lists }: { services: PaneServices; lists: readonly SavedList[] }) {
  const isExcel = services.host.kind === "excel";
  return (
    <>
      <ul class="rows" aria-label="Lists of this workbook">
        {lists.map(({ name, heading, kind }) => (
          <li key={name}>
            <CellLink
              services={services}
              address={functionAddress(heading.sheet, `${columnName(heading.col)}${heading.row + 1}`)}
              label={name}
            />
            <span>{kind ?? "neither stores nor items"}</span>
          </li>
        ))}
      </ul>
      <p class="hint">
        To add to a list, type below its last row. To rename or delete it, use{" "}
        {isExcel ? "Formulas, Name Manager." : "the arrow of the name box, left of the formula bar."}
      </p>
    </>
  );
}

function NewList(props: {
  readonly drafts: readonly ListDraft[];
  readonly names: readonly string[];
  readonly isSaving: boolean;
  readonly onSave: (draft: ListDraft, name: string) => void;
}) {
  const { drafts, names, isSaving, onSave } = props;
  const [kind, setKind] = useState<ListKind | null>(null);
  const [name, setName] = useState("");
  const [isSubmitted, setSubmitted] = useState(false);
  const draft = drafts.find((each) => each.kind === kind) ?? drafts[0];
  useEffect(() => setSubmitted(false), [drafts, kind]);
  if (draft === undefined) return null;
  const { entries, names: entryNames, bad, doubtful, repeated } = draft;
  const named = entryNames.filter((each) => each !== null).length;
  const refused =
    name === "" && !isSubmitted ? null : checkListName(name, { kind: draft.kind, namesInUse: names });
  const isReady = entries.length > 0;

  function submit(of: ListDraft): void {
    setSubmitted(true);
    if (isReady && checkListName(name, { kind: of.kind, namesInUse: names }) === null) onSave(of, name);
  }

  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        submit(draft);
      }}
    >
      {drafts.length > 1 ? (
        <Choice
          name="inv-list-kind"
          legend="What to save"
          value={draft.kind}
          onChange={setKind}
          options={drafts.map((each) => ({
            value: each.kind,
            label: countedOf(each.kind, each.entries.length),
          }))}
        />
      ) : null}
      <div role="status">
        <p>
          {countedOf(draft.kind, entries.length)}
          {entries.length === 0 ? "" : `: ${sample(entries)}`}.
          {named > 0 ? ` ${counted(named, "name")}.` : ""}
          {repeated > 0 ? ` ${counted(repeated, "repeated one")} left out.` : ""}
        </p>
        {bad.length === 0 ? null : (
          <Message intent="warning">
            {counted(bad.length, "row")} left out:
            <RowReasons rows={bad} />
          </Message>
        )}
        {doubtful.length === 0 ? null : (
          <Message intent="warning">
            {counted(doubtful.length, "row")} to check, saved as they are:
            <RowReasons rows={doubtful} />
          </Message>
        )}
      </div>
      <TextField
        id="inv-list-name"
        label="Name of the list"
        placeholder={draft.kind === "stores" ? "Stores_North" : "Items_Top"}
        aria-describedby="inv-list-refused"
        aria-invalid={refused !== null}
        value={name}
        onText={(text) => setName(text.trim())}
      />
      <div role="status" id="inv-list-refused">
        {refused === null ? null : (
          <Message
            intent="warning"
            actions={{ [`Use ${refused.proposal}`]: () => setName(refused.proposal) }}
          >
            {refused.reason}
          </Message>
        )}
      </div>
      <div class="buttons">
        <Button primary submit disabled={!isReady} isBusy={isSaving}>
          Save the list
        </Button>
      </div>
    </form>
  );
}

const sampleSize = 3;

function sample(entries: ListDraft["entries"]): string {
  const rest = entries.length - sampleSize;
  return entries.slice(0, sampleSize).join(", ") + (rest > 0 ? ` and ${count(rest)} more` : "");
}

function countedOf(kind: ListKind, value: number): string {
  return counted(value, kind === "stores" ? "store" : "item");
}
