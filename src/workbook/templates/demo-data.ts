/**
 * Reads the stores and items of the demo or of a stock file, which the embedded service lists (`GET /demo-data`), as rows for
 * templates. The fields have the names of that answer.
 */
import { InvError } from "../../domain/errors";
import * as z from "../../domain/zod";
import type { TemplateRows } from "./fill";
import { crossed } from "./crossed";

const demoData = z.object({
  accounts: z.array(z.object({ name: z.string(), supplier_name: z.string() })),
  stores: z.array(z.number()),
  stores_in_all: z.number(),
  items_in_all: z.number(),
  items: z.array(
    z.object({
      gtin: z.string(),
      supplier_name: z.string(),
      stores_without_data: z.array(z.number()),
    }),
  ),
});

export type DemoData = z.infer<typeof demoData>;
type DemoItem = DemoData["items"][number];

/** @throws InvError `bad-answer` if the answer has another shape, or no stores or items */
export function readDemoData(json: unknown): DemoData {
  const parsed = demoData.safeParse(json);
  if (parsed.success && parsed.data.stores.length > 0 && parsed.data.items.length > 0) return parsed.data;
  const at = parsed.error?.issues[0]?.path.join(".") ?? "";
  throw new InvError(
    "bad-answer",
    `INV couldn't read the demo's stores and items: ${at === "" ? "the answer has none" : `"${at}" is not valid`}. ` +
      "Check that this is INV's own server, then try again.",
  );
}

/** Returns ten stores by twenty items of the supplier, for a new user's planning sheet. */
export function demoRows(data: DemoData): TemplateRows {
  const stores = data.stores.slice(0, 10);
  const items = suppliersItems(data)
    .slice(0, 20)
    .map(({ gtin }) => gtin);
  return { stores, items, pairs: crossed(stores, items) };
}

/** Returns five pairs that have data, if possible each with another store and item, for a new user's first try. */
export function demoTries(data: DemoData): TemplateRows {
  const items = suppliersItems(data);
  const pairs = data.stores.slice(0, 5).flatMap((store, index) => {
    const item = items.slice(index).find((each) => !each.stores_without_data.includes(store));
    return item === undefined ? [] : [{ store, item: item.gtin }];
  });
  return { ...demoRows(data), pairs };
}

/** Items that an account may see, beginning with the item of the examples; none for an unknown account. */
export function itemsOfAccount(data: DemoData, name: string): readonly DemoItem[] {
  const account = data.accounts.find((each) => each.name === name);
  return account === undefined ? [] : itemsOf(data, account.supplier_name);
}

/** Items of the first account's supplier. */
export function suppliersItems(data: DemoData): readonly DemoItem[] {
  return itemsOf(data, data.accounts[0]?.supplier_name ?? data.items[0]?.supplier_name ?? "");
}

function itemsOf(data: DemoData, supplier: string): readonly DemoItem[] {
  const supplierItems = data.items.filter((item) => item.supplier_name === supplier);
  return [...supplierItems].sort((a, b) => Number(isExample(b)) - Number(isExample(a)));
}

function isExample(item: DemoItem): boolean {
  return item.gtin === "00012345678905";
}
