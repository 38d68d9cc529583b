/**
 * The picker of one argument: a list of its choices, and a field for a cell that all rows share. The choices come from the
 * function's description and from the columns of the list on the sheet.
 */
import { columnName } from "../../formula/columns";
import { eventTypes } from "../../domain/event-types";
import type { FunctionArgument } from "../../workbook/insert/functions-list";
import type { InsertList } from "../../workbook/insert/list";
import { leftOutPick, type Pick } from "../../workbook/insert/picks";
import type { CellList } from "../../workbook/lists/lists";
import { WorkButtons } from "../parts/action";
import { Select, TextField } from "../parts/fields";

interface Offer {
  readonly value: string;
  readonly label: string;
  readonly pick: Pick;
}

export function ArgumentPicker({
  argument,
  list,
  cellLists,
  pick,
  onPick,
  takeCell,
}: {
  readonly argument: FunctionArgument;
  readonly list: InsertList | null;
  readonly cellLists: readonly CellList[];
  readonly pick: Pick;
  readonly onPick: (pick: Pick) => void;
  readonly takeCell: () => Promise<string>;
}) {
  const { name } = argument;
  const id = `inv-insert-${name}`;
  const offers = offersOf(argument, list, cellLists);
  const typed = pick.kind === "typed" ? pick : null;

  async function pickSelectedCell(signal: AbortSignal): Promise<null> {
    const text = await takeCell();
    // The person may have picked something else meanwhile.
    if (!signal.aborted) onPick({ kind: "typed", text });
    return null;
  }

  return (
    <>
      <Select
        id={id}
        label={labels[name] ?? name}
        value={valueOf(pick)}
        options={offers}
        onChange={(value) => onPick(offers.find((offer) => offer.value === value)?.pick ?? leftOutPick)}
      />
      {typed ? (
        <div class="cell-field">
          <TextField
            id={`${id}-typed`}
            label={`Cell or value for ${(labels[name] ?? name).toLowerCase()}`}
            placeholder="$B$1"
            value={typed.text}
            onText={(text) => onPick({ kind: "typed", text })}
          />
          <WorkButtons quiet actions={{ "Use the selected cell": pickSelectedCell }} />
        </div>
      ) : null}
    </>
  );
}

const labels: Readonly<Record<string, string>> = {
  store: "Store",
  item: "Item",
  gtin: "GTIN",
  location_area: "Stock: shelf, backroom or both",
  state: "State: available or net available",
  item_type: "Items are",
  event_type: "Event",
  start_date: "From",
  end_date: "To",
  headers: "Headings",
};

const choiceWords: Readonly<Record<string, string>> = {
  STORE: "Shelf",
  BACKROOM: "Backroom",
  ALL: "Both, added up",
  AVAILABLE: "Available",
  NET_AVAILABLE: "Net available",
  gtin: "GTINs",
  wm_item_number: "Item numbers",
};

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
  cellLists: readonly CellList[],
): readonly Offer[] {
  const { name, choices, usedWhenLeftOut, optional } = argument;
  const omitted = { value: "left-out", label: omittedLabel(argument), pick: leftOutPick };
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
    return [omitted, ...columnsOf(list), ...listsOf(argument, cellLists), cell];
  }
  if (choices.length > 0) {
    return [
      omitted,
      ...choices
        .filter((choice) => choice !== usedWhenLeftOut)
        .map((each) => word(each, choiceWords[each] ?? each)),
      cell,
    ];
  }
  if (name === "event_type") {
    return [omitted, ...eventTypes.map(({ code, meaning }) => word(code, `${code}: ${meaning}`)), cell];
  }
  if (name === "start_date" || name === "end_date") return [omitted, ...daysAgo, cell];
  if (name === "headers") return [omitted, word("FALSE", "Without headings")];
  return optional ? [omitted, cell] : [cell];
}

/** The label of the choice that omits the argument: it says what applies then. */
function omittedLabel({ optional, choices, usedWhenLeftOut, name }: FunctionArgument): string {
  if (!optional) return "Choose…";
  if (choices.length > 0 && usedWhenLeftOut !== null) return choiceWords[usedWhenLeftOut] ?? usedWhenLeftOut;
  if (name === "headers") return "With headings";
  if (name === "event_type") return "All events";
  return name === "start_date" || name === "end_date" ? "All days" : "Any";
}

function columnsOf(list: InsertList | null): readonly Offer[] {
  if (list === null) return [];
  return list.columns.map(({ col, heading }) => ({
    value: `column ${col}`,
    label: heading === "" ? `Column ${columnName(col)}` : `Column ${columnName(col)}: ${heading}`,
    pick: { kind: "column", sheet: list.sheet, col },
  }));
}

/**
 * The lists that an argument accepts: only arguments that accept a range have any. A list that contains neither stores
 * nor items is offered for both.
 */
function listsOf({ name, ranges }: FunctionArgument, lists: readonly CellList[]): readonly Offer[] {
  const other = name === "store" ? "items" : "stores";
  return lists
    .filter(({ kind }) => ranges && kind !== other)
    .map((list) => ({
      value: `list ${list.text}`,
      label: `List ${list.text}`,
      pick: { kind: "list", name: list.text },
    }));
}

/** The service keeps the current date and the six before it. */
const daysAgo: readonly Offer[] = Array.from({ length: 7 }, (_, days) => ({
  value: `ago ${days}`,
  label: days === 0 ? "Today" : days === 1 ? "Yesterday" : `${days} days ago`,
  pick: { kind: "days-ago", days },
}));
