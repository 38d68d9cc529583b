/** Build: a sheet from a template, a formula, saved lists, freezing and mailing. */
import { lazyPanel } from "../parts/lazy-panel";
import type { TabProps } from "../parts/tab";
import { type View, Views } from "../parts/views";
import { Templates } from "./templates";

const InsertView = lazyPanel(() => import(/* webpackChunkName: "insert" */ "./insert"), "InsertView");
const SavedLists = lazyPanel(
  () => import(/* webpackChunkName: "saved-lists" */ "./saved-lists"),
  "SavedLists",
);
const FreezeAndMail = lazyPanel(
  () => import(/* webpackChunkName: "freeze-and-mail" */ "./freeze-and-mail"),
  "FreezeAndMail",
);

const views: readonly View[] = [
  { id: "templates", label: "Templates", Panel: Templates },
  { id: "formula", label: "Formula", Panel: InsertView },
  { id: "lists", label: "Lists", Panel: SavedLists },
  { id: "freeze", label: "Freeze and mail", Panel: FreezeAndMail },
];

export function BuildTab(props: TabProps) {
  return <Views {...props} tab="build" views={views} />;
}
