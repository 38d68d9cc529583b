/**
 * What a call of the inventory lookup asks for, where it can be shared: a store, an item type, and values that
 * are each there once. Anything else (a field too many, a value twice, a number as text) is not ours to
 * understand: it goes to the service as it came.
 */
export interface SearchQuery extends SearchPlace {
  /** 1 to 100, each once, in the order of the call. */
  readonly values: readonly string[];
}

export interface SearchPlace {
  readonly itemType: "gtin" | "wm_item_number";
  readonly storeNumber: number;
}

/** A call of which only the place is read so far: of most, nobody wants to know the items before they are answered. */
export interface SearchStart extends SearchPlace {
  /** As it came, or is to be sent. */
  readonly body: Buffer;
  /** All of it; null where the call cannot be shared. Read once. */
  query(): SearchQuery | null;
}

/**
 * A body as INV's own pages write it, to the character: so there is no name given twice, no number in another
 * spelling and no second way to read it.
 */
const startPattern = /^\{"item_type":"(gtin|wm_item_number)","store_nbr":([1-9]\d{1,5}),"item_type_values":/;
const listPattern = /^\["\d{1,14}"(?:,"\d{1,14}"){0,99}\]$/;
/** No start is longer. */
const longestStart = 80;

/** Null where the call cannot be shared, as far as its start tells. */
export function readSearchStart(body: Buffer): SearchStart | null {
  const [start, itemType, storeNumber] = startPattern.exec(body.toString("latin1", 0, longestStart)) ?? [];
  if (start === undefined) return null;
  const place = { itemType: itemType as SearchPlace["itemType"], storeNumber: Number(storeNumber) };
  let read: SearchQuery | null | undefined;
  return {
    ...place,
    body,
    query() {
      if (read !== undefined) return read;
      const values = readValues(body.toString("latin1", start.length));
      return (read = values && { ...place, values });
    },
  };
}

/** A call that asks for this. */
export function writeSearch(query: SearchQuery): SearchStart {
  const { itemType, storeNumber, values } = query;
  const fields = { item_type: itemType, store_nbr: storeNumber, item_type_values: values };
  return { itemType, storeNumber, body: Buffer.from(JSON.stringify(fields)), query: () => query };
}

/** From the rest of a body: the list, and the bracket that closes the whole. */
function readValues(rest: string): readonly string[] | null {
  const list = rest.slice(0, -1);
  if (!rest.endsWith("}") || !listPattern.test(list)) return null;
  const values = JSON.parse(list) as string[];
  return new Set(values).size < values.length ? null : values;
}
