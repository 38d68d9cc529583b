/** A reload shows what was shown, and sends nothing, also while the service is away, on an English and on a German system. */
import { isSaved, saved } from "./saved-workbook";
import { openScratch, scratch, undoAfterEach, type WorkbookPage } from "./workbook-page";

const gtins = ["00012345678905", "00012345678912", "00012345678929"];

describe.each(["en-US", "de-DE"] as const)("on a system in %s", (locale) => {
  let workbook: WorkbookPage;
  const requests: string[] = [];
  beforeAll(async () => {
    workbook = await openScratch({ locale });
    workbook.page.on("request", (request) => {
      if (request.url().includes("/relay/")) requests.push(request.url());
    });
  });
  afterAll(() => workbook.page.context().close());
  undoAfterEach(() => workbook);
  beforeEach(() => void requests.splice(0));

  /** The service and the sign-in are away; the page itself isn't. */
  async function endService(): Promise<void> {
    await workbook.page.route("**/relay/**", (route) => route.abort());
    requests.splice(0);
  }

  /** Reloads once the book on this device contains the text. */
  async function reloadWith(text: string): Promise<void> {
    await workbook.until(isSaved(workbook.page, text));
    await workbook.page.reload();
    await workbook.settled();
  }

  test("keeps numbers, tables, dates and errors of formulas that fill cells, while the service is away", async () => {
    await workbook.write([scratch, 0, 0], [[null, ...gtins]]);
    await workbook.write([scratch, 1, 0], [[1234], [1402], [100]]);
    await workbook.write([scratch, 1, 1], [["=INV.QTY(A2:A4,B1:D1)"]]);
    await workbook.write([scratch, 1, 5], [[`=INV.EVENTS(1234,"${gtins[1]}")`]]);
    await workbook.write([scratch, 6, 0], [["=SUM(B2:D2)+A9"], ['=INV.QTY(1234,"5")'], [0]]);
    await workbook.write([scratch, 12, 0], [[`=INV.QTY(1234,{"${gtins[0]}";"${gtins[1]}"})`], ["here"]]);
    await workbook.settled();
    const everything = [scratch, 0, 0, 20, 12] as const;
    const [values, texts] = [await workbook.values(...everything), await workbook.texts(...everything)];
    expect(values[1]?.slice(1, 4)).toEqual([expect.any(Number), expect.any(Number), expect.any(Number)]);
    expect(typeof values[2]?.[5]).toBe("number");
    expect(values[12]?.[0]).toBe("#SPILL!");
    await endService();
    await workbook.write([scratch, 30, 0], [["last edit"]]);
    await reloadWith("last edit");
    expect(await workbook.values(...everything)).toEqual(values);
    expect(await workbook.texts(...everything)).toEqual(texts);
    expect(requests).toEqual([]);
    // A formula that refers to the filled cells is calculated with them.
    await workbook.write([scratch, 8, 0], [[1_000]]);
    await workbook.settled();
    expect(await workbook.values(scratch, 6, 0)).toEqual([[Number(values[6]?.[0]) + 1_000]]);
    expect(requests).toEqual([]);
  });

  test("calculates a formula that was saved while it waited, and one whose cells were in the way", async () => {
    // A request that is held up would end as an error on a slow machine.
    await workbook.page.evaluate(() =>
      window.invHost!.customFunctions.associate("QTY", () => new Promise(() => undefined)),
    );
    await workbook.write([scratch, 40, 0], [["=SEQUENCE(2,1,5)"], ["in the way"]]);
    await workbook.write([scratch, 40, 1], [[`=INV.QTY(1234,{"${gtins[0]}";"${gtins[1]}"})`]]);
    await workbook.until(isSaved(workbook.page, "in the way"));
    const snapshot = JSON.stringify((await saved(workbook.page))?.snapshot);
    expect(snapshot).not.toContain("#BUSY!");
    await workbook.page.reload();
    await workbook.settled();
    expect((await workbook.values(scratch, 40, 1, 2)).flat()).toEqual([
      expect.any(Number),
      expect.any(Number),
    ]);
    expect(await workbook.values(scratch, 40, 0)).toEqual([["#SPILL!"]]);
    await workbook.write([scratch, 41, 0], [[null]]);
    await workbook.settled();
    expect(await workbook.values(scratch, 40, 0, 2)).toEqual([[5], [6]]);
  });
});
