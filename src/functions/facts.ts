/** What INV tells by itself, so that nobody is asked: which environment this workbook uses, and the event codes. */
import { InvError } from "../domain/errors";
import { eventTypes } from "../domain/event-types";
import { rawAt } from "./queries";
import type { TellingRule } from "./rule";
import { isRefusal, readSwitch, refusalOf } from "./values";

/** ENV: the environment's id; an error while none is chosen. The cell is one of that environment. */
export const environment: TellingRule<never> = {
  isTable: true,
  tell(_cells, { session }) {
    const text = "No environment is chosen yet. Choose one in the INV pane.";
    return session.environmentId() ?? refusalOf(new InvError("not-connected", text));
  },
};

/** EVENTTYPES: the documented event codes. */
export const eventTypeTable: TellingRule<"headers"> = {
  isTable: true,
  tell(cells) {
    const isHeaded = readSwitch(rawAt(cells, "headers"), "headers");
    if (isRefusal(isHeaded)) return isHeaded;
    const rows = eventTypes.map(({ category, code, meaning }) => [category, code, meaning]);
    return isHeaded ? [["Category", "Event type", "Meaning"], ...rows] : rows;
  },
};
