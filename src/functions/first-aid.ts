/**
 * A hint for items the supplier does not have: a GTIN whose check digit is not valid is most likely a
 * typing error. Only a hint beside the service's reason, since retailers use such GTINs too.
 */
import { InvError } from "../domain/errors";
import { diagnoseGtin } from "../domain/gtin-first-aid";
import type { HistoryQuery, ItemQuery } from "../domain/records";
import { isRefusal, refusalOf, type Refusal } from "./values";

/** The same, with the hint where it is a "not mapped" of such a GTIN. */
export function withFirstAid<T>(
  shown: T | Refusal,
  query: ItemQuery | HistoryQuery | Refusal | null,
): T | Refusal {
  if (!isRefusal(shown) || shown.error.code !== "not-mapped") return shown;
  const gtin = query === null || isRefusal(query) ? null : gtinOf(query);
  if (gtin === null) return shown;
  const wrong = diagnoseGtin(gtin).findings.find(({ fault }) => fault === "wrong-check-digit");
  if (wrong === undefined) return shown;
  const { code, message, details } = shown.error;
  const hint = `Its check digit is not valid: was "${wrong.suggestion ?? ""}" meant?`;
  return refusalOf(new InvError(code, `${message}. ${hint}`, details));
}

function gtinOf(query: ItemQuery | HistoryQuery): string | null {
  if ("gtin" in query) return query.gtin;
  return query.itemType === "gtin" ? query.value : null;
}
