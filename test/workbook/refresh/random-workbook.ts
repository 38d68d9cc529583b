/**
 * Random workbooks for refreshes, and what happens to them before, within and after one: formulas of all forms, opened or calculated,
 * a host that is slow, forgets marks, keeps old values or loses results, a service that fails, people who edit and cancel, another
 * environment, a computer that sleeps. The same seed makes the same workbook. Nothing here knows how a refresh works.
 */
import { createRandom } from "../../helpers/virtual-clock";
import { quantityOf } from "../../helpers/scripted-service";
import { cellKey } from "../../../src/workbook/addresses";
import type { CellRef } from "../../../src/workbook/port";
import { createRefreshBed, type RefreshBed } from "./refresh-bed";

export const minuteMs = 60_000;
const perStore = 20;
const gtin = (number: number) => String(number).padStart(14, "0");

/** What INV can read from the formula before, what only a calculation tells, what an IF may skip, and two calls in one formula. */
const formulas = {
  plain: (row: number) => `=IFNA(INV.QTY(A${row},B${row}),"")`,
  alone: (row: number) => `=INV.QTY(A${row},B${row})`,
  nested: (row: number) => `=INV.QTY(A${row},TEXT(B${row},"0"))`,
  skippable: (row: number) => `=IF(E${row}>0,INV.QTY(A${row},B${row}),"")`,
  blank: (row: number) => `=IF(A${row}="","",INV.QTY(A${row},B${row}))`,
  two: (row: number) => `=INV.QTY(A${row},B${row})+INV.QTY(A${row},F${row})`,
} as const;
export type Form = keyof typeof formulas;

const editKinds = ["note", "insert", "retype", "retype", "delete", "add", "add a sheet"] as const;

interface Edit {
  readonly afterMs: number;
  readonly row: number;
  readonly kind: (typeof editKinds)[number];
}

export type Scenario = ReturnType<typeof scenarioOf>;

export function scenarioOf(seed: number) {
  const random = createRandom(seed);
  const below = (most: number): number => Math.floor(random() * most);
  const oneOf = <T>(...all: readonly T[]): T => all[below(all.length)] as T;
  const sometimes = <T>(share: number, value: () => T): T | null => (random() < share ? value() : null);
  const forms: readonly Form[] = oneOf<readonly Form[]>(
    ["plain"],
    ["alone", "two"],
    ["plain", "nested", "skippable"],
    Array.from({ length: 1 + below(4) }, () =>
      oneOf<Form>("plain", "alone", "nested", "skippable", "blank", "two"),
    ),
  );
  const isTroubled = random() < 0.75;
  const times = (most: number): number => oneOf(below(300), below(most), below(most));
  return {
    seed,
    rows: 1 + below(45),
    forms,
    isReloaded: random() < 0.5,
    latencyMs: oneOf(80, 400, 900),
    /** A new number comes with a click only if the answers are older than a minute. */
    ageMs: oneOf(10_000, 5 * minuteMs, 60 * minuteMs),
    host: isTroubled
      ? oneOf("plain", "plain", "plain", "forgetful", "slow", "protected", "keeps old", "loses", "zero")
      : "plain",
    /** Search calls that fail, counted from the click; and from which on all fail. */
    failing: isTroubled ? Array.from({ length: below(3) }, () => below(6)) : [],
    outageFrom: isTroubled ? sometimes(0.3, () => below(3)) : null,
    cancelAfterMs: isTroubled ? sometimes(0.3, () => times(5_000)) : null,
    environmentAfterMs: isTroubled ? sometimes(0.1, () => times(5_000)) : null,
    sleepAfterMs: isTroubled ? sometimes(0.1, () => times(4_000)) : null,
    edits: isTroubled
      ? (sometimes(0.4, () =>
          Array.from({ length: 1 + below(3) }, (): Edit => ({
            afterMs: times(6_000),
            row: below(45),
            kind: oneOf(...editKinds),
          })),
        ) ?? [])
      : [],
    /** Formulas that show #NAME? and that the host never calls. */
    nameErrors: sometimes(0.1, () => 1 + below(2)) ?? 0,
  };
}

export interface RandomWorkbook extends RefreshBed {
  readonly itemAt: (ref: CellRef) => string;
  readonly formAt: (ref: CellRef) => Form | "error";
  /** How much newer the cell's number is than the first ones; null if it shows no number. */
  readonly versionAt: (ref: CellRef) => number | null;
  /** Items of cells that somebody typed into, and when. */
  readonly typed: Map<string, number>;
  edit(edit: Edit): void;
  /** Marks cells as a host does that has nothing against it. */
  readonly recalculateWell: RefreshBed["workbook"]["recalculate"];
}

/** Opens the workbook as it is right before the click. */
export async function openRandom(scenario: Scenario): Promise<RandomWorkbook> {
  const opened = createRefreshBed({ isProduction: true, settings: { refreshAgeMs: 0 } });
  const forms = new Map<string, Form>();
  let items = 0;

  function put(bed: RefreshBed, ref: CellRef, form: Form): void {
    const item = (items += 2);
    const at = (col: number) => ({ ...ref, col });
    const isBlank = form === "blank" && item % 4 === 0;
    bed.put(at(0), isBlank ? null : 100 + Math.floor(item / 2 / perStore));
    bed.put(at(1), gtin(item));
    bed.put(at(4), form === "skippable" && item % 6 === 0 ? 0 : 1);
    bed.put(at(5), gtin(item + 1));
    bed.put(ref, formulas[form](ref.row + 1));
    forms.set(gtin(item), form);
  }

  for (let row = 0; row < scenario.rows; row += 1) {
    const sheet = row % 3 === 2 ? "Other" : "Plan";
    const at = { sheet, row: Math.floor(row / 3) * 2 + (row % 3 === 1 ? 1 : 0), col: 2 };
    put(opened, at, scenario.forms[row % scenario.forms.length] ?? "plain");
  }
  opened.calculate(opened.formulas());
  await opened.clock.advance(5_000);
  for (let row = 0; row < scenario.nameErrors; row += 1) {
    const ref = { sheet: "Other", row: 200 + row, col: 2 };
    put(opened, ref, "alone");
    opened.shown.set(cellKey(ref), "#NAME?");
  }
  await opened.clock.advance(scenario.ageMs);
  const bed = scenario.isReloaded
    ? opened.reload({ isProduction: true, settings: { refreshAgeMs: 0 } })
    : opened;
  bed.calculatedByHost.clear();
  bed.service.version += 1;
  bed.service.latencyMs = scenario.latencyMs;
  const recalculateWell = bed.workbook.recalculate;
  spoil(bed, scenario.host);

  const contentAt = (ref: CellRef, col: number) => bed.workbook.cells.get(cellKey({ ...ref, col })) ?? null;
  const typed = new Map<string, number>();
  const book: RandomWorkbook = Object.assign(bed, {
    itemAt: (ref: CellRef) => String(contentAt(ref, 1)),
    formAt: (ref: CellRef) =>
      ref.sheet === "Other" && ref.row >= 190 ? ("error" as const) : (forms.get(book.itemAt(ref)) ?? "plain"),
    versionAt(ref: CellRef) {
      const value = bed.shownAt(ref);
      if (typeof value !== "number") return null;
      const store = Number(contentAt(ref, 0));
      const first = value - quantityOf(store, book.itemAt(ref));
      if (book.formAt(ref) !== "two") return first;
      return (first - quantityOf(store, String(contentAt(ref, 5)))) / 2;
    },
    typed,
    recalculateWell,
    edit({ row, kind }: Edit) {
      const all = bed.formulas().filter((ref) => book.formAt(ref) !== "error");
      const ref = all[row % Math.max(1, all.length)] ?? { sheet: "Plan", row: 0, col: 2 };
      if (kind === "note") bed.type({ ...ref, col: 3 }, "a note");
      if (kind === "insert") bed.insertRow(ref.sheet, ref.row);
      if (kind === "add a sheet") bed.workbook.tellEdit({ added: "New" });
      if (kind === "delete") {
        typed.set(book.itemAt(ref), bed.clock.now());
        bed.type(ref, null);
      }
      if (kind === "retype") {
        const form = book.formAt(ref);
        const item = gtin((items += 2));
        if (form !== "error") forms.set(item, form);
        typed.set(book.itemAt(ref), bed.clock.now());
        typed.set(item, bed.clock.now());
        bed.type({ ...ref, col: 1 }, item);
      }
      if (kind === "add") {
        const last = Math.max(...all.filter(({ sheet }) => sheet === "Plan").map((each) => each.row), 0);
        const below = { sheet: "Plan", row: last + 1, col: 2 };
        put(bed, below, "plain");
        typed.set(book.itemAt(below), bed.clock.now());
        bed.calculate([below]);
        bed.workbook.tellEdit([{ ...below, rows: 1, cols: 1 }]);
      }
    },
  });
  return book;
}

/** Ends what is wrong with the host. */
export function mend(bed: RefreshBed): void {
  bed.callAfterMs = 20;
  bed.shows = () => "result";
  bed.forgets = (ref) => isNameError(bed, ref);
}

const isNameError = (bed: RefreshBed, ref: CellRef): boolean => bed.shownAt(ref) === "#NAME?";

function spoil(bed: RefreshBed, host: Scenario["host"]): void {
  const once = new Set<string>();
  const isFirst = (ref: CellRef): boolean => once.size < once.add(cellKey(ref)).size;
  const isOdd = ({ row }: CellRef): boolean => row % 2 === 0;
  mend(bed);
  if (host === "slow") bed.callAfterMs = 4_000;
  if (host === "forgetful") bed.forgets = (ref) => isNameError(bed, ref) || (isOdd(ref) && isFirst(ref));
  if (host === "keeps old") bed.shows = (ref) => (isOdd(ref) ? "old" : "result");
  if (host === "zero") bed.shows = (ref) => (isOdd(ref) && isFirst(ref) ? "zero" : "result");
  if (host === "loses") bed.shows = (ref) => (isOdd(ref) && isFirst(ref) ? "busy" : "result");
  if (host === "protected") {
    const { recalculate } = bed.workbook;
    bed.workbook.recalculate = async (refs, ...given) => {
      const isLocked = ({ sheet }: CellRef): boolean => sheet === "Other";
      const areas = refs.filter(isLocked).map((ref) => ({ ...ref, rows: 1, cols: 1 }));
      if (areas.length === refs.length) throw new Error("The sheet is protected.");
      const others = await recalculate(
        refs.filter((ref) => !isLocked(ref)),
        ...given,
      );
      return areas.length === 0 ? others : [...others, { areas, reason: "The sheet is protected." }];
    };
  }
}
