/** What a tab of the pane is given, and what each view within a tab is given. */
import type { ConnectionState } from "../../connection/types";
import type { Progress } from "../../engine/types";
import type { Freezer } from "../../workbook/frozen-formulas/freezer-types";
import type { OpenWorkbook } from "../../workbook/open-workbook";
import type { Workbook } from "../../workbook/port";
import type { PaneServices, TabId, ViewId } from "../services";

/** Brings a tab into view, and a view within it. */
export type Show = (tab: TabId, view?: ViewId) => void;

/** Every panel is given the same; it takes what it needs. */
export interface TabProps {
  readonly services: PaneServices;
  readonly connection: ConnectionState;
  readonly progress: Progress;
  readonly workbook: OpenWorkbook;
  /** Whether the tab is visible: a hidden one asks for nothing and runs no timer. */
  readonly active: boolean;
  /** Nothing is connected and no tab was chosen: the pane shows the connection form and nothing else. */
  readonly alone: boolean;
  /** The view that was last chosen within this tab; null for its first. */
  readonly view: ViewId | null;
  readonly show: Show;
}

/** What a view within a tab is given, with the workbook that is open. */
export type ViewProps = Omit<TabProps, "workbook" | "view"> & {
  readonly workbook: Workbook;
  readonly freezer: Freezer;
};
