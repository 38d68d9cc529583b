/**
 * One call through undici: out as it is, back as a whole. undici's handler is used as such, without its streams and
 * signals: an answer fits into one or two pieces, and what is around them would cost more than the call.
 * Invariant: settles once, within the time it is given, whoever else is gone; and nothing of it stays behind.
 */
import type { Dispatcher } from "undici";
import { CallFailed, type OutgoingCall } from "./outgoing";

export interface WholeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** As it was packed for the way. */
  readonly body: Buffer;
}

/** Answers with these have no body, whatever the other side sends. */
const withoutBody: ReadonlySet<number> = new Set([204, 205, 304]);

export interface ExchangeLimits {
  /** For all of it: an answer that comes drop by drop would never be too late for undici. */
  readonly totalMs: number;
  /** While the call is under way, a function that gives it up stands here. */
  readonly leaves: Set<() => void>;
}

export function exchange(
  dispatcher: Dispatcher,
  call: OutgoingCall,
  { totalMs, leaves }: ExchangeLimits,
): Promise<WholeAnswer> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | null = null;
    let head: Omit<WholeAnswer, "body"> = { status: 0, headers: {} };
    const chunks: Buffer[] = [];
    let bytes = 0;
    let givenUp: Error | null = null;
    const timer = setTimeout(() => giveUp("TOTAL_TIMEOUT"), totalMs);

    function leave(): void {
      giveUp("GIVEN_UP");
    }

    function settle(): void {
      clearTimeout(timer);
      call.signal.removeEventListener("abort", leave);
      leaves.delete(leave);
    }

    /** Does nothing to a call that has ended. */
    function giveUp(code: string | undefined, cause?: Error): void {
      if (givenUp !== null) return;
      const phase = controller === null ? "connect" : head.status === 0 ? "request" : "answer";
      givenUp = new CallFailed(code, { phase, cause });
      settle();
      reject(givenUp);
      controller?.abort(givenUp);
    }

    if (call.signal.aborted) {
      leave();
      return;
    }
    call.signal.addEventListener("abort", leave);
    leaves.add(leave);
    dispatcher.dispatch(toOptions(call), {
      onRequestStart(given) {
        controller = given;
        // While it waited for a connection.
        if (givenUp !== null) given.abort(givenUp);
      },
      onResponseStart(_controller, status, headers) {
        // HTTP has no such status.
        if (status > 599) giveUp("BAD_STATUS");
        // Before it there may be others that only tell of it.
        else if (status >= 200) head = { status, headers };
      },
      onResponseData(_controller, chunk) {
        bytes += chunk.length;
        if (bytes > call.maxAnswerBytes) giveUp("TOO_LARGE");
        else chunks.push(chunk);
      },
      onResponseEnd() {
        settle();
        const [first = Buffer.alloc(0), ...others] = withoutBody.has(head.status) ? [] : chunks;
        resolve({ ...head, body: others.length === 0 ? first : Buffer.concat(chunks) });
      },
      onResponseError: (_controller, error) => giveUp(undefined, error),
    });
  });
}

function toOptions({ url, method, headers, body }: OutgoingCall): Dispatcher.DispatchOptions {
  return { origin: url.origin, path: url.pathname + url.search, method, headers, body };
}
