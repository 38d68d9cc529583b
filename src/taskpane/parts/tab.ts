/** The props of every tab, and of every view within a tab. */
import type { ConnectionState } from "../../connection/types";
import type { Progress } from "../../engine/types";
import type { OpenWorkbook } from "../../workbook/open-workbook";
import type { Workbook } from "../../workbook/port";
import type { Refresher } from "../../workbook/refresh/refresh";
import type { PaneServices, TabId, ViewId } from "../services";

type Show = (tab: TabId, view?: ViewId) => void;

export interface TabProps {
  readonly services: PaneServices;
  readonly connection: ConnectionState;
  readonly progress: Progress;
  readonly workbook: OpenWorkbook;
  /** Whether the tab is visible: a hidden tab requests nothing and runs no timer. */
  readonly active: boolean;
  /** Whether the pane shows only the connection form, because nothing is connected and no tab was chosen. */
  readonly alone: boolean;
  /** The view that was last chosen within this tab; null for the first. */
  readonly view: ViewId | null;
  readonly show: Show;
}

export type ViewProps = Omit<TabProps, "workbook" | "view"> & {
  readonly workbook: Workbook;
  readonly refresher: Refresher;
};
