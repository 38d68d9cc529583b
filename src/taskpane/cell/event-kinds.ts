/**
 * Kinds of event as the chart marks them: the documented categories. Each has its own shape, because colour alone doesn't
 * suffice. The chart and its legend draw the same path, in a square from -1 to 1.
 */
import { categoryOf } from "../../domain/event-types";

export interface EventKind {
  /** Part of a CSS class name. */
  readonly id: string;
  readonly label: string;
  /** SVG path data. */
  readonly path: string;
}

const other: EventKind = { id: "other", label: "Other", path: "M-.9 0A.9.9 0 1 1 .9 0A.9.9 0 1 1-.9 0Z" };

const kinds: Readonly<Record<string, EventKind>> = {
  "Sales and returns": { id: "sales", label: "Sales and returns", path: "M-1-.8H1L0 1Z" },
  "Store receiving": { id: "receiving", label: "Store receiving", path: "M-1 .8H1L0-1Z" },
  "Store inventory and adjustments": {
    id: "adjustments",
    label: "Adjustments",
    path: "M0-1.1L1.1 0L0 1.1L-1.1 0Z",
  },
  "DC-level events": { id: "dc", label: "Distribution centre", path: "M-.8-.8H.8V.8H-.8Z" },
};

export function kindOf(eventType: string): EventKind {
  return kinds[categoryOf(eventType)] ?? other;
}
