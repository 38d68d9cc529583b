/** Settings: a number that is none is refused in words and changes nothing; and what is cleared is said. */
import { root, shown } from "../page";
import { openPane } from "../pane-bed";

it("a freshness that is no whole number of minutes is told and not taken", async () => {
  const pane = await openPane();
  await pane.openTab("Settings");
  for (const typed of ["0", "1441", "1.5", ""]) {
    await pane.type("inv-freshness", typed);
    expect(shown()).toContain("Expected a whole number from 1 to 1440; kept 15.");
    expect(root.querySelector<HTMLInputElement>("#inv-freshness")?.value).toBe("15");
  }
  await pane.type("inv-freshness", "30");
  expect(shown()).not.toContain("Expected");
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
  await pane.press("Clear cached values");
  expect(shown()).toContain("Cleared. Cells keep their numbers");
  expect(pane.values()).toEqual([before]);
  expect(pane.services.engine.cachedItem(item)).toBeUndefined();
});
