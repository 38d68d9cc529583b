/**
 * Honest pages beside a greedy colleague, over the relay's real requests and headers. An honest page asks for one value,
 * then pauses; if it is rejected, it asks again at the given time. A greedy one takes what it can get. The clock and the
 * transport are the caller's: a test's virtual ones, or a drill's real ones.
 */
import type { Transport } from "../../src/api/transport";

export interface PagesBed {
  readonly clock: { setTimeout(callback: () => void, waitMs: number): unknown };
  readonly transport: Transport;
  /** The relay's address of the environment. */
  readonly base: string;
  readonly account: { readonly id: string; readonly secret: string };
}

export const greeds = [
  "no token",
  "twenty calls at once",
  "no respect for retry times",
  "a new token for each call",
  "all calls marked as edits",
] as const;

export type Greed = (typeof greeds)[number];

interface OpenPage {
  /** Values that the page has got. */
  readonly values: number;
  stop(): void;
}

export function openHonestPage(
  bed: PagesBed,
  { number, pauseMs }: { readonly number: number; readonly pauseMs: number },
): OpenPage {
  const page = { values: 0, isStopped: false, stop: () => void (page.isStopped = true) };
  const goesOn = () => !page.isStopped;
  void run();
  return page;

  async function run(): Promise<void> {
    let token = await requestToken(bed);
    for (let item = number * 1_000_000; goesOn(); item += 1) {
      let answer = await search(bed, { token, item });
      while (answer.status !== 200 && goesOn()) {
        // The server has dropped the token: the page requests another.
        if (answer.status === 401) token = await requestToken(bed, token);
        else await wait(bed, answer.waitMs);
        answer = await search(bed, { token, item });
      }
      if (goesOn()) page.values += 1;
      await wait(bed, pauseMs);
    }
  }
}

/** Milliseconds after which a page that ignores retry times asks again. */
const impatientMs = 400;
const connections = 20;

export function openGreedyPage(bed: PagesBed, greed: Greed): { stop(): void } {
  const page = { isStopped: false };
  const isPatient = greed === "twenty calls at once" || greed === "all calls marked as edits";
  const firstToken = greed === "no token" ? Promise.resolve("none") : requestToken(bed);
  let item = 50_000_000;
  for (let connection = 0; connection < connections; connection += 1) void run();
  return { stop: () => void (page.isStopped = true) };

  async function run(): Promise<void> {
    while (!page.isStopped) {
      const token = await (greed === "a new token for each call" ? requestToken(bed) : firstToken);
      const isEdit = greed === "all calls marked as edits";
      const answer = await search(bed, { token, item: (item += 1), isEdit });
      if (answer.status !== 200) await wait(bed, isPatient ? answer.waitMs : impatientMs);
    }
  }
}

async function requestToken(
  { transport, base, account }: PagesBed,
  before: string | null = null,
): Promise<string> {
  const form = { grant_type: "client_credentials", client_id: account.id, client_secret: account.secret };
  const body = new URLSearchParams(form).toString();
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    ...(before !== null && { "inv-renews": before }),
  };
  const answer = await transport(new Request(`${base}/token`, { method: "POST", body, headers }));
  return ((await answer.json()) as { access_token?: string }).access_token ?? "none";
}

async function search(
  { transport, base, account }: PagesBed,
  {
    token,
    item,
    isEdit = false,
  }: { readonly token: string; readonly item: number; readonly isEdit?: boolean },
): Promise<{ readonly status: number; readonly waitMs: number }> {
  const values = [String(item).padStart(14, "0")];
  const body = JSON.stringify({ item_type: "gtin", store_nbr: 1234, item_type_values: values });
  const headers = {
    authorization: `Bearer ${token}`,
    "wm_consumer.id": account.id,
    "content-type": "application/json",
    ...(isEdit && { "inv-edit": "1" }),
  };
  const answer = await transport(new Request(`${base}/search-items`, { method: "POST", body, headers }));
  await answer.text();
  return { status: answer.status, waitMs: Number(answer.headers.get("inv-wait-ms") ?? 1_000) };
}

function wait({ clock }: PagesBed, waitMs: number): Promise<void> {
  return new Promise((resolve) => void clock.setTimeout(resolve, waitMs));
}
