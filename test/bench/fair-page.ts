/**
 * One person's page before a real server, in a process of its own: INV's engine with a sheet that never ends, the same
 * with a cell now and then, or a page that takes what it can get. Told to stop, it tells its parent when each of its calls
 * was answered, and how long each single cell took.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Agent } from "undici";
import { account, environmentId } from "../drills/cluster";
import { handOn, openPageEngine } from "../drills/page-engine";
import { tokenFrom } from "../helpers/token-from";

export interface FairPage {
  readonly answeredAtMs: readonly number[];
  readonly cellsMs: readonly number[];
}

const [kind = "", origin = "", limit = "", place = ""] = process.argv.slice(2);
const base = `${origin}/relay/${environmentId}`;
const dispatcher = new Agent();
const answeredAtMs: number[] = [];
const cellsMs: number[] = [];
const gtin = "00000010000000";
/** Of this page's own: no colleague's answer is any good to it. */
let store = 100_000 * Number(place);
const nextStore = () => 10 + ((store += 1) % 900_000);

process.on("message", () => {
  process.send?.({ answeredAtMs, cellsMs } satisfies FairPage);
  process.exit();
});

async function transport(sent: Request): Promise<Response> {
  const response = await handOn(sent, { url: sent.url, content: await sent.text(), dispatcher });
  if (response.ok && sent.url.endsWith("/search-items")) answeredAtMs.push(Date.now());
  return response;
}

/** Asks for a cell of another store each time. */
function openAsking(): () => Promise<unknown> {
  const engine = openPageEngine(base, Number(limit), transport);
  return () => engine.item({ storeNumber: nextStore(), itemType: "gtin", value: gtin });
}

/** Thousands of cells. */
function openSheet(): void {
  const ask = openAsking();
  for (let cell = 0; cell < 5_000; cell += 1) ask().catch(() => undefined);
}

/** A cell every twelve seconds. */
function askNowAndThen(): void {
  const ask = openAsking();
  setInterval(() => {
    const askedAtMs = Date.now();
    const done = () => cellsMs.push(Date.now() - askedAtMs);
    ask().then(done, done);
  }, 12_000);
}

/** Twenty calls at once, without end. */
async function takeAll(habits: { readonly obeys: boolean; readonly isEdit: boolean }): Promise<void> {
  const headers = {
    authorization: `Bearer ${await tokenFrom(origin, environmentId, account)}`,
    "wm_consumer.id": account.consumer_id,
    "content-type": "application/json",
    ...(habits.isEdit && { "inv-edit": "1" }),
  };
  const one = async (): Promise<void> => {
    for (;;) {
      const body = JSON.stringify({ item_type: "gtin", store_nbr: nextStore(), item_type_values: [gtin] });
      const response = await transport(
        new Request(`${base}/search-items`, { method: "POST", headers, body }),
      );
      if (response.ok) continue;
      await sleep(habits.obeys ? Number(response.headers.get("inv-wait-ms") ?? "1000") : 250);
    }
  };
  await Promise.all(Array.from({ length: 20 }, one));
}

if (kind === "sheet") openSheet();
else if (kind === "quiet") askNowAndThen();
else void takeAll({ obeys: kind !== "ignores", isEdit: kind === "edits" });
