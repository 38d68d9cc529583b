/**
 * What there is to ask for in the demo, where one connects to it: a few of its stores, and of the items that
 * the chosen account may see. It comes with the chunk of templates,
 * which read the same list.
 */
import { useEffect, useState } from "preact/hooks";
import { type DemoData, itemsOfAccount, readDemoData } from "../../workbook/templates/demo-data";
import type { PaneServices } from "../services";
import { useAlive } from "../parts/use-source";
import { count } from "../parts/words";

interface DemoWorldProps {
  services: PaneServices;
  /** Name of the account that is chosen. */
  account: string;
}

const storesShown = 6;
const itemsShown = 4;

export function DemoWorld({ services, account }: DemoWorldProps) {
  const [data, setData] = useState<DemoData | "failed" | null>(null);
  const alive = useAlive();

  useEffect(() => {
    services
      .readJson("demo-data")
      .then(readDemoData)
      .then(
        (read) => alive.current && setData(read),
        () => alive.current && setData("failed"),
      );
  }, []);

  if (data === null) return null;
  // The form does its work without the list; that it is missing is no error of the connection.
  if (data === "failed") {
    return <p class="hint">The list of the demo's stores and items cannot be read now.</p>;
  }
  const items = itemsOfAccount(data, account).map(({ gtin }) => gtin);
  return (
    <p class="hint">
      To ask for: stores {some(data.stores, storesShown)};{" "}
      {items.length === 0 ? "this account has no items." : `items ${some(items, itemsShown)}.`}
    </p>
  );
}

function some(all: readonly (number | string)[], shown: number): string {
  const first = all.slice(0, shown).join(", ");
  return all.length > shown ? `${first} and ${count(all.length - shown)} more` : first;
}
