/**
 * Pages without engines that use a company's quota: one kind asks as INV's pages do, others take what they can get.
 * Each page records when its calls left. `sharesBeside` measures what several pages get beside a quiet one.
 */
import type { Asker, CallEnd } from "../../src/server/shared-quota/account-state";
import type { SteadyClock } from "../../src/server/steady-clock";
import type { Account } from "../../src/server/shared-quota/call";
import { type CompanyQuota, createCompanyQuota } from "../../src/server/shared-quota/quota";
import { createMemoryQuotaStore } from "../../src/server/shared-quota/quota-store";
import type { VirtualClock } from "./virtual-clock";

export interface PagesOptions {
  readonly clock: VirtualClock;
  readonly quota: CompanyQuota;
  readonly latencyMs: () => number;
  /** How the service ends a call. Default: it answers. */
  readonly end?: () => CallEnd;
}

export interface PagePlan {
  /** The person of the page. A function, called for each call, lets one page act as several people. */
  readonly person: string | (() => Promise<Pick<Asker, "person" | "crowd">>);
  /** Calls at the same time. */
  readonly connections: number;
  /** How the page treats a retry time: "each" sends one call at each given time, "none" ignores the times. */
  readonly obeys: "each" | "none";
  readonly isEdit?: boolean;
  /** Number of calls that the page makes. Default: no limit. */
  readonly calls?: number;
}

export interface Page {
  readonly leftAtMs: readonly number[];
  /** Adds calls that the page makes from now on. */
  wants(calls: number): void;
  stop(): void;
}

/** A quota of one server that allows `limit` calls in any 60 seconds. */
export function openQuota(clock: SteadyClock, limit: number): CompanyQuota {
  const store = createMemoryQuotaStore({ clock, limitOf: () => limit });
  return createCompanyQuota({ clock, onWait: () => () => undefined, store });
}

const account: Account = { environment: "production", consumerId: "acme", operation: "search" };
/** Milliseconds after which a page that ignores retry times asks again. */
const askAgainMs = 400;

export function createPage(
  { clock, quota, latencyMs, end = () => ({ kind: "answered" }) }: PagesOptions,
  plan: PagePlan,
): Page {
  const leftAtMs: number[] = [];
  let given: number[] = [];
  let wanted = plan.calls ?? Infinity;
  let open = 0;
  let timerAtMs = Infinity;

  function send(): void {
    while (open < plan.connections && wanted > 0) {
      const atMs = given[0] ?? 0;
      if (atMs > clock.now()) {
        sendAt(atMs);
        return;
      }
      given.shift();
      open += 1;
      wanted -= 1;
      void ask();
    }
  }

  function sendAt(atMs: number): void {
    if (atMs >= timerAtMs) return;
    timerAtMs = atMs;
    clock.setTimeout(() => {
      timerAtMs = Infinity;
      send();
    }, atMs - clock.now());
  }

  async function ask(): Promise<void> {
    const who = typeof plan.person === "string" ? { person: plan.person } : await plan.person();
    const asker = { ...who, isEdit: plan.isEdit ?? false };
    const entry = await quota.wait({ account, asker, signal: new AbortController().signal });
    if (entry.kind === "send") {
      leftAtMs.push(clock.now());
      await new Promise<void>((resolve) => clock.setTimeout(resolve, latencyMs()));
      entry.end(end());
    } else {
      wanted += 1;
      if (plan.obeys === "none") await new Promise<void>((resolve) => clock.setTimeout(resolve, askAgainMs));
      else if (entry.kind === "rejected") {
        given = [...given, clock.now() + Math.ceil(entry.retryAfterMs)].sort((left, right) => left - right);
      }
    }
    open -= 1;
    send();
  }

  send();
  return {
    leftAtMs,
    wants(calls) {
      wanted += calls;
      send();
    },
    stop: () => void (wanted = -Infinity),
  };
}

export const minuteMs = 60_000;

/**
 * Counts each page's calls after the first minute, before which nobody has asked. Meanwhile a quiet page makes two calls
 * a minute; `waitsMs` contains their waits. Stops all pages at the end.
 */
export async function sharesBeside(
  clock: VirtualClock,
  pages: readonly Page[],
  { openQuiet, minutes }: { readonly openQuiet: () => Page; readonly minutes: number },
): Promise<{ readonly calls: readonly number[]; readonly waitsMs: readonly number[]; readonly quiet: Page }> {
  await clock.advance(minuteMs);
  const before = pages.map(({ leftAtMs }) => leftAtMs.length);
  const quiet = openQuiet();
  const waitsMs: number[] = [];
  for (let minute = 0; minute < minutes; minute += 1) {
    const askedAtMs = clock.now();
    quiet.wants(2);
    await clock.advance(minuteMs);
    waitsMs.push(...quiet.leftAtMs.slice(waitsMs.length).map((atMs) => atMs - askedAtMs));
  }
  for (const page of [...pages, quiet]) page.stop();
  const calls = pages.map(({ leftAtMs }, index) => leftAtMs.length - (before[index] ?? 0));
  return { calls, waitsMs, quiet };
}
