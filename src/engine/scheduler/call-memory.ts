/**
 * The calls of a page that count, kept while the page is loaded again: the service counts them still. Only times are kept, by the
 * system clock, because the steady one starts anew.
 */
import { type CallWindow, windowMs } from "../../domain/call-window";
import { parsedJson } from "../../domain/json";
import type { Clock } from "../clock";
import type { CallMemory } from "../types";

interface Memory {
  readonly at: CallMemory;
  readonly key: string;
}

/** Keeps what counts now. A call in flight counts as one that ends at this moment. */
export function keepCalls(
  { at, key }: Memory,
  calls: Pick<CallWindow, "endsMs" | "inFlight">,
  clock: Pick<Clock, "now" | "steadyNow">,
): void {
  const nowMs = clock.steadyNow();
  const leftMs = calls.endsMs(nowMs).map((endMs) => endMs - nowMs);
  const all = [...leftMs, ...Array<number>(calls.inFlight()).fill(windowMs)];
  try {
    at.setItem(key, JSON.stringify(all.map((ms) => Math.ceil(clock.now() + ms))));
  } catch {
    // The storage is full or forbidden, so the page forgets its calls when it is loaded again.
  }
}

/** Returns when the kept calls stop counting, earliest first, by the steady clock. */
export function rememberedCalls(
  { at, key }: Memory,
  clock: Pick<Clock, "now" | "steadyNow">,
): readonly number[] {
  let kept: unknown = null;
  try {
    kept = parsedJson(at.getItem(key) ?? "");
  } catch {
    // There is no storage.
  }
  const ends: readonly unknown[] = Array.isArray(kept) ? kept : [];
  return (
    ends
      .flatMap((endMs) => (typeof endMs === "number" ? [endMs - clock.now()] : []))
      .filter((leftMs) => leftMs > 0)
      // The system clock may have been set back.
      .map((leftMs) => clock.steadyNow() + Math.min(leftMs, windowMs))
      .sort((left, right) => left - right)
  );
}
