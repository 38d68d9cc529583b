/** A workbook that this device has not seen asks once before it uses remembered credentials. */
import { openPane, productionLike, usableEnvironments } from "./pane-host";
import { connectTo, reloadPane, tabTo } from "./pane-parts";
import { eventually, gone, problemsInBothThemes } from "./support";

const refused = "#VALUE! Allow Production for this workbook in the INV pane.";
const known = '=INV.QTY(1234,"00012345678905")';
const question = /This workbook asks for Production, with your remembered credentials/;

/** Remembers credentials on this device, then opens another workbook, as from a mail. */
async function openMailed() {
  const environments = [...(await usableEnvironments()), productionLike()];
  const settings = { "inv.environment": "production" };
  const opened = await openPane({ environments, settings, formulas: [known], width: 350 });
  const { page, pane } = opened;
  await connectTo(pane, "production", true);
  await pane.locator(".header-production", { hasText: "Ready" }).waitFor();
  // After this reload the host has lost the workbook's settings and starts with the given ones again.
  const sent: string[] = [];
  page.on("framenavigated", (frame) => {
    if (frame === page.mainFrame()) sent.length = 0;
  });
  page.on("request", (request) => {
    if (request.url().includes("/relay/")) sent.push(request.url());
  });
  await page.reload();
  const mailed = page.frames().find((frame) => frame.url().endsWith("/workbook-pane.html"))!;
  await mailed.getByText(question).waitFor();
  await eventually(async () => expect(await opened.values()).toEqual([refused]));
  expect(sent).toEqual([]);
  return { ...opened, pane: mailed };
}

it("an unseen workbook that names Production sends nothing and says where to allow it; a yes by keyboard fills its cells, once and for all", async () => {
  const { page, pane, values, settings } = await openMailed();
  expect(await problemsInBothThemes(pane)).toEqual([]);
  await tabTo(pane, pane.locator(".notices .button", { hasText: "Connect" }));
  await page.keyboard.press("Enter");
  await gone(pane.getByText(question));
  await eventually(async () => expect(await values()).toEqual([expect.any(Number)]));
  await eventually(async () =>
    expect(await settings()).toMatchObject({
      "inv.environment": "production",
      "inv.mark": expect.any(String) as string,
    }),
  );

  // The add-in starts again in the same workbook.
  await reloadPane(pane);
  await pane.locator(".header-production", { hasText: "Not up to date" }).waitFor();
  expect(await pane.getByText(question).count()).toBe(0);
});
