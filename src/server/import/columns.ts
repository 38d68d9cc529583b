/**
 * The columns of an export, and the heading of a file for each. A heading matches by its name, ignoring
 * letter case, spaces, hyphens and underscores, or because the person mapped it.
 */
import { InvError } from "../../domain/errors";

export interface Column {
  readonly name: string;
  readonly needed: boolean;
  readonly meaning: string;
}

export interface ExportKind {
  readonly name: "inventory" | "events";
  readonly columns: readonly Column[];
}

export const inventoryExport: ExportKind = {
  name: "inventory",
  columns: [
    column("store", "needed", "Store number, 2 to 6 digits."),
    column("gtin", "optional", "8 or 10 to 14 digits; lost leading zeros are restored. This or item_number."),
    column("item_number", "optional", "The retailer's item number, digits only."),
    column("location_area", "optional", "STORE or BACKROOM; STORE if the file has no such column."),
    column("state", "optional", "AVAILABLE or NET_AVAILABLE; AVAILABLE if the file has no such column."),
    column("quantity", "needed", "The count."),
    column("last_updated", "optional", "When the count was true, UTC. Without the column: --as-of."),
    column("cid", "optional", "Consumer item, a whole number; may be blank."),
  ],
};

export const eventsExport: ExportKind = {
  name: "events",
  columns: [
    column("store", "needed", "Store number, 2 to 6 digits."),
    column("gtin", "needed", "8 or 10 to 14 digits; lost leading zeros are restored."),
    column("time", "needed", "When it happened, UTC."),
    column("event_type", "needed", "Event code, such as SALES or LR."),
    column("quantity", "needed", "How many; signed as the export has it."),
    column("quantity_after", "needed", "The count after the event."),
    column("location_area", "optional", "STORE or BACKROOM; STORE if the file has no such column."),
  ],
};

/** The index of each column in a record. It omits columns that the file doesn't have. */
export interface ColumnLayout {
  readonly places: ReadonlyMap<string, number>;
  readonly headings: readonly string[];
  /** Headings that match no column and aren't imported. */
  readonly ignored: readonly string[];
}

/** The person's headings by column name: `gtin`, or `events.gtin` for only one file. */
export type HeadingMap = ReadonlyMap<string, string>;

/** @throws InvError `bad-argument` that names what is missing or repeated, and the file's headings */
export function layOutColumns(headings: readonly string[], kind: ExportKind, map: HeadingMap): ColumnLayout {
  const places = new Map<string, number>();
  for (const { name, needed } of kind.columns) {
    const own = map.get(`${kind.name}.${name}`);
    // A heading that is mapped for both files doesn't apply to a file that has the column's own name.
    const wanted = own !== undefined ? [own] : [map.get(name) ?? name, name];
    const heading = wanted.find((text) => findPlaces(headings, text).length > 0) ?? wanted[0] ?? name;
    const [place, second] = findPlaces(headings, heading);
    if (second !== undefined) throw mappingError(kind, `has the heading ${quoted(heading)} more than once.`);
    if (place !== undefined) places.set(name, place);
    else if (needed || own !== undefined) {
      const advice =
        map.has(name) || own !== undefined ? "" : ` Name its heading with --map ${name}=HEADING.`;
      const found = headings.map(quoted).join(", ");
      throw mappingError(kind, `has no column ${quoted(heading)}; it has ${found}.${advice}`);
    }
  }
  if (kind.name === "inventory" && !places.has("gtin") && !places.has("item_number")) {
    const found = headings.map(quoted).join(", ");
    const advice = "Name the heading of one with --map gtin=HEADING or --map item_number=HEADING.";
    throw mappingError(kind, `has neither a column "gtin" nor "item_number"; it has ${found}. ${advice}`);
  }
  const taken = new Set(places.values());
  const ignored = headings.filter((_heading, place) => !taken.has(place));
  return { places, headings, ignored };
}

/**
 * A mistyped heading would leave out a column, or import the column of the own name instead.
 * @throws InvError `bad-argument` if none of the files that may have a mapped column has its heading
 */
export function requireMappedHeadings(
  map: HeadingMap,
  files: readonly { readonly kind: ExportKind; readonly layout: ColumnLayout }[],
): void {
  for (const [column, heading] of map) {
    const possible = files.filter(({ kind }) => kind.columns.some(({ name }) => name === column));
    const [first] = possible;
    if (first === undefined) continue;
    if (possible.some(({ layout }) => findPlaces(layout.headings, heading).length > 0)) continue;
    const found = first.layout.headings.map(quoted).join(", ");
    throw mappingError(first.kind, `has no column ${quoted(heading)}, which --map names; it has ${found}.`);
  }
}

export function faultOfMap(map: HeadingMap): string | null {
  const known = [inventoryExport, eventsExport].flatMap(({ name, columns }) =>
    columns.flatMap((each) => [each.name, `${name}.${each.name}`]),
  );
  for (const column of map.keys()) {
    if (!known.includes(column)) {
      const names = [...new Set(known.filter((name) => !name.includes(".")))].join(", ");
      return `has no column "${column}"; there are ${names}`;
    }
  }
  return null;
}

function findPlaces(headings: readonly string[], wanted: string): number[] {
  return headings.flatMap((heading, place) => (plain(heading) === plain(wanted) ? [place] : []));
}

function column(name: string, need: "needed" | "optional", meaning: string): Column {
  return { name, needed: need === "needed", meaning };
}

function plain(heading: string): string {
  return heading.replace(/[\s_-]+/gu, "").toLowerCase();
}

function quoted(text: string): string {
  return `"${text.slice(0, 60).replace(/\p{Cc}/gu, " ")}"`;
}

function mappingError(kind: ExportKind, words: string): InvError {
  return new InvError("bad-argument", `The ${kind.name} file ${words}`);
}
