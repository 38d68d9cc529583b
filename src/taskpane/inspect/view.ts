/** What each view of Look is given: the pane's own properties, with the workbook that is open. */
import type { Workbook } from "../../workbook/port";
import type { TabProps } from "../parts/tab";

export type ViewProps = Omit<TabProps, "workbook"> & { readonly workbook: Workbook };
