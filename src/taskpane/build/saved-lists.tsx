/**
 * Saved lists: those of the workbook, and the selected stores or items as a new one. What is wrong with the selection
 * or the name is told before anything is written.
 */
import { useEffect, useState } from "preact/hooks";
import { columnName } from "../../formula/columns";
import { InvError } from "../../domain/errors";
import { functionAddress } from "../../workbook/addresses";
import { draftsOf, type ListDraft } from "../../workbook/lists/draft";
import { type ListKind, refusedName } from "../../workbook/lists/list-name";
import { readLists, type SavedList, saveList, takenNames } from "../../workbook/lists/saved-lists";
import type { Area } from "../../workbook/port";
import { selectedAreas } from "../../workbook/selected-areas";
import { filledCells } from "../../workbook/templates/selected-rows";
import { Told, useAction } from "../parts/action";
import { CellLink } from "../parts/cell-link";
import { Button, Choice, Field, Message, Section } from "../parts/parts";
import type { ViewProps } from "../parts/tab";
import { useAlive } from "../parts/use-source";
import { counted } from "../parts/words";
import type { PaneServices } from "../services";
import { ToldRows } from "./told-rows";

interface Known {
  readonly lists: readonly SavedList[];
  readonly taken: readonly string[];
}

/** What was selected, and where. */
interface Taken {
  readonly drafts: readonly ListDraft[];
  readonly from: Area;
}

export function SavedLists({ services, workbook }: ViewProps) {
  const [known, setKnown] = useState<Known>({ lists: [], taken: [] });
  const [taken, setTaken] = useState<Taken | null>(null);
  const listing = useAction();
  const reading = useAction();
  const saving = useAction();
  const alive = useAlive();

  async function readKnown(): Promise<void> {
    const now = { lists: await readLists(workbook), taken: await takenNames(workbook) };
    if (alive.current) setKnown(now);
  }

  useEffect(() => {
    listing.run(async () => {
      await readKnown();
      return "";
    });
  }, [workbook]);

  async function take(): Promise<string> {
    const areas = await selectedAreas(workbook, services.clock);
    const drafts = draftsOf(await filledCells(workbook, areas));
    if (drafts.length === 0) {
      throw new InvError(
        "bad-argument",
        "Neither stores nor items are selected: select the cells that hold them.",
      );
    }
    if (alive.current) setTaken({ drafts, from: areas[0] });
    return "";
  }

  async function save({ kind, entries, itemType }: ListDraft, name: string, of: Taken): Promise<string> {
    const { heading } = await saveList(workbook, { name, kind, entries });
    // The new list's sheet came into view; the person goes on where the selection was.
    await workbook.select(of.from).catch(() => undefined);
    await readKnown();
    // Others may have been taken meanwhile.
    if (alive.current) setTaken((now) => (now === of ? null : now));
    const type = itemType === "wm_item_number" ? ' Give "wm_item_number" as item_type with it.' : "";
    return `${name}: ${countedOf(kind, entries.length)}, in column ${columnName(heading.col)} of "${heading.sheet}".${type}`;
  }

  return (
    <Section title="Saved lists">
      <p class="hint">
        Stores or items under a name, for templates and formulas:{" "}
        <code>=INV.QTY(Stores_North, TRANSPOSE(Items_Top))</code>. They are stored in the workbook.
      </p>
      {listing.told?.intent === "error" ? <Told action={listing} /> : null}
      {known.lists.length === 0 ? null : <Lists services={services} lists={known.lists} />}
      <div class="buttons">
        <Button onClick={() => reading.run(take)}>Take the selected cells</Button>
      </div>
      {reading.told?.intent === "error" ? <Told action={reading} /> : null}
      {taken === null ? null : (
        <NewList
          drafts={taken.drafts}
          names={known.taken}
          onSave={(draft, name) => saving.run(() => save(draft, name, taken))}
        />
      )}
      <Told action={saving} />
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
        Type below the last row of a list to add to it. A list is renamed and deleted as any name is:{" "}
        {isExcel ? "Formulas, Name Manager." : "the arrow of the name box, left of the formula."}
      </p>
    </>
  );
}

interface NewListProps {
  readonly drafts: readonly ListDraft[];
  /** Names that are used for something. */
  readonly names: readonly string[];
  readonly onSave: (draft: ListDraft, name: string) => void;
}

function NewList({ drafts, names, onSave }: NewListProps) {
  const [kind, setKind] = useState<ListKind | null>(null);
  const [name, setName] = useState("");
  const [isLeftOut, setLeftOut] = useState(false);
  const [asked, setAsked] = useState(false);
  const draft = drafts.find((each) => each.kind === kind) ?? drafts[0];
  useEffect(() => {
    setLeftOut(false);
    setAsked(false);
  }, [drafts, kind]);
  if (draft === undefined) return null;
  const { entries, bad, doubtful, repeated } = draft;
  const refused = name === "" && !asked ? null : refusedName(name, { kind: draft.kind, taken: names });
  const isReady = entries.length > 0 && (bad.length === 0 || isLeftOut);

  function submit(of: ListDraft): void {
    setAsked(true);
    if (isReady && refusedName(name, { kind: of.kind, taken: names }) === null) onSave(of, name);
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
          {repeated > 0 ? ` ${counted(repeated, "repeated one")} left out.` : ""}
        </p>
        {bad.length === 0 ? null : (
          <Message
            intent={isLeftOut ? "info" : "warning"}
            actions={
              isLeftOut ? undefined : (
                <Button quiet onClick={() => setLeftOut(true)}>
                  Leave them out
                </Button>
              )
            }
          >
            {isLeftOut
              ? `${counted(bad.length, "row")} left out:`
              : `${counted(bad.length, "row")} that INV refuses: correct them and take the cells again, or leave them out.`}
            <ToldRows rows={bad} />
          </Message>
        )}
        {doubtful.length === 0 ? null : (
          <Message intent="warning">
            {counted(doubtful.length, "row")} to look at, saved as they are:
            <ToldRows rows={doubtful} />
          </Message>
        )}
      </div>
      <Field id="inv-list-name" label="Name of the list">
        <input
          id="inv-list-name"
          class="control"
          spellcheck={false}
          autocomplete="off"
          placeholder={draft.kind === "stores" ? "Stores_North" : "Items_Top"}
          aria-describedby="inv-list-refused"
          aria-invalid={refused !== null}
          value={name}
          onInput={(event) => setName(event.currentTarget.value.trim())}
        />
      </Field>
      <div role="status" id="inv-list-refused">
        {refused === null ? null : (
          <Message
            intent="warning"
            actions={
              <Button quiet onClick={() => setName(refused.proposal)}>
                Take {refused.proposal}
              </Button>
            }
          >
            {refused.reason}
          </Message>
        )}
      </div>
      <div class="buttons">
        <Button primary submit disabled={!isReady}>
          Save the list
        </Button>
      </div>
    </form>
  );
}

const sampleSize = 3;

function sample(entries: ListDraft["entries"]): string {
  const rest = entries.length - sampleSize;
  return entries.slice(0, sampleSize).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

function countedOf(kind: ListKind, value: number): string {
  return counted(value, kind === "stores" ? "store" : "item");
}
