/**
 * What the service answers, row by row of the document's tables, and details of refusals beyond `conditions`: in each
 * environment, and over a stock file.
 */
import { productionWorld, sandboxWorld } from "../../src/embedded-service/sample-stock/worlds";
import { setStage } from "./caller";
import { importDemoWorld } from "./imported-world";
import { accessRows } from "./rows-access";
import { eventsRows } from "./rows-events";
import { eventsRefusalRows } from "./rows-events-refusals";
import { searchRows } from "./rows-search";
import { searchRefusalRows } from "./rows-search-refusals";

const rows = [...accessRows, ...searchRows, ...searchRefusalRows, ...eventsRows, ...eventsRefusalRows];

interface Stage {
  readonly name: string;
  /** Rows that need what is not there. */
  readonly without: readonly string[];
  /** Resolves to what ends it. */
  begin(): Promise<() => void>;
}

const over = (world?: typeof sandboxWorld) => () => {
  setStage(world === undefined ? {} : { world });
  return Promise.resolve(() => undefined);
};

const stages: readonly Stage[] = [
  { name: "demo", without: [], begin: over() },
  {
    name: "embedded-sandbox",
    // It lists no item without data at the store, and fewer than 99; `conditions` and `sandbox.test` have these cases.
    without: [
      "supplier_name, store_nbr of the request, and one entry of items per requested item, in order",
      "WM_ITEM_NUMBER not mapped to the supplier",
      "GTIN not mapped to the supplier",
      "No data found: no data exists for the item at the store",
      "items per request: 99 are answered",
      "items per request: 100 are answered",
      "no data for the GTIN and store combination",
      "GTIN invalid or without data",
    ],
    begin: over(sandboxWorld),
  },
  { name: "embedded-production", without: [], begin: over(productionWorld) },
  {
    name: "a stock file",
    // An export names no item that has data nowhere, so that a stock file cannot tell one from nobody's.
    without: ["GTIN invalid or without data"],
    async begin() {
      const imported = await importDemoWorld();
      setStage({ backend: imported.backend });
      return () => imported.end();
    },
  },
];

describe.each(stages)("$name answers as the document says", ({ without, begin }) => {
  let end: (() => void) | null = null;
  beforeAll(async () => {
    end = await begin();
  });
  afterAll(() => {
    setStage({});
    end?.();
  });

  describe.each(tablesWithout(without))("%s", (table) => {
    const here = rows.filter((one) => one.table === table && !without.includes(one.row));
    for (const { row, check } of here) it(row, check);
  });
});

function tablesWithout(without: readonly string[]): readonly string[] {
  return [...new Set(rows.filter(({ row }) => !without.includes(row)).map(({ table }) => table))];
}

it("has no two rows of one title", () => {
  const titles = rows.map(({ table, row }) => `${table}: ${row}`);
  expect(new Set(titles).size).toBe(titles.length);
});
