/**
 * Build: a sheet from a template, a formula, saved lists, freezing and mailing. The tab and each view but its first
 * are chunks of their own, loaded when they are first chosen.
 */
import { lazyPanel } from "../parts/lazy-panel";
import type { TabProps } from "../parts/tab";
import { type View, Views } from "../parts/views";
import { Templates } from "./templates";

const InsertView = lazyPanel(async () => {
  const { InsertView: Panel } = await import(/* webpackChunkName: "insert" */ "./insert");
  return Panel;
});
const SavedLists = lazyPanel(async () => {
  const { SavedLists: Panel } = await import(/* webpackChunkName: "saved-lists" */ "./saved-lists");
  return Panel;
});
const FreezeAndMail = lazyPanel(async () => {
  const { FreezeAndMail: Panel } = await import(
    /* webpackChunkName: "freeze-and-mail" */ "./freeze-and-mail"
  );
  return Panel;
});

const views: readonly View[] = [
  { id: "templates", label: "Templates", Panel: Templates },
  { id: "formula", label: "Formula", Panel: InsertView },
  { id: "lists", label: "Lists", Panel: SavedLists },
  { id: "freeze", label: "Freeze and mail", Panel: FreezeAndMail },
];

export function BuildTab(props: TabProps) {
  return <Views {...props} tab="build" views={views} />;
}
