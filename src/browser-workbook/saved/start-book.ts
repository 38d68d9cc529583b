/**
 * A newcomer's workbook from INV's own templates: a sheet to try formulas in, which is built at once, and planning, item history
 * and functions, whose tabs are built when they are first shown. The workbook's settings name the tabs that are still empty. A
 * sheet that can't be built is reported, and tried again when it is shown again.
 */
import { messageOf } from "../../domain/errors";
import type { Template } from "../../domain/templates/template";
import type { Area, Workbook } from "../../workbook/port";
import { buildTemplate } from "../../workbook/templates/build";
import { builtInTemplate, functionsTemplate } from "../../workbook/templates/built-in";
import { demoRows, demoTries, readDemoData } from "../../workbook/templates/demo-data";
import { areaAt, noRows, type TemplateRows } from "../../workbook/templates/fill";
import { trySheet } from "../../workbook/templates/try-sheet";

/** The empty tabs: `history=<id of the sheet>`, separated by commas. */
const emptyTabsSetting = "inv.emptyTabs";

const laterSheets: ReadonlyMap<string, () => Template> = new Map([
  ["planning", () => builtInTemplate("planning")],
  ["history", () => builtInTemplate("history")],
  ["functions", functionsTemplate],
]);

export interface StartBook {
  /** Builds the first sheet and adds the empty tabs. Returns the problem; "" if there is none. */
  build(): Promise<string>;
  /** Whether this sheet is a tab that is still empty. */
  isEmpty(sheetId: string): boolean;
  /** Ids of the sheets that are still empty. */
  emptyTabs(): readonly string[];
  /** Fills the tab. Does nothing for any other sheet. Returns the problem; "" if there is none. */
  fill(sheetId: string): Promise<string>;
  /**
   * Finds the result cell of a function (`QTY`, in any letter case) for `/?show=QTY`; null if the function is unknown or its
   * sheet is gone. Each block of the template starts with a function's name and ends with its result.
   */
  resultOf(name: string): Promise<Area | null>;
}

/** @param demoData reads the answer of `/demo-data`; rejects if the server has none */
export async function openStartBook(
  workbook: Workbook,
  demoData: () => Promise<unknown>,
): Promise<StartBook> {
  const emptyTabs = readTabs(await workbook.setting(emptyTabsSetting));
  const data = () => demoData().then(readDemoData);
  const saveTabs = () =>
    workbook.setSetting(
      emptyTabsSetting,
      [...emptyTabs].map(([id, template]) => `${template}=${id}`).join(","),
    );

  async function build(port: Workbook, template: Template, rows: Promise<TemplateRows>): Promise<string> {
    try {
      await buildTemplate(port, { template, rows: await rows, columns: new Set() });
      return "";
    } catch (error) {
      return `The ${template.sheet.name} sheet could not be built: ${messageOf(error)}`;
    }
  }

  async function addTab(name: string, { sheet }: Template): Promise<void> {
    const { frozenRows = 0, frozenCols = 0 } = sheet;
    emptyTabs.set(await workbook.addSheet(sheet.name, { frozenRows, frozenCols }), name);
  }

  return {
    async build() {
      const problem = await build(workbook, trySheet(), data().then(demoTries));
      for (const [name, template] of laterSheets) await addTab(name, template());
      await saveTabs();
      return problem;
    },
    isEmpty: (sheetId) => emptyTabs.has(sheetId),
    emptyTabs: () => [...emptyTabs.keys()],
    async fill(sheetId) {
      const name = emptyTabs.get(sheetId) ?? "";
      const template = laterSheets.get(name)?.();
      const sheet = (await workbook.sheets()).find(({ id }) => id === sheetId)?.name;
      if (template === undefined || sheet === undefined) return "";
      emptyTabs.delete(sheetId);
      // Leave a tab in which somebody was quicker.
      const isFree = (await workbook.usedArea(sheet)) === null;
      const rows = name === "functions" ? Promise.resolve(noRows) : data().then(demoRows);
      const problem = isFree ? await build(insideOf(workbook, sheetId), template, rows) : "";
      if (problem !== "") emptyTabs.set(sheetId, name);
      await saveTabs();
      return problem;
    },
    async resultOf(name) {
      const heading = `INV.${name.toUpperCase()}`;
      const template = functionsTemplate();
      const sheet = template.sheet.name;
      const hasSheet = (await workbook.sheets()).some((each) => each.name === sheet);
      const block = hasSheet ? template.blocks?.find(({ rows }) => rows[0]?.[0] === heading) : undefined;
      if (block === undefined) return null;
      const { row, col } = areaAt(block.at);
      return { sheet, row, col: col + (block.rows[0]?.length ?? 1) - 1, rows: 1, cols: 1 };
    },
  };
}

function readTabs(setting: string | null): Map<string, string> {
  const pairs = (setting ?? "").split(",").map((pair) => pair.split("="));
  return new Map(pairs.flatMap(([name = "", id]) => (id === undefined ? [] : [[id, name] as const])));
}

/** A template that is built through this port fills the given sheet, and moves no selection. */
function insideOf(workbook: Workbook, sheetId: string): Workbook {
  const inside: Partial<Workbook> = {
    addSheet: () => Promise.resolve(sheetId),
    deleteSheet: () => Promise.resolve(),
    select: () => Promise.resolve(),
  };
  return {
    ...workbook,
    ...inside,
    step: (work, options) => workbook.step((stepWorkbook) => work({ ...stepWorkbook, ...inside }), options),
  };
}
