/**
 * One call through undici, with its answer read whole. This module uses undici's handlers instead of streams,
 * which would cost more than the call, because an answer arrives in one or two pieces.
 * Invariant: the promise settles once, within its time limit, and leaves no timer or listener.
 */
import type { Dispatcher } from "undici";
import { CallFailed, type OutgoingCall } from "./outgoing";

export interface WholeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Still compressed. */
  readonly body: Buffer;
}

/** HTTP defines these statuses as having no body. */
const withoutBody: ReadonlySet<number> = new Set([204, 205, 304]);

export interface ExchangeLimits {
  /** Limits the whole call. undici's own limits restart with each piece of an answer. */
  readonly totalMs: number;
  /** Functions that abort the current calls. */
  readonly aborts: Set<() => void>;
}

export function exchange(
  dispatcher: Dispatcher,
  call: OutgoingCall,
  { totalMs, aborts }: ExchangeLimits,
): Promise<WholeAnswer> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | null = null;
    let head: Omit<WholeAnswer, "body"> = { status: 0, headers: {} };
    const chunks: Buffer[] = [];
    let bytes = 0;
    let givenUp: Error | null = null;
    const timer = setTimeout(() => giveUp("TOTAL_TIMEOUT"), totalMs);

    function abort(): void {
      giveUp("GIVEN_UP");
    }

    function settle(): void {
      clearTimeout(timer);
      call.signal.removeEventListener("abort", abort);
      aborts.delete(abort);
    }

    function giveUp(code: string | undefined, cause?: Error): void {
      if (givenUp !== null) return;
      const phase = controller === null ? "connect" : head.status === 0 ? "request" : "answer";
      givenUp = new CallFailed(code, { phase, cause });
      settle();
      reject(givenUp);
      controller?.abort(givenUp);
    }

    if (call.signal.aborted) {
      abort();
      return;
    }
    call.signal.addEventListener("abort", abort);
    aborts.add(abort);
    dispatcher.dispatch(toOptions(call), {
      onRequestStart(given) {
        controller = given;
        // The call was aborted while it waited for a connection.
        if (givenUp !== null) given.abort(givenUp);
      },
      onResponseStart(_controller, status, headers) {
        // HTTP has no status above 599.
        if (status > 599) giveUp("BAD_STATUS");
        // 1xx responses only announce the real one.
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
