/**
 * Rows: what a person gives as stores and items, the column of each kind, and the first rows exactly as INV will read them. Pairs and a
 * single pair come from one list; a grid's stores and items have a list each.
 */
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

type ListKey = "rows" | "stores" | "items";

interface GivenList {
  /** "" for cells of the workbook. */
  readonly text: string;
  readonly part: RowsPart | null;
}

/** What a person has given so far. Selected cells replace what was typed, and the other way round. */
export type Given = Readonly<Record<ListKey, GivenList>>;

const nothing: GivenList = { text: "", part: null };
export const nothingGiven: Given = { rows: nothing, stores: nothing, items: nothing };

const kindsOf: Readonly<Record<ListKey, readonly ColumnKind[]>> = {
  rows: columnKinds,
  stores: ["store", "storeName"],
  items: ["item", "itemName"],
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
};
const buttonLabels: Readonly<Record<ListKey, string>> = {
  rows: "Use the selected cells",
  stores: "Use the selected stores",
  items: "Use the selected GTINs",
};
const mostShown = 3;
const mostReasons = 5;

type Needs = Template["needs"];

function listsOf(needs: Needs): readonly ListKey[] {
  if (needs === "nothing") return [];
  return needs === "grid" ? ["stores", "items"] : ["rows"];
}

/** Returns the rows, or what the person has to do before there are any. */
export function rowsOrWait(needs: Needs, given: Given): { rows: GivenRows; waitsFor: string | null } {
  const keys = listsOf(needs);
  const rows = readRows(keys.flatMap((key) => given[key].part ?? []));
  const isEmpty = keys.some((key) => given[key].part === null);
  const missing = keys.flatMap((key) =>
    kindsOf[key].filter((kind) => isNeeded(kind) && given[key].part?.columns[kind] === null),
  );
  if (missing.length > 0) {
    const columns = missing.map((kind) => labels[kind].toLowerCase()).join(" and of ");
    return { rows, waitsFor: `Choose the column of ${columns}.` };
  }
  return { rows, waitsFor: isEmpty ? "Add rows to see the cost." : null };
}

function isNeeded(kind: ColumnKind): boolean {
  return kind === "store" || kind === "item";
}

export function RowsGiven(
  props: Pick<ViewProps, "services" | "connection"> & {
    readonly workbook: Workbook;
    readonly needs: Needs;
    readonly given: Given;
    readonly rows: GivenRows;
    readonly onGiven: (change: Partial<Given>) => void;
  },
) {
  const { services, connection, workbook, needs, given, rows, onGiven } = props;
  const { environment } = connection;

  async function select(key: ListKey): Promise<null> {
    const part =
      needs === "pair"
        ? await selectedRow(workbook, (await selectedAreas(workbook, services.clock))[0])
        : partOf(await selectedCells(workbook, services.clock), kindsOf[key]);
    onGiven({ [key]: { text: "", part } });
    return null;
  }

  async function sample(path: string): Promise<null> {
    const { pairs, stores, items } = demoRows(readDemoData(await services.readJson(path)));
    const listed = (cells: readonly (readonly CellValue[])[]): GivenList => ({
      ...{ text: "", part: partOf({ firstRow: 1, firstCol: 0, cells }) },
    });
    onGiven({
      rows: listed(pairs.map(({ store, item }) => [store, item])),
      stores: listed(stores.map((store) => [store])),
      items: listed(items.map((item) => [item])),
    });
    return null;
  }

  return (
    <>
      {listsOf(needs).map((key, index) => {
        const { text, part } = given[key];
        return (
          <div key={key}>
            <WorkButtons
              actions={{
                [buttonLabels[key]]: () => select(key),
                "Use sample rows":
                  index === 0 && environment !== null && isEmbedded(environment)
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
                kinds={kindsOf[key]}
                part={part}
                onPart={(changed) => onGiven({ [key]: { text, part: changed } })}
              />
            )}
          </div>
        );
      })}
      <RowsFound needs={needs} rows={rows} />
    </>
  );
}

/** The column of each kind. */
function Pickers(props: {
  readonly kinds: readonly ColumnKind[];
  readonly part: RowsPart;
  readonly onPart: (part: RowsPart) => void;
}) {
  const { kinds, part, onPart } = props;
  const options = part.headings.flatMap((heading, col) => {
    const isEmpty = part.cells.every((row) => (row[col] ?? "") === "");
    const label = [columnName(part.firstCol + col), heading].filter((word) => word !== "").join(", ");
    return isEmpty ? [] : [{ value: String(col), label }];
  });
  return (
    <div class="pickers">
      {kinds.map((kind) => (
        <Select
          key={kind}
          id={`inv-column-${kind}`}
          label={labels[kind]}
          value={String(part.columns[kind] ?? "")}
          options={[{ value: "", label: isNeeded(kind) ? "Choose a column" : "None" }, ...options]}
          onChange={(value) => {
            const columns = { ...part.columns, [kind]: value === "" ? null : Number(value) };
            onPart({ ...part, columns });
          }}
        />
      ))}
    </div>
  );
}

function RowsFound({ needs, rows }: { readonly needs: Needs; readonly rows: GivenRows }) {
  const { pairs, stores, items, names, repeated, bad } = rows;
  const [first] = pairs;
  const named = (...ids: (number | string)[]): string =>
    ids.flatMap((id) => [String(id), names.get(String(id)) ?? []].flat()).join("  ");
  const shown =
    needs === "grid"
      ? [...stores.slice(0, mostShown), ...items.slice(0, mostShown)].map((id) => named(id))
      : pairs.slice(0, needs === "pair" ? 1 : mostShown).map(({ store, item }) => named(store, item));
  if (first === undefined && bad.length === 0) return <div role="status" />;
  const found =
    first === undefined
      ? "No stores and GTINs found."
      : needs === "grid"
        ? `${counted(stores.length, "store")} by ${counted(items.length, "GTIN")}.`
        : needs === "pair"
          ? `Store ${first.store}, GTIN ${first.item}${pairs.length > 1 ? " (the first of several)" : ""}.`
          : `${counted(pairs.length, "row")} of store and GTIN.`;
  return (
    <div role="status">
      <p>
        {found}
        {repeated > 0 ? ` ${counted(repeated, "repeated row")} left out.` : ""}
      </p>
      {first === undefined ? null : (
        <Rows
          label="First rows"
          isText
          all={shown.length}
          rows={shown.map((line) => ({ key: line, line: <span class="as-read">{line}</span> }))}
        />
      )}
      {bad.length === 0 ? null : (
        <>
          <Message intent="warning">{counted(bad.length, "row")} left out:</Message>
          <Rows
            label="Rows left out"
            isText
            all={bad.length}
            rows={bad
              .slice(0, mostReasons)
              .map(({ row, reason }) => ({ key: String(row), line: `Row ${row}: ${reason}` }))}
          />
        </>
      )}
    </div>
  );
}
