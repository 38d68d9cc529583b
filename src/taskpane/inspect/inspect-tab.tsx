/** Inspect: the selected cell, why cells have no value, and the check of a list of items. */
import { lazyPanel } from "../parts/lazy-panel";
import type { TabProps } from "../parts/tab";
import { type View, Views } from "../parts/views";
import { ProblemBadge } from "./problem-badge";
import { SelectedCell } from "./selected-cell";

const Problems = lazyPanel(() => import(/* webpackChunkName: "problems" */ "./problems"), "Problems");
const CheckItems = lazyPanel(
  () => import(/* webpackChunkName: "check-items" */ "./check-items"),
  "CheckItems",
);

const views: readonly View[] = [
  { id: "cell", label: "Selected cell", Panel: SelectedCell },
  { id: "problems", label: "Problems", Panel: Problems, Badge: ProblemBadge },
  { id: "check", label: "Check items", Panel: CheckItems },
];

export function InspectTab(props: TabProps) {
  return <Views {...props} tab="inspect" views={views} />;
}
