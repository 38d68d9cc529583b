/**
 * Templates in the browser workbook: the gallery by keyboard and its accessibility, each template built and its values
 * compared with the service's own answers.
 */
import { builtInTemplates } from "../../src/workbook/templates/built-in";
import { button, openTab, unfold } from "./pane-parts";
import { eventually, gone, isCutOff, problemsInBothThemes } from "./support";
import { askService, narrow, openScratch, scratch, type WorkbookPage } from "./workbook-page";

let workbook: WorkbookPage;

beforeAll(async () => {
  workbook = await openScratch();
  await workbook.write([scratch, 60, 0], [[`=INV.QTY(1234,"${gtin}")`]]);
  await workbook.settled();
  await openTab(workbook.pane(), "Templates");
  await workbook.pane().getByText("Planning sheet").waitFor();
});

const gtin = "00012345678905";
const second = "00012345678912";
/** An item that no cell has asked for. */
const unasked = "00099912345674";
/** An item of another supplier. */
const foreign = "00098765432105";

/** Builds a template from the gallery with typed rows, and waits for its values. */
async function build(
  title: string,
  rows: string,
  { switches = [], gtins = "" }: { readonly switches?: readonly string[]; readonly gtins?: string } = {},
): Promise<string> {
  const pane = workbook.pane();
  await pane.getByRole("button", { name: new RegExp(`^${title}`) }).click();
  if (rows !== "") await pane.getByLabel(/Or type or paste (?:them|the stores)/).fill(rows);
  if (gtins !== "") await pane.getByLabel(/And the GTINs/).fill(gtins);
  for (const name of switches) await pane.getByLabel(name).check();
  await button(pane, "Build the sheet").click();
  const done = await pane.getByText(/The sheet ".*" is built/).textContent();
  await workbook.settled();
  // The pane mentions pending values only until they arrive.
  await pane.getByText(/^\s*The sheet ".*" is built\.$/).waitFor();
  await button(pane, "All templates").click();
  return /"(.*)"/.exec(done ?? "")?.[1] ?? "";
}

test("the gallery breaks no rule and fits a narrow pane", async () => {
  const pane = workbook.pane();
  const count = builtInTemplates().length;
  await eventually(async () => expect(await pane.locator(".template-card").count()).toBe(count));
  await narrow(pane);
  expect(await problemsInBothThemes(pane)).toEqual([]);
  expect(await isCutOff(pane)).toBe(false);
});

test("the form tells the rows, the bad ones, and the price before anything is asked", async () => {
  const pane = workbook.pane();
  const searches = workbook.searches.length;
  await pane.getByRole("button", { name: /^Planning sheet/ }).click();
  await pane
    .getByLabel(/Or type or paste them/)
    .fill(`1234 ${unasked}\n12A ${unasked}\n57 ${unasked}\n1234 ${unasked}`);
  // A column with a wrong value is taken only if a person chooses it.
  await pane.getByText("Choose the column of stores.").waitFor();
  await pane.getByLabel("Stores", { exact: true }).selectOption({ label: "A" });
  await pane.getByText("2 rows of store and GTIN. 1 repeated row left out.").waitFor();
  await pane.getByText(/Row 2: .*12A/).waitFor();
  await pane.getByText(/^Uses 2 of \d+ requests, /).waitFor();
  await pane.getByLabel("Sold per day").check();
  await pane.getByText(/^Uses 2 of \d+ requests and at least \d+ for histories/).waitFor();
  expect(await problemsInBothThemes(pane)).toEqual([]);
  const names = [`1234\t${gtin}\tOats`, `57\t${gtin}\tOat flakes`];
  await pane.getByLabel(/Or type or paste them/).fill(["Store\tGTIN\tItem name", ...names].join("\n"));
  await pane.getByText("Several names in the list. The last is used:").waitFor();
  await pane.getByText(`${gtin} Oat flakes`, { exact: true }).waitFor();
  expect(await problemsInBothThemes(pane)).toEqual([]);
  // INV already has the value that a cell shows.
  await pane.getByLabel("Sold per day").uncheck();
  await pane.getByLabel(/Or type or paste them/).fill(`1234 ${gtin}`);
  await pane.getByText("Uses no requests: INV has all values.").waitFor();
  expect(workbook.searches.length).toBe(searches);
  await button(pane, "All templates").click();
});

test("a check names the rows that have a store alone", async () => {
  const pane = workbook.pane();
  await unfold(pane, "Check a list");
  await pane.getByLabel(/Or type or paste the list/).fill(`1234 ${gtin}\n57`);
  await button(pane, /^Check$/).click();
  await pane.getByText("2 stores and 1 item checked. 1 finding.").waitFor();
  await unfold(pane, "A row with a store and no item, or the reverse");
  await pane.getByText("The item is blank, so INV shows nothing in this row.").waitFor();
  expect(await problemsInBothThemes(pane)).toEqual([]);
});

test("every template shows what the service says, and complains of nothing", async () => {
  const service = await askService();
  const quantity = async (store: number, item: string, area = "STORE") => {
    const record = await service.item(store, item);
    const found = record.inventory_locations.find(
      (one) => one.location_area === area && one.state === "AVAILABLE",
    );
    return found === undefined ? null : Number(found.quantity);
  };
  const total = async (store: number, item: string, type: string) => {
    const events = await service.events(store, item);
    return events
      .filter(({ event_type }) => event_type === type)
      .reduce((sum, { event_qty }) => sum + Number(event_qty), 0);
  };
  const rows = `1234 ${gtin}\n1234 ${second}\n57 ${gtin}`;
  const shelf = [await quantity(1234, gtin), await quantity(1234, second), await quantity(57, gtin)];
  const sold = Math.abs(await total(1234, gtin, "SALES"));

  const withForeign = `${rows}\n1234 ${foreign}`;
  const planning = await build("Planning sheet", withForeign, {
    switches: ["Sold per day", "Days of cover"],
  });
  const planned = await workbook.values(planning, 1, 0, 4, 10);
  expect(planned.slice(0, 3).map((row) => row[2])).toEqual(shelf);
  expect(planned[0]?.[3]).toBe((await quantity(1234, gtin, "BACKROOM")) ?? "–");
  // Six whole days and the part of today until the numbers were fetched.
  const [[asOf] = []] = await workbook.values(planning, 2, 12, 1, 1);
  const soldPerDay = sold / (6 + (Number(asOf) % 1));
  expect(planned[0]?.[8]).toBeCloseTo(soldPerDay, 2);
  expect(planned[0]?.[9]).toBeCloseTo(Number(planned[0]?.[4]) / soldPerDay, 2);
  // A missing history does not mean "no sale".
  expect(planned[3]?.slice(8)).toEqual(["–", "–"]);
  expect((await workbook.values(planning, 1, 12, 2, 1)).flat()).toEqual(["demo", expect.any(Number)]);

  // A row without an answer makes the count "at least".
  const toOrder = async () => (await workbook.values(planning, 6, 12))[0]?.[0];
  expect(await toOrder()).toEqual(expect.any(Number));
  await workbook.write([planning, 1, 0], [["no store"]]);
  await workbook.settled();
  expect(await toOrder()).toMatch(/^\d\+$/);
  await workbook.write([planning, 1, 0], [[1234]]);
  await workbook.settled();
  expect(await toOrder()).toEqual(expect.any(Number));

  const grid = await build("Store x item grid", "1234\n57", { gtins: `${gtin}\n${second}` });
  expect(await workbook.values(grid, 5, 0, 2, 3)).toEqual([
    [1234, shelf[0], shelf[1]],
    [57, shelf[2], await quantity(57, second)],
  ]);

  const history = await build("Item history", `1234 ${gtin}`);
  const types = await workbook.values(history, 1, 3, 7, 2);
  for (const [type, sum] of types) expect(sum).toBe(await total(1234, gtin, String(type)));
  const events = await service.events(1234, gtin);
  expect((await workbook.values(history, 14, 1, events.length + 1, 1)).flat().filter(Boolean)).toHaveLength(
    events.length,
  );

  const receiving = await build("Receiving check", rows);
  await workbook.write([receiving, 1, 2], [[1_000_000]]);
  await workbook.settled();
  const received = (await workbook.values(receiving, 1, 0, 2, 8))[0] ?? [];
  expect(received.slice(3, 6)).toEqual([
    await total(1234, gtin, "SI"),
    await total(1234, gtin, "LR"),
    await total(1234, gtin, "SILR"),
  ]);
  expect(received[7]).toBe("short");

  const hunt = await build("Empty shelf hunt", rows, { switches: ["Sold, days covered", "Sales finding"] });
  expect((await workbook.values(hunt, 1, 2, 3, 1)).flat()).toEqual(shelf);
  const counted = [
    [0, 0],
    [0, 5],
    [0, "–"],
  ];
  await workbook.write([hunt, 1, 2], counted);
  await workbook.settled();
  expect((await workbook.values(hunt, 1, 4, 3, 1)).flat()).toEqual([
    "shelf is empty",
    "fill from backroom",
    "shelf is empty",
  ]);

  // The service answers 404 for a missing history, and Chromium reports each 404.
  expect(workbook.complaints.filter((complaint) => !complaint.includes("status of 404"))).toEqual([]);
});

test("a sheet is built in one undo step", async () => {
  const before = await workbook.sheetNames();
  const complaints = [...workbook.complaints];
  const sheet = await build("Empty shelf hunt", `1234 ${gtin}`);
  await workbook.undo();
  expect(before).not.toContain(sheet);
  await eventually(async () => expect(await workbook.sheetNames()).toEqual(before));
  await workbook.settled();
  expect(workbook.complaints).toEqual(complaints);
});

test("after an undo of its build, the pane no longer calls a sheet built", async () => {
  const pane = workbook.pane();
  await pane.getByRole("button", { name: /^Empty shelf hunt/ }).click();
  await pane.getByLabel(/Or type or paste them/).fill(`1234 ${gtin}`);
  await button(pane, "Build the sheet").click();
  const words = pane.getByText(/The sheet ".*" is built/);
  await words.waitFor();
  await workbook.settled();
  await workbook.undo();
  await gone(words);
  await button(pane, "All templates").click();
});

test("copied values have the colours of rules, also of rules that refer to a fixed cell", async () => {
  const name = await workbook.port(async (port) => {
    const sheet = "Colours";
    await port.addSheet(sheet);
    await port.write({ sheet, row: 0, col: 0, rows: 2, cols: 3 }, [
      [1, null, 5],
      [9, null, null],
    ]);
    const rule = { kind: "formula", formula: "=$A1>$C$1", fill: "#00fe01", color: "#00fe01" } as const;
    await port.highlight({ sheet, row: 0, col: 0, rows: 2, cols: 1 }, rule);
    await port.select({ sheet, row: 5, col: 5, rows: 1, cols: 1 });
    return sheet;
  }, null);
  const colored = () =>
    workbook.page.evaluate(() => {
      let count = 0;
      for (const canvas of document.querySelectorAll<HTMLCanvasElement>("#grid canvas")) {
        const { width, height } = canvas;
        const data =
          width * height === 0 ? [] : canvas.getContext("2d")?.getImageData(0, 0, width, height).data;
        for (let at = 0; data && at < data.length; at += 4) {
          if (data[at] === 0 && data[at + 1] === 254 && data[at + 2] === 1) count += 1;
        }
      }
      return count;
    });
  await eventually(async () => expect(await colored()).toBeGreaterThan(500));
  const before = await colored();
  await openTab(workbook.pane(), "Templates");
  await unfold(workbook.pane(), "Copy with values");
  await button(workbook.pane(), "Copy with values").click();
  const day = await workbook.page.evaluate(() => {
    const now = new Date();
    return [now.getFullYear(), now.getMonth() + 1, now.getDate()]
      .map((part) => String(part).padStart(2, "0"))
      .join("-");
  });
  const copied = `${name} ${day}`;
  await workbook.pane().getByText(`The sheet "${copied}" contains the values`).waitFor();
  expect(await workbook.values(copied, 3, 0, 2)).toEqual([[1], [9]]);
  await workbook.select(copied, 9, 5);
  await eventually(async () => expect(Math.abs((await colored()) - before)).toBeLessThan(before / 4));
});
