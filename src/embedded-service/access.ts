/**
 * Issues access tokens and authorizes the callers of the two data operations. Every row of the document's table of authentication
 * outcomes is reachable, because the checks have this order:
 *
 *  1. `Authorization` missing: 401, gateway shape.
 *  2. Not `Bearer <token>`, or a token that this service didn't issue: 401, gateway shape.
 *  3. Token expired: 401, gateway shape.
 *  4. On `/events`, `wm_consumer.id` missing, or not the id of any consumer: 401, problem shape (the document lists the missing
 *     header under 401 and 403; its 401 row says "missing or incorrect").
 *  5. `wm_consumer.id` absent, empty or `null`: 403, gateway shape (on `/events`, empty or `null`).
 *  6. Token issued to another consumer than the sender: 401, gateway shape.
 *  7. Consumer not subscribed: 403, gateway shape.
 *  8. Quota used up: 429. Only requests that passed the earlier checks count.
 *  9. Consumer not mapped to a supplier: 401, problem shape.
 *
 * Checks 1 to 8 are those of a gateway, which knows consumers but no suppliers. Check 9 is the service's own.
 */
import { type ServiceCall, gateway, type OperationName, problem, tooManyRequests } from "./answers";
import type { Accounts, Supplier } from "./backend";
import type { RateWindow } from "./rate-window";
import type { Sealer } from "./seal";

export interface Access {
  /** Returns a new token. Check the consumer's credentials before. */
  issue(consumerId: string): Promise<string>;
  authorize(call: ServiceCall, operation: OperationName): Promise<AccessVerdict>;
}

type AccessVerdict =
  | { readonly kind: "caller"; readonly consumerId: string; readonly supplier: Supplier }
  | { readonly kind: "refused"; readonly response: Response };

interface TokenContent {
  readonly consumerId: string;
  readonly expiresAtMs: number;
}

export function createAccess(options: {
  readonly accounts: Accounts;
  readonly sealer: Sealer;
  readonly rateWindow: RateWindow;
  readonly now: () => number;
  readonly tokenLifetimeSeconds: number;
  /** `wm_svc.env` in errors of the gateway. */
  readonly environment: string;
}): Access {
  const { accounts, sealer, rateWindow, now, environment } = options;

  async function authorize(call: ServiceCall, operation: OperationName): Promise<AccessVerdict> {
    const refuse = (status: number, description: string): AccessVerdict => ({
      kind: "refused",
      response: gateway(operation, { status, description, environment }),
    });

    const authorization = call.request.headers.get("authorization");
    if (authorization === null) return refuse(401, "Required access token is missing.");
    const token = await readToken(authorization, sealer);
    if (token === null) return refuse(401, "Access token validation failed with status: Bad Request.");
    if (now() >= token.expiresAtMs) {
      return refuse(401, "Access token validation failed with error: expired_token. Request a new token.");
    }

    const consumerId = call.request.headers.get("wm_consumer.id");
    const named = consumerId === null || consumerId === "" || consumerId === "null" ? null : consumerId;
    const account = named === null ? null : await accounts.find(named);
    if (operation === "events" && (consumerId === null || (named !== null && account === null))) {
      return { kind: "refused", response: consumerNotFound(call) };
    }
    if (named === null) return refuse(403, "The consumer ID is not subscribed to the service.");
    if (named !== token.consumerId) {
      return refuse(401, "Holder consumer ID does not match the sender consumer ID.");
    }
    if (account?.subscribed !== true) return refuse(403, "The consumer ID is not subscribed to the service.");

    const waitMs = rateWindow.take(`${operation} ${named}`, now());
    if (waitMs > 0) return { kind: "refused", response: tooManyRequests(operation, environment, waitMs) };
    if (account.supplier === null) return { kind: "refused", response: consumerNotFound(call) };
    return { kind: "caller", consumerId: named, supplier: account.supplier };
  }

  return {
    issue: (consumerId) =>
      sealer.seal("access", {
        consumerId,
        expiresAtMs: now() + options.tokenLifetimeSeconds * 1000,
      } satisfies TokenContent),
    authorize,
  };
}

async function readToken(authorization: string, sealer: Sealer): Promise<TokenContent | null> {
  const token = /^Bearer +([^ ]+)$/i.exec(authorization)?.[1];
  if (token === undefined) return null;
  // Only content that `issue` sealed can be opened, so its shape is known.
  const content = (await sealer.open("access", token)) as TokenContent | undefined;
  return content ?? null;
}

function consumerNotFound(call: ServiceCall): Response {
  return problem(call, {
    kind: "authentication-failure",
    status: 401,
    detail: "The consumer ID is not found.",
  });
}
