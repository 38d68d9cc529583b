/** Build: a sheet from a template, a formula, lists, and copies with values. */
import { lazyPanel } from "../parts/lazy-panel";
import type { TabProps } from "../parts/tab";
import { type View, Views } from "../parts/views";
import { Templates } from "./templates";

const InsertView = lazyPanel(() => import(/* webpackChunkName: "insert" */ "./insert"), "InsertView");
const Lists = lazyPanel(() => import(/* webpackChunkName: "lists" */ "./lists"), "Lists");
const Share = lazyPanel(() => import(/* webpackChunkName: "share" */ "./share"), "Share");

const views: readonly View[] = [
  { id: "templates", label: "Templates", Panel: Templates },
  { id: "formula", label: "Formula", Panel: InsertView },
  { id: "lists", label: "Lists", Panel: Lists },
  { id: "share", label: "Share", Panel: Share },
];

export function BuildTab(props: TabProps) {
  return <Views {...props} tab="build" views={views} />;
}
