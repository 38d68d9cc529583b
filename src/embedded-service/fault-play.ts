/**
 * Does to a call what the fault switches say. A hang ends only when the caller gives up (the request's
 * signal); a reset is a rejection, as `fetch` rejects when a connection is lost. So the faults work the
 * same for callers in this process, and an HTTP host only has to drop the socket on a rejection.
 */
import { type ServiceCall, json, type OperationName, tooManyRequests, unavailable } from "./answers";
import type { Faults } from "./faults";
import { tokenError } from "./token";

export interface FaultPlayOptions {
  readonly faults: Faults;
  readonly random: () => number;
  readonly sleep: (waitMs: number) => Promise<void>;
  readonly environment: string;
}

/** `Retry-After` of a 429 that a fault switch made. */
const throttledMs = 2000;

/** Short answers leave out records of `items` only: a history that is short by accident cannot be told. */
export async function playFaults(
  { call, operation }: { call: ServiceCall; operation: OperationName | "token" },
  answer: () => Promise<Response>,
  { faults, random, sleep, environment }: FaultPlayOptions,
): Promise<Response> {
  const { latencyMs } = faults.current();
  const fault = faults.draw(random());
  if (latencyMs > 0) await sleep(latencyMs);
  switch (fault) {
    case null:
      return answer();
    case "429":
      return operation === "token"
        ? json(429, tokenFault, { "retry-after": String(throttledMs / 1000) })
        : tooManyRequests(operation, environment, throttledMs);
    case "500":
      return operation === "token"
        ? tokenError(500, "temporarily_unavailable", "A fault switch of the service is on.")
        : unavailable(call);
    case "hang":
      return untilAborted(call.request);
    case "reset":
      throw Object.assign(new Error("The connection was reset by a fault switch of the service."), {
        code: "ECONNRESET",
      });
    case "short":
      return operation === "search" ? shorten(await answer()) : answer();
    case "broken":
      return cut(await answer());
  }
}

const tokenFault = {
  error: "temporarily_unavailable",
  error_description: "Too many requests. Retry after some time.",
};

/**
 * Held while they hang: a request's signal hears of its caller's only as long as the request itself is
 * alive, and nothing else would keep alive a call that waits for ever.
 */
const hanging = new Set<Request>();

function untilAborted(request: Request): Promise<Response> {
  return new Promise((_resolve, reject) => {
    const abort = (): void => {
      hanging.delete(request);
      reject(new DOMException("The caller gave up waiting.", "AbortError"));
    };
    if (request.signal.aborted) {
      abort();
    } else {
      hanging.add(request);
      request.signal.addEventListener("abort", abort, { once: true });
    }
  });
}

async function shorten(response: Response): Promise<Response> {
  if (response.status !== 200) return response;
  const body = (await response.json()) as { items: unknown[] };
  return json(200, { ...body, items: body.items.slice(0, Math.floor(body.items.length / 2)) });
}

async function cut(response: Response): Promise<Response> {
  const text = await response.text();
  return new Response(text.slice(0, Math.floor(text.length / 2)), response);
}
