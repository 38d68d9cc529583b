/** The props of every tab, and of every view within a tab. */
import type { ConnectionState } from "../../connection/types";
import type { Progress } from "../../engine/types";
import type { Freezer } from "../../workbook/frozen-formulas/freezer-types";
import type { OpenWorkbook } from "../../workbook/open-workbook";
import type { Workbook } from "../../workbook/port";
import type { PaneServices, TabId, ViewId } from "../services";

/** Brings a tab into view, and a view within it. */
export type Show = (tab: TabId, view?: ViewId) => void;

export interface TabProps {
  readonly services: PaneServices;
  readonly connection: ConnectionState;
  readonly progress: Progress;
  readonly workbook: OpenWorkbook;
  /** Visible: a hidden tab requests nothing and runs no timer. */
  readonly active: boolean;
  /** Nothing is connected and no tab was chosen: the pane shows the connection form and nothing else. */
  readonly alone: boolean;
  /** The view that was last chosen within this tab; null for its first. */
  readonly view: ViewId | null;
  readonly show: Show;
}

/** With the open workbook. */
export type ViewProps = Omit<TabProps, "workbook" | "view"> & {
  readonly workbook: Workbook;
  readonly freezer: Freezer;
};
