/**
 * Converts an item on the wire to INV's item record. zod reads each item separately, so that an invalid one doesn't affect the others.
 * If an item isn't as documented, each of its locations, consumer items and times is read separately, so that an odd one affects only
 * itself. Besides the documented shapes, INV accepts unknown fields, quantities and identifiers as number or text, and absent or
 * null lists.
 * Invariant: a record contains only correct numbers. Two different quantities for one area and state become null. The same quantity
 * given twice counts once, so that a sum over areas doesn't double.
 */
import {
  type CidRecord,
  type ItemRecord,
  locationAreas,
  type LocationRecord,
  states,
} from "../domain/records";
import { isFields, isTooDeep, maxDepth } from "../domain/json";
import * as z from "../domain/zod";
import {
  gtinText,
  identifierSchema,
  identifierText,
  plainJson,
  plainText,
  quantitySchema,
  readUtcMs,
  receivedText,
} from "./values";

/** One shared string for all records, because the JSON parser shares only short ones. */
const documentedTexts: ReadonlyMap<string, string> = new Map(
  [...locationAreas, ...states].map((text) => [text, text]),
);

const locationSchema = z.object({
  location_area: z.string(),
  state: z.string(),
  quantity: quantitySchema,
});

const longestCid = 999_999_999_999_999;

const cidLevelSchema = z.object({
  cid: z.union([
    z.int().check(z.minimum(-longestCid), z.maximum(longestCid)),
    z.string().check(z.regex(/^\d{1,15}$/)),
  ]),
  cross_references: z.optional(z.unknown()),
});

const successItemSchema = z.object({
  gtin: z.nullish(identifierSchema),
  wm_item_number: z.nullish(identifierSchema),
  data_retrieval_status: z.literal("SUCCESS"),
  inventory_locations: z.nullish(z.array(locationSchema)),
  /** Read when somebody needs them. */
  cid_level_inventories: z.optional(z.unknown()),
  last_updated_time: z.optional(z.unknown()),
});

/** A successful item with something odd: its locations are read one by one. */
const oddItemSchema = z.extend(successItemSchema, {
  gtin: z.catch(z.nullish(identifierSchema), null),
  wm_item_number: z.catch(z.nullish(identifierSchema), null),
  inventory_locations: z.optional(z.unknown()),
});

const errorItemSchema = z.object({
  gtin: z.nullish(identifierSchema),
  wm_item_number: z.nullish(identifierSchema),
  data_retrieval_status: z.literal("ERROR"),
  reason: z.optional(z.unknown()),
});

const itemSchema = z.discriminatedUnion("data_retrieval_status", [successItemSchema, errorItemSchema]);

export type WireItem =
  | { readonly kind: "record"; readonly record: ItemRecord }
  | { readonly kind: "negative"; readonly reason: unknown }
  /** `fault` is a part of a sentence, such as "gtin is true". */
  | { readonly kind: "unreadable"; readonly fault: string };

/** Reads an item. Never throws. `requestedValue` is the requested identifier, whose string the record shares. */
export function readWireItem(item: unknown, requestedValue: string): WireItem {
  if (isTooDeep(item)) return { kind: "unreadable", fault: `it has more than ${String(maxDepth)} levels` };
  const parsed = itemSchema.safeParse(item);
  if (!parsed.success) {
    const odd = oddItemSchema.safeParse(item);
    if (!odd.success) return { kind: "unreadable", fault: faultAt(parsed.error.issues[0]?.path ?? [], item) };
    const locations = listOf(odd.data.inventory_locations).map(oddLocationOf);
    return { kind: "record", record: new WireRecord(odd.data, locations, requestedValue) };
  }
  const { data } = parsed;
  if (data.data_retrieval_status === "ERROR") return { kind: "negative", reason: data.reason };
  const locations = (data.inventory_locations ?? []).map(locationOf);
  return { kind: "record", record: new WireRecord(data, locations, requestedValue) };
}

function faultAt(path: readonly PropertyKey[], item: unknown): string {
  let received = item;
  for (const key of path) received = Reflect.get(Object(received) as object, key);
  return `${path.map(String).join(".")} is ${receivedText(received)}`;
}

/** A record that reads its consumer items when somebody needs them. Few cells do, and as JSON they take less memory. */
class WireRecord implements ItemRecord {
  readonly gtin: string | null;
  readonly itemNumber: string | null;
  readonly locations: readonly LocationRecord[];
  readonly lastUpdatedMs: number | null;
  // `declare` avoids a field in each record, because few have one.
  declare readonly lastUpdatedFault?: string;
  readonly #cidsJson: string;

  constructor(
    item: Omit<z.infer<typeof successItemSchema>, "inventory_locations">,
    locations: readonly LocationRecord[],
    requestedValue: string,
  ) {
    const { gtin, wm_item_number: itemNumber, last_updated_time: updated } = item;
    this.gtin = gtin === requestedValue ? requestedValue : plainText(gtinText(gtin)) || null;
    this.itemNumber =
      itemNumber === requestedValue ? requestedValue : plainText(identifierText(itemNumber)) || null;
    this.locations = oneForEachAreaAndState(locations);
    this.lastUpdatedMs = readUtcMs(updated);
    if (this.lastUpdatedMs === null && (updated ?? null) !== null) {
      this.lastUpdatedFault = unreadableText("a time", updated);
    }
    const cids = listOf(item.cid_level_inventories);
    this.#cidsJson = cids.length === 0 ? "[]" : JSON.stringify(cids);
  }

  get cids(): readonly CidRecord[] {
    return listOf(JSON.parse(this.#cidsJson)).map(cidOf);
  }
}

/** Returns the elements of a list. Anything else counts as a list with one odd element. */
function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function locationOf({ location_area, state, quantity }: z.infer<typeof locationSchema>): LocationRecord {
  return { locationArea: areaOrStateText(location_area), state: areaOrStateText(state), quantity };
}

/** A quantity counts only if INV can read it with its area and state. */
function oddLocationOf(sent: unknown): LocationRecord {
  const location = locationSchema.safeParse(sent);
  if (location.success) return locationOf(location.data);
  const { location_area, state, quantity } = isFields(sent) ? sent : { quantity: sent };
  const areaAndState = { locationArea: areaOrStateText(location_area), state: areaOrStateText(state) };
  const isKnown = areaAndState.locationArea !== "" && areaAndState.state !== "";
  const fault = isKnown ? unreadableText("a quantity", quantity) : unreadableText("a location", sent);
  return { ...areaAndState, quantity: null, fault };
}

function unreadableText(what: string, received: unknown): string {
  return `${what} that INV can't read (${receivedText(received)})`;
}

function oneForEachAreaAndState(sent: readonly LocationRecord[]): readonly LocationRecord[] {
  const locations: LocationRecord[] = [];
  for (const location of sent) {
    const { locationArea, state, quantity } = location;
    const at = locations.findIndex((each) => each.locationArea === locationArea && each.state === state);
    if (at < 0) locations.push(location);
    else if (locations[at]?.quantity !== quantity) locations[at] = { locationArea, state, quantity: null };
  }
  // A list that has grown reserves room for 17 entries. A copy has only the room that it needs.
  return locations.slice();
}

function areaOrStateText(text: unknown): string {
  return documentedTexts.get(text as string) ?? plainText(text);
}

function cidOf(sent: unknown): CidRecord {
  const level = cidLevelSchema.safeParse(sent);
  if (!level.success) return { cid: null, crossReferences: [] };
  const { cid, cross_references: references } = level.data;
  return { cid: Number(cid), crossReferences: listOf(references).map(readReference) };
}

/** Reads a cross reference. Its shape isn't documented: numbers stay numbers, everything else becomes text. */
function readReference(value: unknown): string | number {
  return typeof value === "number" && Number.isFinite(value) ? value : plainJson(value);
}
