/**
 * A team's pages in one process: INV's engine for each person, over HTTP, and a minimal load balancer before the servers.
 * Each call goes to the next server, and to the one after it if the port is closed. On request, it tells its parent how the
 * cells ended.
 */
import { Agent } from "undici";
import type { ItemQuery } from "../../src/domain/records";
import type { Engine } from "../../src/engine/types";
import { hasNoData, quantityOf } from "../bench/workloads";
import { environmentId } from "./cluster";
import { forward, openPageEngine } from "./page-engine";

/** People's work: endless sheets and occasional single cells, or all people open the same template of so many stores. */
export type Load = "sheets" | { readonly stores: number };

export interface PagesOptions {
  readonly origins: readonly string[];
  readonly people: number;
  readonly load: Load;
  readonly limit: number;
}

export interface PagesReport {
  /** Cells with the service's value. */
  readonly right: number;
  readonly wrong: number;
  /** Cells that ended without a current value, by reason. */
  readonly ended: Readonly<Record<string, number>>;
  readonly waiting: number;
  /** Each wait of people who request single cells. */
  readonly singlesMs: readonly number[];
  /** Seconds until the last cell, for each person who opened a template. */
  readonly seconds: readonly number[];
  /** Answers to pages, by status. `429` counts only INV's own. */
  readonly statuses: Readonly<Record<string, number>>;
}

const itemsOfTemplate = 25;
const startsWithinMs = 10_000;
const cellsOfASheet = 150;
const singleEveryMs = 12_000;

const options = JSON.parse(process.argv[2] ?? "") as PagesOptions;
let turn = 0;
let right = 0;
let wrong = 0;
let waiting = 0;
const singlesMs: number[] = [];
const seconds: number[] = [];
const ended: Record<string, number> = {};
const statuses: Record<string, number> = {};

const count = (counts: Record<string, number>, name: string) => (counts[name] = (counts[name] ?? 0) + 1);

async function send(sent: Request, dispatcher: Agent): Promise<Response> {
  const { pathname } = new URL(sent.url);
  const content = await sent.text();
  const { origins } = options;
  const first = turn++;
  for (let tried = 0; ; tried += 1) {
    try {
      const url = `${origins[(first + tried) % origins.length] ?? ""}${pathname}`;
      const response = await forward(sent, { url, content, dispatcher });
      count(statuses, String(response.status));
      return response;
    } catch (error) {
      const isClosed = Reflect.get(error as object, "code") === "ECONNREFUSED";
      if (isClosed && tried + 1 < origins.length) continue;
      if (!sent.signal.aborted) count(statuses, isClosed ? "refused" : "broken");
      throw error;
    }
  }
}

function openEngine(): Engine {
  const dispatcher = new Agent();
  const base = `http://any.example/relay/${environmentId}`;
  return openPageEngine(base, options.limit, (sent) => send(sent, dispatcher));
}

async function ask(engine: Engine, query: ItemQuery): Promise<void> {
  waiting += 1;
  try {
    const answer = await engine.item(query);
    const quantity = answer.found ? (answer.value.locations[0]?.quantity ?? null) : null;
    const { storeNumber, value } = query;
    const expected = hasNoData(storeNumber, value) ? null : quantityOf(storeNumber, value);
    if (answer.staleBecause !== undefined) count(ended, answer.staleBecause.code);
    else if (quantity === expected) right += 1;
    else wrong += 1;
  } catch (error) {
    count(ended, error instanceof Error ? `${String(Reflect.get(error, "code"))}: ${error.message}` : "?");
  }
  waiting -= 1;
}

const gtin = (item: number) => String(10_000_000 + item * 7).padStart(14, "0");
const cell = (storeNumber: number, item = 0): ItemQuery => ({
  storeNumber,
  itemType: "gtin",
  value: gtin(item),
});

/** Every tenth person requests an occasional cell. The others have a sheet in which each cell is a call. */
function work(person: number): void {
  const engine = openEngine();
  let store = 1_000 + person * 20_000;
  if (options.load !== "sheets") {
    const askedAtMs = performance.now();
    const { stores } = options.load;
    const cells = Array.from({ length: stores * itemsOfTemplate }, (_, index) =>
      cell(1_000 + (index % stores), (index / stores) | 0),
    );
    void Promise.all(cells.map((each) => ask(engine, each))).then(() => {
      seconds.push((performance.now() - askedAtMs) / 1_000);
    });
  } else if (person % 10 !== 0) {
    for (let row = 0; row < cellsOfASheet; row += 1) void ask(engine, cell(store++));
  } else {
    setInterval(() => {
      const askedAtMs = performance.now();
      void ask(engine, cell(store++)).then(() => {
        singlesMs.push(performance.now() - askedAtMs);
      });
    }, singleEveryMs);
  }
}

for (let person = 0; person < options.people; person += 1) {
  setTimeout(() => work(person), (person * startsWithinMs) / options.people);
}
process.on("message", () => {
  process.send?.({ right, wrong, ended, waiting, singlesMs, seconds, statuses } satisfies PagesReport);
});
process.on("disconnect", () => process.exit());
process.send?.("ready");
