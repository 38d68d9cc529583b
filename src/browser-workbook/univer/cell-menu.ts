/**
 * Adds INV's entries to a cell's menu, with the same words and commands as in Excel (manifest.xml). The add-in
 * registers the commands while it loads; until then, an entry does nothing.
 */
import type { Grid } from "./create-grid";

const entries = [
  { id: "refreshSelection", title: "Refresh selected INV cells" },
  { id: "freezeSelection", title: "Freeze INV cells" },
  { id: "thawSelection", title: "Thaw INV cells" },
] as const;

export function addCellMenu(grid: Grid, run: (id: string) => void): void {
  for (const [order, { id, title }] of entries.entries()) {
    grid.api
      .createMenu({ id: `inv.${id}`, title, order, action: () => run(id) })
      .appendTo(["contextMenu.mainArea", "contextMenu.others"]);
  }
}
