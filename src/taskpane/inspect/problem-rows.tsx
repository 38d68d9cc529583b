/**
 * The cells of one reason: where each is, what it was given, and what was probably meant, written at a click. Comes with
 * the validator, which finds what was meant, when a group is first opened.
 */
import { useEffect, useState } from "preact/hooks";
import type { Problem, ProblemGroup } from "../../cells/activity";
import { toInvError } from "../../domain/errors";
import { areaAddress } from "../../workbook/addresses";
import { placeWords } from "../parts/place-words";
import { type Correction, correct } from "../../workbook/corrections";
import { findFixes, type InputFix } from "../../workbook/inspect/input-fixes";
import { CellLink } from "../parts/cell-link";
import { Button } from "../parts/parts";
import type { PaneServices } from "../services";
import { useAlive } from "../parts/use-source";
import { count, counted, timeOfDay } from "../parts/words";

export interface GroupProps {
  readonly group: ProblemGroup;
  readonly services: PaneServices;
  /** Told in words what was written; the group may be gone by then. */
  readonly onApplied: (words: string) => void;
}

/** While a sheet calculates, its problems come one by one. */
const settleMs = 300;

export function ProblemRows({ group, services, onApplied }: GroupProps) {
  const rest = group.count - group.problems.length;
  const fixes = useFixes(services, group.problems);
  /** Written, or about to be: they are not offered again. */
  const [written, setWritten] = useState<ReadonlySet<Correction | null>>(new Set());
  const sure = [...fixes.values()]
    .filter((fix) => fix.sure && !written.has(fix.correction))
    .flatMap(({ correction }) => correction ?? []);

  async function apply(corrections: readonly Correction[]): Promise<void> {
    const workbook = services.workbook.get();
    if (workbook.kind !== "open") return;
    setWritten(new Set([...written, ...corrections]));
    const words = await correct(workbook.workbook, corrections).then(
      ({ cells, left }) =>
        cells === 0
          ? "The cells have changed since: nothing was written."
          : `${counted(cells, "cell")} corrected; one Undo takes it back.${left === 0 ? "" : ` ${counted(left, "cell")} changed meanwhile and stayed.`}`,
      (error: unknown) => {
        setWritten(written);
        return toInvError(error).message;
      },
    );
    onApplied(words);
  }

  return (
    <>
      {sure.length > 1 ? (
        <div class="buttons">
          <Button quiet onClick={() => void apply(sure)}>
            Apply {count(new Set(sure.map(addressOf)).size)} suggestions
          </Button>
        </div>
      ) : null}
      <ul class="rows">
        {group.problems.map((problem, index) => (
          <Row
            key={`${problem.cell ?? ""} ${problem.atMs} ${index}`}
            problem={problem}
            services={services}
            fix={fixes.get(problem)}
            isWritten={written.has(fixes.get(problem)?.correction ?? null)}
            onApply={(correction) => void apply([correction])}
          />
        ))}
      </ul>
      {rest > 0 ? <p class="hint">and {count(rest)} earlier ones</p> : null}
    </>
  );
}

interface RowProps {
  readonly problem: Problem;
  readonly services: PaneServices;
  readonly fix: InputFix | undefined;
  readonly isWritten: boolean;
  readonly onApply: (correction: Correction) => void;
}

function Row({ problem, services, fix, isWritten, onApply }: RowProps) {
  const { cell, store, item, error, atMs } = problem;
  const { httpStatus, traceId } = error.details;
  const received = receivedIn(problem);
  const facts = [
    received === null ? null : `received ${received}`,
    store === "" ? null : `store ${store}`,
    item === "" ? null : `item ${item}`,
    timeOfDay(atMs, services.clock.now()),
    httpStatus === undefined ? null : `HTTP ${httpStatus}`,
  ].filter((fact) => fact !== null);
  const correction = fix?.correction ?? null;
  return (
    <li>
      {cell === null ? <span>cell not known</span> : <CellLink services={services} address={cell} />}
      <span>{facts.join(", ")}</span>
      {fix && correction && !isWritten ? (
        <Button quiet onClick={() => onApply(correction)}>
          Write {fix.meant} into {placeWords(correction.cell, cell)}
        </Button>
      ) : null}
      {fix && !correction ? <span class="row-detail">Was {fix.meant} meant?</span> : null}
      {traceId === undefined ? null : <span class="row-detail">trace {traceId}</span>}
    </li>
  );
}

const noFixes: ReadonlyMap<Problem, InputFix> = new Map();

/** What was probably meant; found again when the problems are others. */
function useFixes(services: PaneServices, problems: readonly Problem[]): ReadonlyMap<Problem, InputFix> {
  const [fixes, setFixes] = useState(noFixes);
  const alive = useAlive();
  const { clock } = services;
  const key = problems.map(({ cell, atMs }) => `${cell ?? ""} ${atMs}`).join("|");
  useEffect(() => {
    let current = true;
    async function find(): Promise<void> {
      const workbook = services.workbook.get();
      if (problems.length === 0 || workbook.kind !== "open") return;
      const found = await findFixes({ workbook: workbook.workbook, cells: services.cells }, problems);
      if (current && alive.current) setFixes(found);
    }
    // Without suggestions the list is still a list.
    const timer = clock.setTimeout(() => void find().catch(() => undefined), settleMs);
    return () => {
      current = false;
      clock.clearTimeout(timer);
    };
  }, [services, clock, key]);
  return fixes;
}

function addressOf({ cell }: Correction): string {
  return areaAddress({ ...cell, rows: 1, cols: 1 });
}

/** What a wrong argument was, where it is neither the store nor the item. */
function receivedIn({ error, store, item }: Problem): string | null {
  const received = /received ("[^"]*")/.exec(error.message)?.[1];
  if (error.code !== "bad-argument" || received === undefined) return null;
  return received === `"${store}"` || received === `"${item}"` ? null : received;
}
