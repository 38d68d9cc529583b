/**
 * Judges a refresh of a random workbook from outside: what cells show, what the refresh says of them, and what was sent. It knows nothing
 * of how a refresh works. Each broken promise has a kind, for counting.
 */
import { cellKey } from "../../../src/workbook/addresses";
import type { CellRef } from "../../../src/workbook/port";
import { mend, minuteMs, openRandom, type RandomWorkbook, type Scenario } from "./random-workbook";

export interface Broken {
  readonly kind:
    | "price too low"
    | "refreshed but old"
    | "more than 100 %"
    | "marked after a change of environment"
    | "calls after a cancel"
    | "numbers lost"
    | "stuck"
    | "an edit waits"
    | "no recovery"
    | "no reason";
  readonly what: string;
}

/** Cells that Excel didn't call are neither refreshed nor unrefreshed. */
interface Ended {
  readonly phase: string;
  readonly cells: number;
  readonly refreshed: number;
  readonly unrefreshed: readonly { readonly cell: CellRef }[];
  readonly uncalled?: readonly { readonly cell: CellRef }[];
}

export async function judged(scenario: Scenario): Promise<readonly Broken[]> {
  const book = await openRandom(scenario);
  const { clock, service, refresher, engine, workbook } = book;
  const broken: Broken[] = [];
  const breaks = (kind: Broken["kind"], what: string): void => void broken.push({ kind, what });
  const ended = (): Ended => refresher.state;
  const sent = (): number => service.of("search").length;

  const quote = await clock.until(refresher.quote("workbook"));
  const numbers = new Map(book.formulas().map((ref) => [book.itemAt(ref), book.versionAt(ref)]));
  const before = sent();
  /** How the latest call for each item has ended at the service since the click. */
  const answers = new Map<string, "answered" | "failed">();
  service.script(({ operation, number, values }) => {
    if (operation !== "search") return undefined;
    const call = number - before;
    const fails = scenario.failing.includes(call) || call >= (scenario.outageFrom ?? Infinity);
    for (const item of values) answers.set(item, fails ? "failed" : "answered");
    return fails ? new Response("", { status: 503 }) : undefined;
  });
  refresher.subscribe(() => {
    const { refreshed, cells } = ended();
    if (refreshed > cells) breaks("more than 100 %", `${refreshed} of ${cells} cells`);
  });

  let isElsewhere = false;
  if (scenario.environmentAfterMs !== null) {
    const { recalculate } = workbook;
    workbook.recalculate = (...given) => {
      if (isElsewhere) breaks("marked after a change of environment", `${given[0].length} cells`);
      return recalculate(...given);
    };
    clock.setTimeout(() => {
      isElsewhere = true;
      const { environment, credentials } = engine.connection!;
      engine.connect({ environment: { ...environment, id: "another" }, credentials });
    }, scenario.environmentAfterMs);
  }
  for (const edit of scenario.edits) clock.setTimeout(() => book.edit(edit), edit.afterMs);
  if (scenario.sleepAfterMs !== null) {
    clock.setTimeout(() => clock.sleep(10 * minuteMs), scenario.sleepAfterMs);
  }
  const refreshing = refresher.start("workbook");
  if (scenario.cancelAfterMs !== null) {
    await clock.advance(scenario.cancelAfterMs);
    refresher.cancel();
    const atCancel = sent();
    await clock.advance(30_000);
    const isUnknown =
      scenario.isReloaded && scenario.forms.some((form) => form === "nested" || form === "skippable");
    const most = isUnknown ? 50 : 0;
    const isTouched = scenario.edits.length > 0 || scenario.environmentAfterMs !== null;
    if (!isTouched && sent() - atCancel > most) breaks("calls after a cancel", `${sent() - atCancel}`);
  }
  await clock.until(refreshing);
  const end = ended();
  // What was typed is answered by now, whatever the refresh does. A computer that sleeps meanwhile does all that late, at once.
  for (const ms of [10_000, 40_000]) await clock.advance(ms);
  judgeCells(book, { scenario, end, numbers, answers, breaks, wasElsewhere: isElsewhere });

  const isUntroubled =
    scenario.failing.length + scenario.edits.length === 0 &&
    scenario.host === "plain" &&
    scenario.outageFrom === null &&
    scenario.cancelAfterMs === null &&
    scenario.environmentAfterMs === null;
  if (isUntroubled && quote.unpredictable === 0 && sent() - before > quote.price.searchCalls) {
    breaks("price too low", `${sent() - before} instead of ${quote.price.searchCalls}`);
  }
  await recover(book, breaks);
  return broken;
}

function judgeCells(
  book: RandomWorkbook,
  given: {
    readonly scenario: Scenario;
    readonly end: Ended;
    readonly numbers: ReadonlyMap<string, number | null>;
    readonly answers: ReadonlyMap<string, "answered" | "failed">;
    readonly breaks: (kind: Broken["kind"], what: string) => void;
    readonly wasElsewhere: boolean;
  },
): void {
  const { scenario, end, numbers, answers, breaks, wasElsewhere } = given;
  const { phase, cells, refreshed, unrefreshed, uncalled = [] } = end;
  if (phase !== "idle" && refreshed + unrefreshed.length + uncalled.length > cells) {
    breaks("more than 100 %", `${refreshed} refreshed, ${unrefreshed.length} left of ${cells}`);
  }
  if ((phase === "failed" || phase === "cancelled") && refreshed === cells && unrefreshed.length === 0) {
    breaks("no reason", `${phase} without a cell that is left`);
  }
  const listed = new Set([...unrefreshed, ...uncalled].map(({ cell }) => cellKey(cell)));
  const isFailing = scenario.failing.length > 0 || scenario.outageFrom !== null;
  const isInterrupted = scenario.cancelAfterMs !== null || scenario.sleepAfterMs !== null;
  let [unknownLost, unaskedLost, unknownAnswered] = [0, 0, 0];
  const hasMoved = scenario.edits.some(({ kind }) => kind === "insert");
  for (const ref of book.formulas()) {
    const form = book.formAt(ref);
    const item = book.itemAt(ref);
    const where = `${ref.sheet} ${ref.row + 1} ${form}`;
    if (form === "error" || book.typed.has(item)) continue;
    if (book.workbook.valueOf("", ref) === "#BUSY!" && scenario.host !== "loses") breaks("stuck", where);
    const [was, version] = [numbers.get(item) ?? null, book.versionAt(ref)];
    // Nobody knows what such a cell asks for before Excel calculates it, so an outage may cost the first ones.
    const isUnknown = scenario.isReloaded && (form === "nested" || form === "skippable");
    // What Excel calculates by itself in an outage has no last value in an opened workbook.
    const isHostsOwn = scenario.isReloaded && book.calculatedByHost.has(cellKey(ref));
    if (was !== null && version === null && !isHostsOwn && !wasElsewhere && scenario.host !== "loses") {
      const answer = answers.get(item);
      const isExcused = isInterrupted || (isFailing && answer !== "answered");
      if (!isUnknown || !isExcused) breaks("numbers lost", where);
      else if (isInterrupted || answer === "failed") unknownLost += 1;
      else unaskedLost += 1;
    }
    if (isUnknown && version === 1) unknownAnswered += 1;
    if (phase === "idle" || phase === "finding" || was === null || listed.has(cellKey(ref))) continue;
    // Cells that moved may be listed where they were.
    if (hasMoved && listed.size > 0) continue;
    // What INV returned to such a formula can't be compared with what it shows.
    const isHidden = scenario.host === "keeps old" || scenario.host === "zero";
    if (isHidden && form !== "plain" && form !== "alone" && form !== "nested") continue;
    if (version !== null && version < 1) breaks("refreshed but old", where);
  }
  // One cell tries whether the service answers. After that, an outage costs one wave.
  if (unknownLost > (unknownAnswered > 0 ? 50 : 1)) breaks("numbers lost", `${unknownLost} unknown cells`);
  if (unaskedLost > 1) breaks("numbers lost", `${unaskedLost} unknown cells without a call`);
  for (const [item, typedAtMs] of book.typed) {
    const ref = book.formulas().find((each) => book.itemAt(each) === item);
    const isLost = isInterrupted || scenario.host === "loses" || wasElsewhere;
    if (ref === undefined || isFailing || isLost || book.formAt(ref) === "blank") continue;
    if (book.formAt(ref) === "skippable" || book.formAt(ref) === "two") continue;
    if (book.versionAt(ref) === null) {
      breaks("an edit waits", `${ref.sheet} ${ref.row + 1} since ${typedAtMs}`);
    }
  }
}

/** Once nothing is wrong any more, a refresh of the workbook brings every number. */
async function recover(
  book: RandomWorkbook,
  breaks: (kind: Broken["kind"], what: string) => void,
): Promise<void> {
  const { clock, service, refresher, engine, workbook } = book;
  mend(book);
  service.script(() => undefined);
  workbook.recalculate = book.recalculateWell;
  engine.tryAgain();
  await clock.advance(2 * minuteMs);
  service.version += 1;
  await clock.until(refresher.start("workbook"));
  await clock.advance(5_000);
  const { phase, unrefreshed } = refresher.state;
  const [first] = unrefreshed;
  if (phase !== "done") {
    const where =
      first === undefined ? "" : `${first.cell.sheet} ${first.cell.row + 1} ${book.formAt(first.cell)}`;
    breaks("no recovery", `${phase}: ${unrefreshed.length} left: ${where}: ${first?.because.message ?? ""}`);
  }
  for (const ref of book.formulas()) {
    const version = book.versionAt(ref);
    if (book.formAt(ref) !== "error" && version !== null && version < 2) {
      breaks("no recovery", `${ref.sheet} ${ref.row + 1} ${book.formAt(ref)} shows version ${version}`);
    }
    if (book.workbook.valueOf("", ref) === "#BUSY!") {
      breaks("stuck", `${ref.sheet} ${ref.row + 1} afterwards`);
    }
  }
}
