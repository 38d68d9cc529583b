/**
 * Rows: what a person gives as stores and items, the column of each kind, and the first rows exactly as INV will read them. Pairs, a
 * single pair and a list to check come from one list; a grid's stores and items have a list each.
 */
import { useRef } from "preact/hooks";
import { demoDataPath, isEmbedded } from "../../domain/environment";
import { counted } from "../../domain/number-words";
import type { Template } from "../../domain/templates/template";
import { type ColumnKind, columnKinds } from "../../domain/validator/find-columns";
import { columnName } from "../../formula/columns";
import type { CellValue, Workbook } from "../../workbook/port";
import { selectedAreas } from "../../workbook/selected-areas";
import { demoRows, readDemoData } from "../../workbook/templates/demo-data";
import {
  cellsOfText,
  type GivenRows,
  partOf,
  readRows,
  type RowsPart,
  selectedCells,
  selectedRow,
} from "../../workbook/templates/rows";
import { WorkButtons } from "../parts/action";
import { Field, Select } from "../parts/fields";
import { Message, Rows } from "../parts/parts";
import type { ViewProps } from "../parts/tab";

/** What the rows are for: a template that needs them, or the check of a list. */
type RowsUse = Template["needs"] | "check";

type ListKey = "rows" | "stores" | "items" | "checked";

interface GivenList {
  /** "" for cells of the workbook. */
  readonly text: string;
  readonly part: RowsPart | null;
}

/** What a person has given so far. Selected cells replace what was typed, and the other way round. */
export type Given = Readonly<Record<ListKey, GivenList>>;

const nothing: GivenList = { text: "", part: null };
export const nothingGiven: Given = { rows: nothing, stores: nothing, items: nothing, checked: nothing };

const listsOf: Readonly<Record<RowsUse, readonly ListKey[]>> = {
  pairs: ["rows"],
  pair: ["rows"],
  grid: ["stores", "items"],
  nothing: [],
  check: ["checked"],
};
const kindsOf: Readonly<Record<ListKey, readonly ColumnKind[]>> = {
  rows: columnKinds,
  stores: ["store", "storeName"],
  items: ["item", "itemName"],
  checked: ["store", "item"],
};
const labels: Readonly<Record<ColumnKind, string>> = {
  store: "Stores",
  item: "Items",
  storeName: "Store names",
  itemName: "Item names",
};
const boxLabels: Readonly<Record<ListKey, string>> = {
  rows: "Or type or paste them: store and GTIN, one pair in a line",
  stores: "Or type or paste the stores, one in a line",
  items: "And the GTINs, one in a line: every store is crossed with every GTIN",
  checked: "Or type or paste the list: stores, GTINs or both",
};
const buttonLabels: Readonly<Record<ListKey, string>> = {
  rows: "Use the selected cells",
  stores: "Use the selected stores",
  items: "Use the selected GTINs",
  checked: "Use the selected cells",
};
const mostShown = 3;
const mostReasons = 5;

/** Returns the rows, or what the person has to do before there are any. */
export function rowsOrWait(use: RowsUse, given: Given): { rows: GivenRows; waitsFor: string | null } {
  const keys = listsOf[use];
  const rows = readRows(keys.flatMap((key) => given[key].part ?? []));
  const isEmpty = keys.some((key) => given[key].part === null);
  const missing = keys.flatMap((key) =>
    kindsOf[key].filter((kind) => isMainKind(kind) && given[key].part?.columns[kind] === null),
  );
  // A list to check may contain one kind alone.
  if (missing.length > (use === "check" ? 1 : 0)) {
    const columns = missing.map((kind) => labels[kind].toLowerCase());
    return {
      rows,
      waitsFor: `Choose the column of ${columns.join(use === "check" ? " or of " : " and of ")}.`,
    };
  }
  const isWaiting = isEmpty && use !== "check";
  return { rows, waitsFor: isWaiting ? "Add rows to see the cost." : null };
}

function isMainKind(kind: ColumnKind): boolean {
  return kind === "store" || kind === "item";
}

export function RowsGiven(
  props: Pick<ViewProps, "services" | "connection"> & {
    readonly workbook: Workbook;
    readonly use: RowsUse;
    readonly given: Given;
    readonly rows: GivenRows;
    readonly onGiven: (change: Partial<Given>) => void;
  },
) {
  const { services, connection, workbook, use, given, rows, onGiven } = props;
  const { environment } = connection;
  const latest = useRef(given);
  latest.current = given;

  /** Doesn't replace what the person has typed while the cells were read. */
  function give(change: Partial<Given>, before: Given): void {
    const isSame = Object.keys(change).every(
      (key) => latest.current[key as ListKey] === before[key as ListKey],
    );
    if (isSame) onGiven(change);
  }

  async function select(key: ListKey): Promise<null> {
    const before = latest.current;
    const part =
      use === "pair"
        ? await selectedRow(workbook, (await selectedAreas(workbook, services.clock))[0])
        : partOf(await selectedCells(workbook, services.clock), kindsOf[key]);
    give({ [key]: { text: "", part } }, before);
    return null;
  }

  async function sample(path: string): Promise<null> {
    const before = latest.current;
    const { pairs, stores, items } = demoRows(readDemoData(await services.readJson(path)));
    const listed = (cells: readonly (readonly CellValue[])[]): GivenList => ({
      text: "",
      part: partOf({ area: null, cells }),
    });
    const sampleLists = {
      rows: listed(pairs.map(({ store, item }) => [store, item])),
      stores: listed(stores.map((store) => [store])),
      items: listed(items.map((item) => [item])),
    };
    give(sampleLists, before);
    return null;
  }

  return (
    <>
      {listsOf[use].map((key, index) => {
        const { text, part } = given[key];
        return (
          <div key={key} class="form">
            <WorkButtons
              actions={{
                [buttonLabels[key]]: () => select(key),
                "Use sample rows":
                  index === 0 && use !== "check" && environment !== null && isEmbedded(environment)
                    ? () => sample(demoDataPath(environment))
                    : null,
              }}
            />
            <Field id={`inv-template-${key}`} label={boxLabels[key]}>
              <textarea
                id={`inv-template-${key}`}
                class="control"
                rows={4}
                spellcheck={false}
                value={text}
                onInput={({ currentTarget: { value } }) => {
                  const typed = value.trim() === "" ? null : partOf(cellsOfText(value), kindsOf[key]);
                  onGiven({ [key]: { text: value, part: typed } });
                }}
              />
            </Field>
            {part === null ? null : (
              <Pickers
                use={use}
                kinds={kindsOf[key]}
                part={part}
                onPart={(changed) => onGiven({ [key]: { text, part: changed } })}
              />
            )}
          </div>
        );
      })}
      <RowsFound use={use} rows={rows} />
    </>
  );
}

/** The column of each kind. */
function Pickers(props: {
  readonly use: RowsUse;
  readonly kinds: readonly ColumnKind[];
  readonly part: RowsPart;
  readonly onPart: (part: RowsPart) => void;
}) {
  const { use, kinds, part, onPart } = props;
  const options = part.headings.flatMap((heading, col) => {
    const label = [columnName((part.area?.col ?? 0) + col), heading].filter((word) => word !== "").join(", ");
    return part.isFilled[col] === true ? [{ value: String(col), label }] : [];
  });
  return (
    <div class="pickers">
      {kinds.map((kind) => (
        <Select
          key={kind}
          id={`inv-column-${kind}`}
          label={labels[kind]}
          value={String(part.columns[kind] ?? "")}
          options={[
            { value: "", label: isMainKind(kind) && use !== "check" ? "Choose a column" : "None" },
            ...options,
          ]}
          onChange={(value) => {
            const columns = { ...part.columns, [kind]: value === "" ? null : Number(value) };
            onPart({ ...part, columns });
          }}
        />
      ))}
    </div>
  );
}

function RowsFound({ use, rows }: { readonly use: RowsUse; readonly rows: GivenRows }) {
  const { pairs, stores, items, names, severalNames } = rows;
  // The check reports refused values itself.
  const bad = use === "check" ? [] : rows.bad;
  const named = (...ids: (number | string)[]): readonly string[] => [
    ...ids.map(String),
    ...ids.flatMap((id) => names.get(String(id)) ?? []),
  ];
  const shown =
    use === "grid" || (use === "check" && pairs.length === 0)
      ? [...stores.slice(0, mostShown), ...items.slice(0, mostShown)].map((id) => named(id))
      : pairs.slice(0, use === "pair" ? 1 : mostShown).map(({ store, item }) => named(store, item));
  if (shown.length === 0 && bad.length === 0) return <div role="status" />;
  return (
    <div role="status">
      <p>{foundWords(use, rows)}</p>
      {shown.length === 0 ? null : (
        <Rows
          label="First rows"
          isText
          all={shown.length}
          rows={shown.map((words) => ({ key: words.join(" "), line: words.map(asRead) }))}
        />
      )}
      <Doubtful
        title={`${counted(bad.length, "row")} left out:`}
        label="Rows left out"
        lines={bad.map(({ row, reason }) => `Row ${row}: ${reason}`)}
      />
      <Doubtful
        title="Several names in the list. The last is used:"
        label="Several names"
        lines={[...severalNames].map((id) => `${id} ${names.get(id)}`)}
      />
    </div>
  );
}

/** The first of these lines below a warning; nothing without lines. */
function Doubtful(props: {
  readonly title: string;
  readonly label: string;
  readonly lines: readonly string[];
}) {
  const { title, label, lines } = props;
  if (lines.length === 0) return null;
  return (
    <>
      <Message intent="warning">{title}</Message>
      <Rows
        label={label}
        isText
        all={lines.length}
        rows={lines.slice(0, mostReasons).map((line) => ({ key: line, line }))}
      />
    </>
  );
}

function foundWords(use: RowsUse, { pairs, stores, items, repeated }: GivenRows): string {
  if (use === "check") return "The first rows that INV can read:";
  if (use === "grid") return `${counted(stores.length, "store")} by ${counted(items.length, "GTIN")}.`;
  const [first] = pairs;
  if (first === undefined) return "No stores and GTINs found.";
  const found =
    use === "pair"
      ? `Store ${first.store}, GTIN ${first.item}${pairs.length > 1 ? " (the first of several)" : ""}.`
      : `${counted(pairs.length, "row")} of store and GTIN.`;
  return repeated > 0 ? `${found} ${counted(repeated, "repeated row")} left out.` : found;
}

/** The space separates the words for screen readers. */
function asRead(word: string) {
  return (
    <>
      <span class="as-read">{word}</span>{" "}
    </>
  );
}
