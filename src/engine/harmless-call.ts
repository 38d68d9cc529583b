/**
 * A lookup of one item that the service need not know, for when what matters is whether it answers at all:
 * a test of the connection, or the first call of a refresh that knows of nothing to ask for yet.
 */
import type { SearchOutcome } from "../api/outcomes";
import { buildSearchRequest, readSearchResponse } from "../api/search-items";
import type { Environment } from "../domain/environment";
import type { InvError } from "../domain/errors";
import { isAnswer } from "./items/search-call";
import { type Call, newRetryState } from "./send/call";

export const harmlessQuery = { storeNumber: 1234, itemType: "gtin", values: ["00012345678905"] } as const;

/** Why the service did not answer the lookup; null when it did, be it with a no. */
export function reasonAgainst(outcome: SearchOutcome): InvError | null {
  switch (outcome.kind) {
    case "items": {
      const item = outcome.items[0];
      return item?.kind === "unreadable" ? item.error : null;
    }
    case "offenders":
    case "no-data":
    case "request-refused":
      return null;
    default:
      return outcome.error;
  }
}

/** Goes the way of all calls, and says how it went. */
export function createHarmlessCall(
  { environment, maxBytes }: { readonly environment: Environment; readonly maxBytes: number },
  proof: (error: InvError | null) => void,
): Call {
  const call: Call = {
    isEdit: true,
    isPartFilled: false,
    retry: newRetryState(),
    sent: () => undefined,
    waits: () => call,
    build: (options) => buildSearchRequest(environment, harmlessQuery, options),
    async read(response) {
      const outcome = await readSearchResponse(response, harmlessQuery, { maxBytes });
      if (!isAnswer(outcome)) return outcome;
      return {
        kind: "answered",
        settle() {
          proof(reasonAgainst(outcome));
          return null;
        },
      };
    },
    putBack: () => call,
    fail: proof,
  };
  return call;
}
