/**
 * What a tab of the pane is, for the table of tabs, their panels and the pane that shows them.
 */
import type { ComponentType } from "preact";
import type { ConnectionState } from "../../connection/types";
import type { Progress } from "../../engine/types";
import type { OpenWorkbook } from "../../workbook/open-workbook";
import type { PaneServices, TabId } from "../services";

/** What every panel may see; it takes what it needs. */
export interface TabProps {
  readonly services: PaneServices;
  readonly connection: ConnectionState;
  readonly progress: Progress;
  readonly workbook: OpenWorkbook;
  /** Whether the tab is in view: a hidden one prices, asks and ticks nothing. */
  readonly active: boolean;
  /** Brings another tab into view. */
  show(id: TabId): void;
}

export interface PaneTab {
  readonly id: TabId;
  readonly label: string;
  readonly Panel: ComponentType<TabProps>;
  /** Stands at the corner of the label and takes no room of its own. */
  readonly Badge?: ComponentType<{ services: PaneServices }>;
}
