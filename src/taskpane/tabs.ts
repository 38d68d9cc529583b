/**
 * The pane's tabs in their order, as one table: a new tab is a row here. What is the same for all (the line of
 * tabs, keeping what was typed, the first choice) is the pane's. A panel that is not needed at once is loaded
 * with `lazyPanel` as a chunk of its own, so that the first frame does not wait for it.
 */
import { ActivityTab, UnansweredBadge } from "./inspect/problems";
import { ConnectTab } from "./connect/connect-tab";
import { lazyPanel } from "./parts/lazy-panel";
import { RefreshTab } from "./refresh/refresh-tab";
import { SettingsTab } from "./settings/settings-tab";
import type { PaneTab } from "./parts/tab";

const LookPanel = lazyPanel(async () => {
  const { LookTab } = await import(/* webpackChunkName: "look" */ "./inspect/inspect-tab");
  return LookTab;
});
const TemplatesPanel = lazyPanel(async () => {
  const { TemplatesTab } = await import(/* webpackChunkName: "templates" */ "./build/build-tab");
  return TemplatesTab;
});

/** Six short words fit one line at 320 px; with more, or large letters, the line breaks in two. */
export const tabs: readonly PaneTab[] = [
  { id: "refresh", label: "Refresh", Panel: RefreshTab },
  { id: "look", label: "Look", Panel: LookPanel },
  { id: "templates", label: "Templates", Panel: TemplatesPanel },
  { id: "activity", label: "Activity", Panel: ActivityTab, Badge: UnansweredBadge },
  { id: "connect", label: "Connect", Panel: ConnectTab },
  { id: "settings", label: "Settings", Panel: SettingsTab },
];
