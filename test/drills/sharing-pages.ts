/**
 * One company's pages in one process: INV's engine for each, over HTTP, to the servers in turn. Some refresh 100,000 cells, others
 * edit a cell now and then, open a template, or mark everything as an edit. On request, it tells its parent how long they waited.
 */
import { Agent } from "undici";
import type { ItemQuery } from "../../src/domain/records";
import type { Engine } from "../../src/engine/types";
import { environmentId } from "./cluster";
import { forward, openPageEngine } from "./page-engine";

/** How many pages of each kind a company has. */
export interface Team {
  readonly refreshers: number;
  readonly editors: number;
  readonly editEveryMs: number;
  /** A new page opens a template of 20 calls as often as this; null for never. */
  readonly templateEveryMs: number | null;
  /** Pages that refresh, and whose calls all claim to be edits. */
  readonly pretenders: number;
}

export interface SharingOptions {
  readonly origins: readonly string[];
  readonly limit: number;
  readonly team: Team;
}

export interface SharingReport {
  /** Wait of each edit, in milliseconds; of one that still waits, so far. */
  readonly editsMs: readonly number[];
  readonly templatesMs: readonly number[];
  /** 429 answers of the servers to these pages. */
  readonly rejected: number;
  readonly failed: number;
  /** The part of a processor that this process gets when it wants one: 1 on an idle machine. */
  readonly processorShare: number;
}

const storesOfASheet = 4_000;
const itemsOfAStore = 25;
const storesOfATemplate = 20;
const startsWithinMs = 10_000;

const options = JSON.parse(process.argv[2] ?? "") as SharingOptions;
let turn = 0;
let rejected = 0;
let failed = 0;
let nextStore = 10_000;
const editsMs: number[] = [];
const templatesMs: number[] = [];
/** When each edit or template that still waits was requested. */
const waiting = new Map<object, { readonly into: number[]; readonly atMs: number }>();
let busy = { wallMs: 0, processorMs: 0 };

function openEngine(isPretending = false): Engine {
  const dispatcher = new Agent();
  const { origins, limit } = options;
  const base = `http://any.example/relay/${environmentId}`;
  return openPageEngine(base, limit, async (sent) => {
    const { pathname } = new URL(sent.url);
    const content = await sent.text();
    if (isPretending) sent.headers.set("inv-edit", "1");
    const url = `${origins[(turn += 1) % origins.length] ?? ""}${pathname}`;
    const response = await forward(sent, { url, content, dispatcher });
    if (response.status === 429) rejected += 1;
    return response;
  });
}

const gtin = (item: number) => String(10_000_000 + item * 7).padStart(14, "0");
const cell = (storeNumber: number, item = 0): ItemQuery => ({
  storeNumber,
  itemType: "gtin",
  value: gtin(item),
});

/** Stores that nobody else asks for, so that no answer is shared. */
const newStores = (count: number): readonly number[] => Array.from({ length: count }, () => nextStore++);

function refresh(engine: Engine): void {
  for (const store of newStores(storesOfASheet)) {
    for (let item = 0; item < itemsOfAStore; item += 1) {
      engine.requestItem(cell(store, item), { epoch: 0, settle: () => undefined });
    }
  }
}

async function measure(engine: Engine, cells: readonly ItemQuery[], into: number[]): Promise<void> {
  const key = {};
  const atMs = performance.now();
  waiting.set(key, { into, atMs });
  const ends = await Promise.allSettled(cells.map((each) => engine.item(each)));
  waiting.delete(key);
  into.push(performance.now() - atMs);
  if (ends.some((end) => end.status === "rejected" || end.value.staleBecause !== undefined)) failed += 1;
}

function edit(engine: Engine): void {
  void measure(
    engine,
    newStores(1).map((store) => cell(store)),
    editsMs,
  );
}

function openTemplate(): void {
  const cells = newStores(storesOfATemplate).flatMap((store) =>
    Array.from({ length: itemsOfAStore }, (_, item) => cell(store, item)),
  );
  void measure(openEngine(), cells, templatesMs);
}

/** Takes the processor for some milliseconds, and compares the time it got with the time that passed. */
function lookAtProcessor(): void {
  const [wallMs, processor] = [performance.now(), process.cpuUsage()];
  while (process.cpuUsage(processor).user < 5_000);
  busy = {
    wallMs: busy.wallMs + performance.now() - wallMs,
    processorMs: busy.processorMs + process.cpuUsage(processor).user / 1_000,
  };
}

const { refreshers, editors, editEveryMs, templateEveryMs, pretenders } = options.team;
for (let page = 0; page < refreshers + pretenders; page += 1) {
  const engine = openEngine(page >= refreshers);
  setTimeout(() => refresh(engine), Math.random() * startsWithinMs);
}
for (let page = 0; page < editors; page += 1) {
  const engine = openEngine();
  setTimeout(() => {
    edit(engine);
    setInterval(() => edit(engine), editEveryMs);
  }, Math.random() * editEveryMs);
}
if (templateEveryMs !== null) setInterval(openTemplate, templateEveryMs);
setInterval(lookAtProcessor, 500);

process.on("message", () => {
  const nowMs = performance.now();
  const still = (into: number[]) =>
    [...waiting.values()].flatMap((each) => (each.into === into ? [nowMs - each.atMs] : []));
  process.send?.({
    editsMs: [...editsMs, ...still(editsMs)],
    templatesMs: [...templatesMs, ...still(templatesMs)],
    rejected,
    failed,
    processorShare: busy.processorMs / busy.wallMs,
  } satisfies SharingReport);
});
process.on("disconnect", () => process.exit());
process.send?.("ready");
