/**
 * Kinds of event as the chart marks them: the documented categories, each with a shape of its own, so that no kind
 * is told by its colour alone. Shapes are paths in a square from -1 to 1, drawn alike on the chart and in its legend.
 */
import { categoryOf } from "../../domain/event-types";

export interface EventKind {
  /** Part of a class name. */
  readonly id: string;
  readonly label: string;
  /** Corners of the shape; null for a circle. */
  readonly corners: readonly (readonly [x: number, y: number])[] | null;
}

const sales: EventKind = {
  id: "sales",
  label: "Sales and returns",
  corners: [
    [-1, -0.8],
    [1, -0.8],
    [0, 1],
  ],
};
const other: EventKind = { id: "other", label: "Other", corners: null };

const kinds: Readonly<Record<string, EventKind>> = {
  "Sales and returns": sales,
  "Store receiving": {
    id: "receiving",
    label: "Store receiving",
    corners: [
      [-1, 0.8],
      [1, 0.8],
      [0, -1],
    ],
  },
  "Store inventory and adjustments": {
    id: "adjustments",
    label: "Adjustments",
    corners: [
      [0, -1.1],
      [1.1, 0],
      [0, 1.1],
      [-1.1, 0],
    ],
  },
  "DC-level events": {
    id: "dc",
    label: "Distribution centre",
    corners: [
      [-0.8, -0.8],
      [0.8, -0.8],
      [0.8, 0.8],
      [-0.8, 0.8],
    ],
  },
};

export function kindOf(eventType: string): EventKind {
  return kinds[categoryOf(eventType)] ?? other;
}
