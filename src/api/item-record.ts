/**
 * Converts an item on the wire to INV's item record. zod reads each item separately, so that an invalid one doesn't affect the others.
 * Besides the documented shapes, INV accepts unknown fields, quantities and identifiers as number or text, and absent or null
 * lists.
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
import * as z from "../domain/zod";
import {
  gtinText,
  identifierSchema,
  identifierText,
  plainJson,
  plainText,
  quantitySchema,
  readUtcMs,
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

const cidLevelSchema = z.object({
  cid: z.union([z.int(), z.string().check(z.regex(/^\d{1,15}$/))]),
  cross_references: z.nullish(z.array(z.unknown())),
});

const cidLevelsSchema = z.array(cidLevelSchema);

const successItemSchema = z.object({
  gtin: z.nullish(identifierSchema),
  wm_item_number: z.nullish(identifierSchema),
  data_retrieval_status: z.literal("SUCCESS"),
  inventory_locations: z.nullish(z.array(locationSchema)),
  cid_level_inventories: z.nullish(cidLevelsSchema),
  /** A time that can't be read counts as absent, so the quantities stay. */
  last_updated_time: z.optional(z.unknown()),
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
  /** The path from the item to the first fault. */
  | { readonly kind: "unreadable"; readonly path: readonly PropertyKey[] };

/** Reads an item. Never throws. `asked` is the requested identifier, whose string the record shares. */
export function readWireItem(item: unknown, asked: string): WireItem {
  const parsed = itemSchema.safeParse(item);
  if (!parsed.success) return { kind: "unreadable", path: parsed.error.issues[0]?.path ?? [] };
  if (parsed.data.data_retrieval_status === "ERROR") return { kind: "negative", reason: parsed.data.reason };
  return { kind: "record", record: new WireRecord(parsed.data, asked) };
}

/** A record that reads its consumer items when somebody needs them. Few cells do, and as JSON they take less memory. */
class WireRecord implements ItemRecord {
  readonly gtin: string | null;
  readonly itemNumber: string | null;
  readonly locations: readonly LocationRecord[];
  readonly lastUpdatedMs: number | null;
  readonly #cidsJson: string;

  constructor(item: z.infer<typeof successItemSchema>, asked: string) {
    const { gtin, wm_item_number: itemNumber } = item;
    this.gtin = gtin === asked ? asked : plainText(gtinText(gtin)) || null;
    this.itemNumber = itemNumber === asked ? asked : plainText(identifierText(itemNumber)) || null;
    this.locations = locationsOf(item.inventory_locations ?? []);
    this.lastUpdatedMs = readUtcMs(item.last_updated_time);
    this.#cidsJson = jsonOf(item.cid_level_inventories ?? []);
  }

  get cids(): readonly CidRecord[] {
    return cidLevelsSchema.parse(JSON.parse(this.#cidsJson)).map(cidOf);
  }
}

function jsonOf(cids: z.infer<typeof cidLevelsSchema>): string {
  if (cids.length === 0) return "[]";
  try {
    return JSON.stringify(cids);
  } catch {
    // JSON.stringify fails at nesting that JSON.parse can read.
    return JSON.stringify(cids.map(({ cid }) => ({ cid, cross_references: ["…"] })));
  }
}

function locationsOf(sent: readonly z.infer<typeof locationSchema>[]): readonly LocationRecord[] {
  const locations: LocationRecord[] = [];
  for (const { location_area, state: sentState, quantity } of sent) {
    const locationArea = placeText(location_area);
    const state = placeText(sentState);
    const at = locations.findIndex((each) => each.locationArea === locationArea && each.state === state);
    if (at < 0) locations.push({ locationArea, state, quantity });
    else if (locations[at]?.quantity !== quantity) locations[at] = { locationArea, state, quantity: null };
  }
  // A list that has grown reserves room for 17 entries. A copy has only the room that it needs.
  return locations.slice();
}

function placeText(text: string): string {
  return documentedTexts.get(text) ?? plainText(text);
}

function cidOf({ cid, cross_references: references }: z.infer<typeof cidLevelSchema>): CidRecord {
  return { cid: Number(cid), crossReferences: references?.map(readReference) ?? [] };
}

/** Reads a cross reference. Its shape isn't documented: numbers stay numbers, everything else becomes text. */
function readReference(value: unknown): string | number {
  return typeof value === "number" && Number.isFinite(value) ? value : plainJson(value);
}
