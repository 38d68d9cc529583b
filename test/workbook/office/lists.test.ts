/**
 * Two people save lists in one workbook, while a third one edits it between any two round trips. Each list has its own
 * column, its name covers all its entries wherever they have moved, and nobody's cell is overwritten.
 */
import { createOfficeWorkbook } from "../../../src/workbook/office/workbook";
import { mostEntries } from "../../../src/workbook/lists/list-formula";
import { listsSheet, readLists, saveList } from "../../../src/workbook/lists/saved-lists";
import { type NodeExcel, openExcel } from "../../excel/excel-in-node";
import { createOtherPerson, type OtherEdit } from "../../excel/other-person";
import { enter } from "../../excel/sheet";
import { fc } from "../../helpers/properties";
import { openWorkbook } from "./office-stage";

const north = { name: "Stores_North", kind: "stores", entries: [1001, 1002, 1003, 1004] } as const;
const top = { name: "Items_Top", kind: "items", entries: ["00012345678905", "00012345678912"] } as const;

/** Delays the round trips and releases them one by one in the chosen order, each after an edit. */
function slowly(excel: NodeExcel, choose: (waiting: number) => number, edit: () => void): void {
  const { bridge } = excel;
  const send = bridge.sendMessageToHost.bind(bridge);
  const waiting: string[] = [];
  bridge.sendMessageToHost = (text) => {
    waiting.push(text);
    setImmediate(() => {
      const [next = ""] = waiting.splice(choose(waiting.length), 1);
      edit();
      send(next);
    });
  };
}

const index = fc.integer({ min: 0, max: 6 });
const anyEdit: fc.Arbitrary<OtherEdit | null> = fc.oneof(
  { weight: 4, arbitrary: fc.constant(null) },
  fc.record({
    kind: fc.constantFrom("insert" as const, "delete" as const),
    what: fc.constantFrom("row" as const, "col" as const),
    at: index,
  }),
  fc.record({ kind: fc.constant("swap" as const), rows: fc.tuple(index, index) }),
  fc.record({
    kind: fc.constant("type" as const),
    row: index,
    col: index,
    text: fc.uuid().map((id) => `typed ${id}`),
  }),
  fc.constant<OtherEdit>({ kind: "rename" }),
  fc.constant<OtherEdit>({ kind: "copy" }),
);

interface Story {
  readonly isFirst: boolean;
  readonly edits: readonly (OtherEdit | null)[];
  readonly order: readonly number[];
}

const anyStory: fc.Arbitrary<Story> = fc.record({
  isFirst: fc.boolean(),
  edits: fc.array(anyEdit, { maxLength: 60, size: "max" }),
  order: fc.array(fc.nat(3), { minLength: 1, maxLength: 60, size: "max" }),
});

const textsOn = (excel: NodeExcel): string[] =>
  excel.sheets.flatMap(({ cells }) => [...cells.values()].flatMap((line) => [...line.values()].map(String)));

async function tell({ isFirst, edits, order }: Story): Promise<void> {
  const excel = openExcel("Plan");
  if (!isFirst) {
    await saveList(createOfficeWorkbook(excel), { ...north, name: "Stores_South", entries: [7001] });
  }
  const lists = [north, top];
  const other = createOtherPerson(excel, ["Stores_South", ...lists.map(({ name }) => name)]);
  let trip = 0;
  let isOver = false;
  slowly(
    excel,
    (waiting) => (order[trip % order.length] ?? 0) % waiting,
    () => {
      const edit = isOver ? null : (edits[trip] ?? null);
      trip += 1;
      if (edit !== null) other.edit(listsSheet, edit);
    },
  );
  const saved = await Promise.allSettled(lists.map((list) => saveList(createOfficeWorkbook(excel), list)));
  isOver = true;
  const found = await readLists(createOfficeWorkbook(excel));
  const present = textsOn(excel);
  for (const text of other.typed) expect(other.destroyed.has(text) || present.includes(text)).toBe(true);
  for (const [at, { name, entries }] of lists.entries()) {
    const list = found.find((each) => each.name === name);
    if (saved[at]?.status === "rejected") {
      expect(excel.names.filter((each) => each.scope === null && each.name.includes(name))).toEqual([]);
      continue;
    }
    const kept = new Set(list?.values.filter((value) => value !== null).map(String));
    const lost = entries.filter((entry) => !kept.has(String(entry)) && !other.destroyed.has(String(entry)));
    expect(lost).toEqual([]);
  }
  const columns = found.map(({ heading: { sheet, col } }) => `${sheet} ${col}`);
  expect(new Set(columns).size).toBe(columns.length);
  expect(excel.names.filter(({ name, scope }) => scope === null && name.startsWith("_inv"))).toEqual([]);
}

it("no list shares a column, loses an entry or overwrites a cell, whatever another person does", async () => {
  await fc.assert(fc.asyncProperty(anyStory, tell), { numRuns: Number(process.env["INV_RUNS"] ?? 50) });
});

it("two people who save lists in the same second get a column each", async () => {
  const excel = openExcel("Plan");
  const people = [createOfficeWorkbook(excel), createOfficeWorkbook(excel)] as const;
  await Promise.all([saveList(people[0], north), saveList(people[1], top)]);
  const lists = await readLists(people[0]);
  expect(lists.map(({ name, values }) => [name, values])).toEqual(
    expect.arrayContaining([
      [north.name, north.entries],
      [top.name, top.entries],
    ]),
  );
  expect(excel.sheets.map(({ name }) => name)).toEqual(["Plan", listsSheet]);
});

it("a list of 9,999 entries keeps all of them after rows were inserted above", async () => {
  const { excel, workbook } = openWorkbook("Plan");
  await saveList(workbook, north);
  const other = createOtherPerson(excel, []);
  for (let row = 0; row < 3; row += 1) other.edit(listsSheet, { kind: "insert", what: "row", at: 0 });
  const entries = Array.from({ length: mostEntries }, (_, at) => 10_000 + at);
  await saveList(workbook, { name: "Stores_All", kind: "stores", entries });
  const list = (await readLists(workbook)).find(({ name }) => name === "Stores_All");
  expect(list?.values).toEqual(entries);
});

it("a list whose heading is deleted during saving gets no name, with a reason", async () => {
  const { excel, workbook } = openWorkbook("Plan");
  await saveList(workbook, north);
  const other = createOtherPerson(excel, []);
  let isWritten = false;
  slowly(
    excel,
    () => 0,
    () => {
      const isNow = excel.names.some(({ name }) => name === top.name);
      if (isNow && !isWritten) other.edit(listsSheet, { kind: "delete", what: "row", at: 0 });
      isWritten = isNow;
    },
  );
  await expect(saveList(workbook, top)).rejects.toThrow("Somebody changed the list while INV saved it.");
  expect(excel.names.map(({ name }) => name)).toEqual([north.name]);
});

it("a name that Excel refuses leaves no column behind", async () => {
  const { excel, workbook } = openWorkbook("Plan");
  await saveList(workbook, north);
  const before = textsOn(excel);
  let trips = 0;
  slowly(
    excel,
    () => 0,
    () => {
      trips += 1;
      if (trips === 1) excel.names.push({ ...excel.names[0]!, name: "items_top" });
    },
  );
  await expect(saveList(workbook, top)).rejects.toThrow("Items_Top");
  expect(textsOn(excel)).toEqual(before);
});

it("the lists of a copied sheet are the copy's own, and not the workbook's", async () => {
  const { excel, workbook } = openWorkbook("Plan");
  await saveList(workbook, north);
  createOtherPerson(excel, []).edit(listsSheet, { kind: "copy" });
  enter(excel.sheets.at(-1)!, 1, 0, 9999);
  expect((await readLists(workbook)).map(({ name, values }) => [name, values])).toEqual([
    [north.name, north.entries],
  ]);
});

it("writes names beside a list, and the next list after them", async () => {
  const { workbook } = openWorkbook("Plan");
  await saveList(workbook, { ...top, names: ["Oat drink", "=1+1"] });
  await saveList(workbook, north);
  const shown = await workbook.read({ sheet: listsSheet, row: 0, col: 0, rows: 3, cols: 3 }, "formulas");
  expect(shown).toEqual([
    ["Items_Top", "Name", "Stores_North"],
    [...top.entries.slice(0, 1), "Oat drink", 1001],
    [...top.entries.slice(1), "=1+1", 1002],
  ]);
  expect(await workbook.findFormulas(() => true)).toEqual([]);
  expect((await readLists(workbook))[0]?.names).toEqual(["Oat drink", "=1+1"]);
});
