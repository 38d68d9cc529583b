/**
 * INV's own entries in the menu of a cell, as Excel's menu has them (manifest.xml): the same words and commands.
 * The add-in fills the commands while it loads; an entry that is chosen before does nothing.
 */
import type { Grid } from "./create-grid";

const entries = [
  { id: "refreshSelection", title: "Refresh selected INV cells" },
  { id: "freezeSelection", title: "Freeze INV cells" },
  { id: "thawSelection", title: "Thaw INV cells" },
] as const;

/** @param run runs a command by its id */
export function addCellMenu(grid: Grid, run: (id: string) => void): void {
  for (const [order, { id, title }] of entries.entries()) {
    grid.api
      .createMenu({ id: `inv.${id}`, title, order, action: () => run(id) })
      .appendTo(["contextMenu.mainArea", "contextMenu.others"]);
  }
}
