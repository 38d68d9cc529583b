/**
 * The conditions of the service's document that lead to anything but a value, row by row: the row's words, status and body, and the
 * calls that prove it. Refused calls are beyond the row's bound, answered calls just within it.
 */
import { access, type Condition, good, type Kind, problem, type Row } from "./condition";
import { eventsRows } from "./conditions-events";
import { searchRows } from "./conditions-search";

const expired = "Access token validation failed with error: expired_token. Request a new token.";
const tooMany: Kind = {
  table: "Other statuses",
  status: 429,
  body: { shape: "gateway", description: "Too many requests. Retry after some time." },
};
const unavailable = problem("Other statuses", 500, {
  kind: "internal-server-error",
  detail: "One or more services are unavailable. Try again later, or contact support.",
});
const lifetimeMs = 900_000;

const both: readonly Row[] = [
  {
    ...access(401, "Required access token is missing."),
    condition: "`Authorization` header missing",
    change: [{ token: "missing" }],
  },
  {
    ...access(401, "Access token validation failed with status: Bad Request."),
    condition: "Token malformed or invalid",
    change: [{ token: "malformed" }, { token: "changed" }, { token: "without Bearer" }],
  },
  {
    ...access(401, expired),
    condition: "Token expired",
    change: [{ afterMs: lifetimeMs }],
    answeredChange: { afterMs: lifetimeMs - 1 },
  },
  {
    ...access(401, "Holder consumer ID does not match the sender consumer ID."),
    condition: "Token issued to a different consumer than the sender",
    change: [{ token: "of another consumer" }],
  },
  {
    ...tooMany,
    condition: "Request quota exceeded: 600 in 60 seconds",
    // The last call before is answered, too.
    change: [{ before: 600 }],
  },
  {
    ...unavailable,
    condition: "One or more internal services are unavailable",
    change: [{ fault: "500=100%" }],
  },
];

export const conditions: readonly Condition[] = (["search", "events"] as const).flatMap((endpoint) =>
  [...both, ...(endpoint === "search" ? searchRows : eventsRows)].map(
    ({ change = [], answeredChange, ...row }) => ({
      refused: change.map((each) => ({ ...good[endpoint], ...each })),
      answered: [{ ...good[endpoint], ...answeredChange }],
      ...row,
      endpoint,
    }),
  ),
);
