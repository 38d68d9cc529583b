/** Settings: wrong numbers are refused with a reason and change nothing; cached values can be cleared. */
import { inventory } from "../../helpers/scripted-service";
import { root, shown } from "../page";
import { openPane } from "../pane-bed";

it("a freshness that isn't a whole number of minutes is refused with a reason", async () => {
  const pane = await openPane();
  await pane.openTab("Settings");
  await pane.unfold("Values");
  for (const typed of ["0", "1441", "1.5", ""]) {
    await pane.type("inv-freshness", typed);
    expect(shown()).toContain("Enter a whole number from 1 to 1440. INV kept 15.");
    expect(root.querySelector<HTMLInputElement>("#inv-freshness")?.value).toBe("15");
  }
  await pane.type("inv-freshness", "30");
  expect(shown()).not.toContain("Enter a whole number");
  expect(pane.services.engine.settings.freshnessMs).toBe(30 * 60_000);
  await pane.openTab("Refresh");
  expect(shown()).toContain("Only values older than 30 min");
});

const item = { storeNumber: 1234, itemType: "gtin", value: "00012345678905" } as const;

it("clearing keeps the numbers and forgets the answers", async () => {
  const pane = await openPane({
    settings: { "inv.environment": "demo" },
    formulas: ['=INV.QTY(1234,"00012345678905")'],
  });
  const [before] = pane.values();
  await pane.openTab("Settings");
  await pane.unfold("Values");
  await pane.press("Clear cached values");
  expect(shown()).toContain("Cleared. Cells keep their numbers");
  expect(pane.values()).toEqual([before]);
  expect(pane.services.engine.cachedItem(item)).toBeUndefined();
});

it("diagnostics are copied without a secret, and shown where the clipboard is closed", async () => {
  let isClosed = false;
  const copied: string[] = [];
  const copyText = (text: string) =>
    isClosed ? Promise.reject(new Error("closed")) : Promise.resolve(void copied.push(text));
  const pane = await openPane({ settings: { "inv.environment": "demo" }, copyText });
  await pane.openTab("Settings");
  await pane.unfold("Diagnostics");
  await pane.press("Copy diagnostics");
  await pane.sees("Copied. Paste it into your message.");
  expect(copied[0]).toContain('"id": "demo"');
  expect(copied[0]).not.toContain("demo-secret");
  isClosed = true;
  await pane.press("Copy diagnostics");
  await pane.sees("Select the text and copy it.");
  expect(root.querySelector("textarea")?.value).toBe(copied[0]);
});

it("says whose requests the quota counts: this workbook's, or the company's if a team's server reports them", async () => {
  const formulas = ['=INV.QTY(1234,"00012345678905")'];
  const pane = await openPane({ settings: { "inv.environment": "demo" }, formulas });
  await pane.openTab("Settings");
  await pane.unfold("Quota");
  await pane.sees("1 of 600 by this workbook");
  const { environment, credentials } = pane.service.demo.connection;
  pane.services.engine.connect({ environment: { ...environment, pacedBy: "server" }, credentials });
  pane.service.demo.script((call) => {
    if (call.operation !== "search") return undefined;
    const response = inventory(call);
    response.headers.set("inv-quota", "540/600");
    return response;
  });
  await pane.openTab("Refresh");
  await pane.press(/^Refresh$/);
  await pane.sees("1 cell refreshed");
  await pane.openTab("Settings");
  await pane.sees("540 of 600 by your company");
});
