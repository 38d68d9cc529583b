/**
 * What there is to ask for where INV's embedded service answers: a few of its stores, and of the items that the
 * chosen account may see.
 */
import { useEffect, useState } from "preact/hooks";
import {
  type DemoData,
  itemsOfAccount,
  readDemoData,
  suppliersItems,
} from "../../workbook/templates/demo-data";
import { demoDataPath, type Environment } from "../../domain/environment";
import type { PaneServices } from "../services";
import { useAlive } from "../parts/use-source";
import { count } from "../parts/words";

interface DemoWorldProps {
  services: PaneServices;
  entry: Environment;
  /** Name of the account that is chosen; null where there is only the supplier's own. */
  account: string | null;
}

const storesShown = 6;
const itemsShown = 4;

export function DemoWorld({ services, entry, account }: DemoWorldProps) {
  const [data, setData] = useState<DemoData | "failed" | null>(null);
  const alive = useAlive();

  useEffect(() => {
    services
      .readJson(demoDataPath(entry))
      .then(readDemoData)
      .then(
        (read) => alive.current && setData(read),
        () => alive.current && setData("failed"),
      );
  }, []);

  if (data === null) return null;
  // The form does its work without the list; that it is missing is no error of the connection.
  if (data === "failed") {
    return <p class="hint">The list of stores and items to ask for cannot be read now.</p>;
  }
  const found = account === null ? suppliersItems(data) : itemsOfAccount(data, account);
  const items = found.map(({ gtin }) => gtin);
  // Of a stock file the list shows only some, all of the one supplier.
  const itemsInAll = entry.kind === "file" ? data.items_in_all : items.length;
  return (
    <p class="hint">
      To ask for: stores {some(data.stores.slice(0, storesShown), data.stores_in_all)};{" "}
      {items.length === 0
        ? "this account has no items."
        : `items ${some(items.slice(0, itemsShown), itemsInAll)}.`}
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
