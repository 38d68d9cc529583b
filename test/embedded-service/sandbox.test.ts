/** The sandbox's designated pairs: as the list and the documentation have them, and as the two lookups answer. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listSampleStock } from "../../src/embedded-service/sample-stock/sample-list";
import { sandboxWorld } from "../../src/embedded-service/sample-stock/worlds";

const list = listSampleStock(sandboxWorld, 1);
const pairsOf = (pairs: readonly (readonly [number, string])[]) => pairs.map((pair) => pair.join(" ")).sort();

describe("the sandbox's designated pairs", () => {
  it("are in docs/service.md as /demo-data lists them", () => {
    const text = readFileSync(join(__dirname, "..", "..", "docs", "service.md"), "utf8");
    const rows = [...text.matchAll(/^\| ([\d, ]+)(?:, for `[\w-]+`)? +\| ([\d, ]+) +\|$/gm)];
    const documented = rows.flatMap(([, stores = "", gtins = ""]) =>
      stores
        .split(",")
        .flatMap((store) => gtins.split(",").map((gtin) => [Number(store), gtin.trim()] as const)),
    );
    const listed = list.designated_pairs!.map(({ store_nbr: store, gtin }) => [store, gtin] as const);
    expect(documented.length).toBeGreaterThan(20);
    expect(pairsOf(documented)).toEqual(pairsOf(listed));
  });

  it("agree with the stores that each listed item has no data at", () => {
    for (const { gtin, stores_without_data: without } of list.items) {
      const designated = list.designated_pairs!.filter((pair) => pair.gtin === gtin);
      expect(designated.map(({ store_nbr: store }) => store)).toEqual(
        list.stores.filter((store) => !without.includes(store)),
      );
    }
  });
});
