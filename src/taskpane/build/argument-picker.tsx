/**
 * The picker of one argument: a list of what it can be, and a field for a cell that is the same for all rows. What
 * is offered comes from the function's own description; columns come from the list on the sheet.
 */
import { columnName } from "../../formula/columns";
import { toInvError } from "../../domain/errors";
import { eventTypes } from "../../domain/event-types";
import type { FunctionArgument } from "../../workbook/insert/functions-list";
import type { InsertList } from "../../workbook/insert/list";
import { leftOutPick, type Pick } from "../../workbook/insert/picks";
import type { SavedList } from "../../workbook/lists/saved-lists";
import { Button, Field, Select } from "../parts/parts";

interface PickerProps {
  readonly argument: FunctionArgument;
  readonly list: InsertList | null;
  readonly savedLists: readonly SavedList[];
  readonly pick: Pick;
  readonly onPick: (pick: Pick) => void;
  /** The address of the cell that is selected now, absolute. */
  readonly takeCell: () => Promise<string>;
  readonly onFailed: (words: string) => void;
}

interface Offer {
  readonly value: string;
  readonly label: string;
  readonly pick: Pick;
}

export function ArgumentPicker(props: PickerProps) {
  const { argument, list, savedLists, pick, onPick, takeCell, onFailed } = props;
  const { name } = argument;
  const id = `inv-insert-${name}`;
  const offers = offersOf(argument, list, savedLists);
  const typed = pick.kind === "typed" ? pick : null;
  return (
    <>
      <Select
        id={id}
        label={labelOf(argument)}
        value={valueOf(pick)}
        options={offers}
        onChange={(value) => onPick(offers.find((offer) => offer.value === value)?.pick ?? leftOutPick)}
      />
      {typed ? (
        <div class="cell-field">
          <Field id={`${id}-typed`} label={`Cell or value for ${name}`}>
            <input
              id={`${id}-typed`}
              class="control"
              spellcheck={false}
              autocomplete="off"
              placeholder="$B$1"
              value={typed.text}
              onInput={(event) => onPick({ kind: "typed", text: event.currentTarget.value })}
            />
          </Field>
          <Button
            quiet
            onClick={() => {
              takeCell().then(
                (text) => onPick({ kind: "typed", text }),
                (error: unknown) => onFailed(toInvError(error).message),
              );
            }}
          >
            Take the selected cell
          </Button>
        </div>
      ) : null}
    </>
  );
}

/** In the words of the formula, which people also see in Excel. */
function labelOf({ name, optional }: FunctionArgument): string {
  return optional ? `${name} (may be left out)` : name;
}

function valueOf(pick: Pick): string {
  if (pick.kind === "column") return `column ${pick.col}`;
  if (pick.kind === "word") return `word ${pick.word}`;
  if (pick.kind === "list") return `list ${pick.name}`;
  if (pick.kind === "days-ago") return `ago ${pick.days}`;
  return pick.kind;
}

function offersOf(
  argument: FunctionArgument,
  list: InsertList | null,
  savedLists: readonly SavedList[],
): readonly Offer[] {
  const { name, choices, usedWhenLeftOut, optional } = argument;
  const nothing = { value: "left-out", label: nothingLabel(argument), pick: leftOutPick };
  const cell = {
    value: "typed",
    label: "One cell or value for all rows",
    pick: { kind: "typed", text: "" },
  } satisfies Offer;
  const word = (text: string, label = text): Offer => ({
    value: `word ${text}`,
    label,
    pick: { kind: "word", word: text },
  });
  if (name === "store" || name === "item" || name === "gtin") {
    return [nothing, ...columnsOf(list), ...listsOf(argument, savedLists), cell];
  }
  if (choices.length > 0) {
    return [
      nothing,
      ...choices.filter((choice) => choice !== usedWhenLeftOut).map((each) => word(each)),
      cell,
    ];
  }
  if (name === "event_type") {
    return [nothing, ...eventTypes.map(({ code, meaning }) => word(code, `${code}: ${meaning}`)), cell];
  }
  if (name === "start_date" || name === "end_date") return [nothing, ...daysAgo, cell];
  if (name === "headers") return [nothing, word("FALSE", "FALSE: without headings")];
  return optional ? [nothing, cell] : [cell];
}

function nothingLabel({ optional, choices, usedWhenLeftOut, name }: FunctionArgument): string {
  if (!optional) return "Choose…";
  if (choices.length > 0 && usedWhenLeftOut !== null) return `${usedWhenLeftOut} (left out)`;
  if (name === "headers") return "With headings (left out)";
  if (name === "event_type") return "All types (left out)";
  return name === "start_date" || name === "end_date" ? "All days (left out)" : "Left out";
}

function columnsOf(list: InsertList | null): readonly Offer[] {
  if (list === null) return [];
  return list.columns.map(({ col, heading }) => ({
    value: `column ${col}`,
    label: heading === "" ? `Column ${columnName(col)}` : `Column ${columnName(col)}: ${heading}`,
    pick: { kind: "column", sheet: list.sheet, col },
  }));
}

/** Where several cells may stand; a list that holds neither is offered for both. */
function listsOf({ name, ranges }: FunctionArgument, lists: readonly SavedList[]): readonly Offer[] {
  const other = name === "store" ? "items" : "stores";
  return lists
    .filter(({ kind }) => ranges && kind !== other)
    .map((list) => ({
      value: `list ${list.name}`,
      label: `List ${list.name}`,
      pick: { kind: "list", name: list.name },
    }));
}

/** The service keeps the current date and the six before it. */
const daysAgo: readonly Offer[] = Array.from({ length: 7 }, (_, days) => ({
  value: `ago ${days}`,
  label: days === 0 ? "Today" : days === 1 ? "Yesterday" : `${days} days ago`,
  pick: { kind: "days-ago", days },
}));
