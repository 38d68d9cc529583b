/**
 * The items of an import. Rows with the same GTIN or the same item number are one item, and later rows may
 * add its other identifiers. A row that contradicts an earlier one is a fault.
 */
import { LRUCache } from "lru-cache";
import type { Sqlite } from "../stock-file/libsql";
import type { RowFault } from "./rows";

interface ItemNames {
  readonly gtin: string | null;
  readonly itemNumber: string | null;
  readonly cid: number | null;
}

export interface Items {
  /** Returns the item's key in the file. Adds the item if it is new. */
  keyOf(names: ItemNames): number | RowFault;
}

interface Item extends ItemNames {
  readonly key: number;
}

/** Maximum number of cached items. Others are read from the file. */
const itemsCached = 20_000;

export function createItems(database: Sqlite): Items {
  const byGtin = database.prepare("SELECT item, gtin, item_number, cid FROM items WHERE gtin = ?");
  const byNumber = database.prepare("SELECT item, gtin, item_number, cid FROM items WHERE item_number = ?");
  const insert = database.prepare("INSERT INTO items VALUES (?, ?, ?, ?)");
  const update = database.prepare("UPDATE items SET gtin = ?, item_number = ?, cid = ? WHERE item = ?");
  const cache = new LRUCache<string, Item>({ max: itemsCached });
  let count = 0;

  function find(text: string | null, kind: "gtin" | "number"): Item | null {
    if (text === null) return null;
    const before = cache.get(kind + text);
    if (before !== undefined) return before;
    const row = (kind === "gtin" ? byGtin : byNumber).raw(true).get(text) as ItemRow | undefined;
    return row === undefined
      ? null
      : remember({ key: row[0], gtin: row[1], itemNumber: row[2], cid: row[3] });
  }

  function remember(item: Item): Item {
    if (item.gtin !== null) cache.set(`gtin${item.gtin}`, item);
    if (item.itemNumber !== null) cache.set(`number${item.itemNumber}`, item);
    return item;
  }

  function keyOf(names: ItemNames): number | RowFault {
    const found = find(names.gtin, "gtin");
    const same = find(names.itemNumber, "number");
    if (found !== null && same !== null && found.key !== same.key) return contradiction(names, found);
    const before = found ?? same;
    if (before === null) {
      count += 1;
      insert.run(count, names.gtin, names.itemNumber, names.cid);
      return remember({ key: count, ...names }).key;
    }
    const joined = {
      key: before.key,
      gtin: before.gtin ?? names.gtin,
      itemNumber: before.itemNumber ?? names.itemNumber,
      cid: before.cid ?? names.cid,
    };
    if (differs(names, joined)) return contradiction(names, before);
    if (differs(joined, before)) {
      update.run(joined.gtin, joined.itemNumber, joined.cid, joined.key);
      remember(joined);
    }
    return joined.key;
  }

  return { keyOf };
}

type ItemRow = readonly [number, string | null, string | null, number | null];

function differs(names: ItemNames, before: ItemNames): boolean {
  return (["gtin", "itemNumber", "cid"] as const).some(
    (name) => names[name] !== null && names[name] !== before[name],
  );
}

function contradiction(names: ItemNames, before: ItemNames): RowFault {
  const reason = "gtin, item_number and cid contradict an earlier row";
  return { reason, detail: `${reason}: ${textOf(names)}, before ${textOf(before)}` };
}

function textOf({ gtin, itemNumber, cid }: ItemNames): string {
  return [gtin, itemNumber, cid].map((name) => name ?? "none").join(" / ");
}
