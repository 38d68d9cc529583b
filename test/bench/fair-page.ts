/**
 * One person's page before a real server, in a process of its own: INV's engine with a sheet that never ends, the same
 * with a cell now and then, or a page that takes what it can get. Told to stop, it tells its parent when each of its calls
 * was answered, and how long each single cell took.
 */
import { request, Agent } from "undici";
import { createEngine } from "../../src/engine/engine";
import { systemClock } from "./system-clock";

const [kind = "", base = ""] = process.argv.slice(2);
const dispatcher = new Agent();
const answeredAtMs: number[] = [];
const cellsMs: number[] = [];
const gtin = "00000010000000";
/** Of this page's own: no colleague's answer is any good to it. */
let store = 1_000 + process.pid * 50;
const nextStore = () => 10 + ((store += 1) % 900_000);

process.on("message", () => {
  process.send?.({ kind, answeredAtMs, cellsMs });
  process.exit();
});

async function transport(sent: Request): Promise<Response> {
  const { statusCode, headers, body } = await request(sent.url, {
    method: sent.method as "GET" | "POST",
    headers: Object.fromEntries(sent.headers),
    body: await sent.text(),
    signal: sent.signal,
    dispatcher,
  });
  if (statusCode === 200 && sent.url.endsWith("/search-items")) answeredAtMs.push(Date.now());
  const told = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  return new Response(await body.text(), { status: statusCode, headers: told });
}

function openEngine() {
  const engine = createEngine({ clock: systemClock, transport });
  engine.connect({
    environment: {
      id: "bench",
      label: "Bench",
      kind: "sandbox",
      tokenUrl: `${base}/token`,
      searchUrl: `${base}/search-items`,
      eventsUrl: `${base}/events`,
      quota: { search: 120, events: 120 },
      pacedBy: "server",
      credentials: "user",
    },
    credentials: { consumerId: "bench", clientSecret: "bench" },
  });
  const ask = () => engine.item({ storeNumber: nextStore(), itemType: "gtin", value: gtin });
  return { engine, ask };
}

/** Thousands of cells, each of another store. */
function openSheet(): void {
  const { engine, ask } = openEngine();
  engine.configure({ askAboveCalls: 0 });
  for (let cell = 0; cell < 5_000; cell += 1) ask().catch(() => undefined);
}

/** A cell every twelve seconds. */
function askNowAndThen(): void {
  const { ask } = openEngine();
  setInterval(() => {
    const askedAtMs = Date.now();
    const done = () => cellsMs.push(Date.now() - askedAtMs);
    ask().then(done, done);
  }, 12_000);
}

/** Twenty calls at once, without end. */
async function takeAll(habits: { readonly obeys: boolean; readonly isEdit: boolean }): Promise<void> {
  const form = "grant_type=client_credentials&client_id=bench&client_secret=bench";
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const token = await request(`${base}/token`, { method: "POST", headers, body: form, dispatcher });
  const { access_token: accessToken } = (await token.body.json()) as { access_token: string };
  const one = async (): Promise<void> => {
    for (;;) {
      const response = await transport(
        new Request(`${base}/search-items`, {
          method: "POST",
          headers: {
            authorization: `Bearer ${accessToken}`,
            "wm_consumer.id": "bench",
            "content-type": "application/json",
            ...(habits.isEdit && { "inv-edit": "1" }),
          },
          body: JSON.stringify({ item_type: "gtin", store_nbr: nextStore(), item_type_values: [gtin] }),
        }),
      );
      if (response.status === 200) continue;
      const told = Number(response.headers.get("inv-wait-ms") ?? "1000");
      await new Promise((resolve) => setTimeout(resolve, habits.obeys ? told : 250));
    }
  };
  await Promise.all(Array.from({ length: 20 }, one));
}

if (kind === "sheet") openSheet();
else if (kind === "quiet") askNowAndThen();
else void takeAll({ obeys: kind !== "ignores", isEdit: kind === "edits" });
