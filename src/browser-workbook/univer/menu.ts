/**
 * The menus of the grid: the items that are hidden or moved, and INV's entries in the menu of a cell. Protection needs the grid
 * maker's own server, and "text to number" would remove the leading zeros of GTINs. The rest of the hidden items makes
 * room for what a stock workbook needs.
 */
import type { Dependency } from "@univerjs/core";
import type { FUniver } from "@univerjs/core/facade";
import { type FWorksheet, IMenuManagerService, MenuManagerService } from "@univerjs/preset-sheets-core";
import type { CellArea } from "../../formula/cells";
import type { Grid } from "./grid";
import { selectionOf } from "./grid-selection";

/** The same words and commands as in Excel (manifest.xml). */
const cellEntries = [
  { id: "refreshSelection", title: "Refresh selected INV cells" },
  { id: "copyWithValues", title: "Copy with values" },
] as const;

/** The add-in registers the commands while it loads; until then, an entry does nothing. */
export function addCellMenu(api: FUniver, run: (id: string) => void): void {
  for (const [order, { id, title }] of cellEntries.entries()) {
    api
      .createMenu({ id: `inv.${id}`, title, order, action: () => run(id) })
      .appendTo(["contextMenu.mainArea", "contextMenu.others"]);
  }
}

interface Insertion {
  readonly title: string;
  readonly header: "rowHeader" | "colHeader";
  insert(sheet: FWorksheet, selected: CellArea): void;
}

/** As many as are selected, as in Excel. */
const insertions: readonly Insertion[] = [
  {
    title: "Insert rows above",
    header: "rowHeader",
    insert: (sheet, { row, rows }) => sheet.insertRowsBefore(row, rows),
  },
  {
    title: "Insert columns left",
    header: "colHeader",
    insert: (sheet, { col, cols }) => sheet.insertColumnsBefore(col, cols),
  },
];

/** Replaces the grid's own entries, which do nothing at a click on their words. */
export function addInsertMenus(grid: Grid): void {
  for (const [order, { title, header, insert }] of insertions.entries()) {
    for (const area of ["mainArea", header]) {
      const action = (): void => {
        const { sheet, active } = selectionOf(grid);
        insert(sheet, active);
      };
      const id = `inv.${area}.${header}`;
      grid.api
        .createMenu({ id, title, order, action })
        .appendTo([`contextMenu.${area}`, "contextMenu.layout"]);
    }
  }
}

/** By the grid's command and menu ids. */
const hiddenItems = [
  "sheet.command.add-range-protection-from-toolbar",
  "sheet.command.add-range-protection-from-sheet-bar",
  "sheet.command.delete-worksheet-protection-from-sheet-bar",
  "sheet.command.change-sheet-protection-from-sheet-bar",
  "sheet.command.view-sheet-permission-from-sheet-bar",
  "sheet.contextMenu.permission",
  "sheet.toolbar.text-to-number",
  "sheet.contextMenu.text-to-number",
  "sheet.operation.open.conditional.formatting.panel",
  // addInsertMenus has these.
  "sheet.command.insert-row-before",
  "sheet.command.insert-col-before",
  "sheet.command.insert-multi-rows-above",
  "sheet.command.insert-multi-rows-after",
  "sheet.command.insert-multi-cols-before",
  "sheet.command.insert-multi-cols-right",
  "sheet.command.set-text-rotation",
  "sheet.command.set-vertical-text-align",
  "sheet.command.set-text-wrap",
  "sheet.command.set-range-italic",
  "sheet.command.set-range-underline",
  "sheet.command.set-range-fontsize",
  "sheet.command.set-range-font-family",
  "sheet.command.set-range-font-increase",
  "sheet.command.set-range-font-decrease",
  "sheet.command.set-range-stroke",
  "sheet.command.numfmt.set.currency",
  "base-ui.operation.toggle-shortcut-panel",
  ...["financial", "logical", "text", "date", "lookup", "math", "statistical"].map(insertFunction),
  ...["engineering", "information", "database"].map(insertFunction),
];

function insertFunction(category: string): string {
  return `formula-ui.operation.insert-function.${category}`;
}

export const hiddenMenuItems = Object.fromEntries(hiddenItems.map((id) => [id, { hidden: true }]));

const dataGroup = "ribbon.data.organization";
const seenGroup = "ribbon.start.others";

/** Shows the filter button in the toolbar, although its plugin chooses a group that is out of sight. */
class ToolbarMenus extends MenuManagerService {
  override mergeMenu(...[source, target]: Parameters<MenuManagerService["mergeMenu"]>): void {
    const { [dataGroup]: buttons, ...others } = source as Record<string, object>;
    super.mergeMenu(buttons === undefined ? source : { ...others, [seenGroup]: buttons }, target);
  }
}

/** For the configuration of the grid's UI. */
export const toolbarMenus: Dependency = [IMenuManagerService, { useClass: ToolbarMenus }];
