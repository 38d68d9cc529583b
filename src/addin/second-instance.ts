/**
 * Detects a second INV in the same workbook: two installations (from the store and by central deployment), or a workbook that
 * is open in two tabs. Each answers every formula, so together they use twice the quota. Pages of one origin communicate
 * through a BroadcastChannel. Office has no workbook id, so INV compares addresses. A workbook that was never saved has no
 * address; INV then can't detect a second instance, and doesn't warn.
 */
import { createSource, type Source } from "../domain/notices";

/** The part of a BroadcastChannel that INV uses. */
export interface InstanceChannel {
  postMessage(message: InstanceMessage): void;
  addEventListener(type: "message", listener: (event: { readonly data: InstanceMessage }) => void): void;
}

interface InstanceMessage {
  readonly kind: "opened" | "answer" | "closed";
  readonly page: string;
  readonly address: string;
}

/** Returns whether another page has this workbook open, and a function to call when this page closes. */
export function watchSecondInstance(
  channel: InstanceChannel,
  page: string,
  address: () => string,
): { readonly isOpenTwice: Source<boolean>; close(): void } {
  const others = new Set<string>();
  const isOpenTwice = createSource(false);
  const send = (kind: InstanceMessage["kind"]): void => {
    channel.postMessage({ kind, page, address: address() });
  };
  channel.addEventListener("message", ({ data }) => {
    if (data.kind === "closed") others.delete(data.page);
    else if (data.address !== "" && data.address === address()) {
      others.add(data.page);
      if (data.kind === "opened") send("answer");
    }
    isOpenTwice.set(others.size > 0);
  });
  send("opened");
  return { isOpenTwice, close: () => send("closed") };
}
