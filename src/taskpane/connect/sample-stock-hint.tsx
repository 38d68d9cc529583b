/** Names a few stores of INV's embedded service, and a few items that the chosen account may see. */
import { itemsOfAccount, readDemoData, suppliersItems } from "../../workbook/templates/demo-data";
import { demoDataPath, type Environment } from "../../domain/environment";
import type { PaneServices } from "../services";
import { useLoaded } from "../parts/use-observable";
import { count } from "../../domain/number-words";

const storesShown = 6;
const itemsShown = 4;

export function SampleStockHint({
  services: { readJson },
  entry,
  account,
}: {
  services: PaneServices;
  entry: Environment;
  /** Name of the chosen account; null where there is only the supplier's own. */
  account: string | null;
}) {
  const { value: data, error } = useLoaded(async () => readDemoData(await readJson(demoDataPath(entry))), []);
  // The form works without the list.
  if (error !== null) return <p class="hint">INV couldn't read the list of sample stores and items.</p>;
  if (data === null) return null;
  const found = account === null ? suppliersItems(data) : itemsOfAccount(data, account);
  const items = found.map(({ gtin }) => gtin);
  // The list of own figures is cut; all of its items are one supplier's.
  const itemsInAll = entry.kind === "file" ? data.items_in_all : items.length;
  return (
    <p class="hint">
      Stores to try: {some(data.stores.slice(0, storesShown), data.stores_in_all)}.{" "}
      {items.length === 0
        ? "This account has no items."
        : `Items: ${some(items.slice(0, itemsShown), itemsInAll)}.`}
      {entry.kind === "sandbox" ? (
        <>
          {" "}
          Only{" "}
          <a href={`/${demoDataPath(entry)}`} target="_blank" rel="noreferrer">
            designated pairs
          </a>{" "}
          of store and GTIN have data.
        </>
      ) : null}
    </p>
  );
}

function some(first: readonly (number | string)[], all: number): string {
  const words = first.join(", ");
  return all > first.length ? `${words} and ${count(all - first.length)} more` : words;
}
