/**
 * Reads a provider's claims: whether a person is allowed, their name, and whether they may publish templates.
 */
import type { Settings } from "../settings/schema";
import type { SignedIn } from "./sessions";

export type SignInSettings = NonNullable<Settings["signIn"]>;

export type Claims = Readonly<Record<string, unknown>>;

type Rule = Pick<SignInSettings["allow"], "claim" | "values">;

/** Returns whether the claim is one of the values, or is a list that contains one. */
export function mayComeIn(claims: Claims, { claim, values }: Rule): boolean {
  // An unverified email address proves nothing, because anybody can enter it.
  const { email_verified: verified } = claims;
  if (claim === "email" && verified !== true && verified !== "true") return false;
  const found = claims[claim];
  const claimValues: readonly unknown[] = Array.isArray(found) ? found : [found];
  return claimValues.some(
    (one) => ["string", "boolean", "number"].includes(typeof one) && values.includes(String(one)),
  );
}

const longestName = 60;

export function mayPublish(claims: Claims, { templates }: Pick<SignInSettings, "templates">): boolean {
  return templates !== undefined && mayComeIn(claims, templates);
}

export function signedInAs(
  subject: string,
  claims: Claims,
  rest: Pick<SignedIn, "refreshToken" | "mayPublish">,
): SignedIn {
  const names = [claims["name"], claims["preferred_username"], claims["email"], subject];
  const name = names.map(lineOf).find((one) => one !== "") ?? "You";
  return { subject, name, ...rest };
}

/** Returns the value as one line without control characters, for panes and logs. */
function lineOf(value: unknown): string {
  if (typeof value !== "string") return "";
  return value
    .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ")
    .trim()
    .slice(0, longestName);
}
