/**
 * Settings in the file, with two people in it. Office saves all of them from its own copy (documented for
 * Office.Settings), and reading them was seen to return nothing (office-js 594).
 */
import { createOfficeWorkbook } from "../../../src/workbook/office/workbook";
import { openExcelOn } from "../../excel/excel-in-node";
import { openWorkbook } from "./office-stage";

describe("settings", () => {
  it("travel in the file", async () => {
    const { excel, workbook } = openWorkbook("Plan");
    expect(await workbook.setting("inv.environment")).toBeNull();
    await workbook.setSetting("inv.environment", "sandbox");
    expect(excel.saved.get("inv.environment")).toBe("sandbox");
    expect(await workbook.setting("inv.environment")).toBe("sandbox");
  });

  it("that a colleague has changed stay when another setting is saved", async () => {
    const file = new Map<string, unknown>([["inv.environment", "demo"]]);
    const [one, other] = [openExcelOn(file, "Plan"), openExcelOn(file, "Plan")].map(createOfficeWorkbook);
    await other!.setSetting("inv.environment", "production");
    await one!.setSetting("inv.as-of", "2026-11-20T09:00:00.000Z");
    expect(Object.fromEntries(file)).toEqual({
      "inv.environment": "production",
      "inv.as-of": "2026-11-20T09:00:00.000Z",
    });
    expect(await one!.setting("inv.environment")).toBe("production");
  });

  it("that are empty when read again aren't saved as empty", async () => {
    const excel = openExcelOn(new Map([["inv.environment", "demo"]]), "Plan");
    const workbook = createOfficeWorkbook(excel);
    excel.readsEmpty = true;
    await workbook.setSetting("inv.mailed", "offer");
    expect(Object.fromEntries(excel.saved)).toEqual({ "inv.environment": "demo", "inv.mailed": "offer" });
  });

  it("that were refused aren't saved with a later one", async () => {
    const { excel, workbook } = openWorkbook("Plan");
    excel.failsToSave = true;
    await expect(workbook.setSetting("inv.environment", "demo")).rejects.toThrow(/read-only/);
    excel.failsToSave = false;
    excel.readsEmpty = true;
    await workbook.setSetting("inv.mailed", "offer");
    expect(excel.saved.get("inv.environment") ?? null).toBeNull();
  });

  it("that can't be saved are reported", async () => {
    const { excel, workbook } = openWorkbook("Plan");
    excel.failsToSave = true;
    await expect(workbook.setSetting("inv.environment", "demo")).rejects.toMatchObject({ code: "internal" });
  });
});
