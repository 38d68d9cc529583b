/** The props of every tab, and of the parts of a tab that need an open workbook. */
import type { ConnectionState } from "../../connection/types";
import type { Progress } from "../../engine/types";
import type { OpenWorkbook } from "../../workbook/open-workbook";
import type { Workbook } from "../../workbook/port";
import type { Refresher } from "../../workbook/refresh/refresh";
import type { PaneServices, PartId, TabId } from "../services";

/** Opens a tab, and in it a fold. */
type Show = (tab: TabId, part?: PartId) => void;

export interface TabProps {
  readonly services: PaneServices;
  readonly connection: ConnectionState;
  readonly progress: Progress;
  readonly workbook: OpenWorkbook;
  /** Whether the tab is visible: a hidden tab requests nothing and runs no timer. */
  readonly active: boolean;
  /** Whether the pane shows only the connection form, because nothing is connected and no tab was chosen. */
  readonly alone: boolean;
  /** The fold to open. Each is a new object, so that the same fold can be opened again; null if none was asked for. */
  readonly requestedPart: RequestedPart | null;
  readonly show: Show;
}

export interface RequestedPart {
  readonly part: PartId;
}

export type ViewProps = Omit<TabProps, "workbook"> & {
  readonly workbook: Workbook;
  readonly refresher: Refresher;
};

/** Returns what a `Fold` needs to open when it is asked for. */
export function requestIf(requestedPart: RequestedPart | null, part: PartId): RequestedPart | null {
  return requestedPart?.part === part ? requestedPart : null;
}
