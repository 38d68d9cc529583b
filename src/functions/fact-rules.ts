/** The functions that ask nobody: the environment that this workbook uses, and the event codes. */
import { InvError } from "../domain/errors";
import { eventTypes } from "../domain/event-types";
import type { FactRule } from "./rule";
import { isRefusal, readYesNo, refusalOf } from "./argument-values";

/** ENV: the environment's id, or an error if none is chosen. */
export const environment: FactRule<never> = {
  takesNoRanges: true,
  show({ context }) {
    const text = "No environment is chosen yet. Choose one in the INV pane.";
    return context.environmentId() ?? refusalOf(new InvError("not-connected", text));
  },
};

/** EVENTTYPES: the documented event codes. */
export const eventTypeTable: FactRule<"headers"> = {
  takesNoRanges: true,
  show(place) {
    const isHeaded = readYesNo(place.raw("headers"), "headers");
    if (isRefusal(isHeaded)) return isHeaded;
    const rows = eventTypes.map(({ category, code, meaning }) => [category, code, meaning]);
    return isHeaded ? [["Category", "Event type", "Meaning"], ...rows] : rows;
  },
};
