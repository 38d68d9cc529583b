/**
 * Applies the fault switches to a request. A hang ends only when the caller gives up (the request's signal), so that faults work the
 * same for callers in this process and for an HTTP host.
 */
import { type ServiceCall, json, type OperationName, tooManyRequests, unavailable } from "./answers";
import type { Faults } from "./faults";
import { tokenError } from "./token";

/** `Retry-After` of a 429 from a fault switch. */
const throttledMs = 2000;

export async function playFaults(
  { call, operation }: { call: ServiceCall; operation: OperationName | "token" },
  answer: () => Promise<Response>,
  {
    faults,
    random,
    sleep,
    environment,
  }: {
    readonly faults: Faults;
    readonly random: () => number;
    readonly sleep: (waitMs: number) => Promise<void>;
    readonly environment: string;
  },
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
  }
}

const tokenFault = {
  error: "temporarily_unavailable",
  error_description: "Too many requests. Retry after some time.",
};

/** Keeps hanging requests from garbage collection, because a request's signal follows its caller's only while the request exists. */
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
