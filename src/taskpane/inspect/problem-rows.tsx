/** The cells of one reason: where each is, what it was given, and what was probably meant, written at a click. */
import { useEffect, useState } from "preact/hooks";
import type { Problem, ProblemGroup } from "../../cells/activity";
import { type InvError, toInvError } from "../../domain/errors";
import { areaAddress } from "../../workbook/addresses";
import { placeWords } from "../parts/place-words";
import { type Correction, correct } from "../../workbook/corrections";
import { findFixes, type InputFix } from "../../workbook/inspect/input-fixes";
import { CellRows } from "../parts/cell-rows";
import { Button } from "../parts/parts";
import type { PaneServices } from "../services";
import { useAlive } from "../parts/use-source";
import { count, counted, timeOfDay } from "../parts/words";

/** While a sheet calculates, its problems come one by one. */
const settleMs = 300;

export function ProblemRows({
  group,
  services,
  onApplied,
}: {
  readonly group: ProblemGroup;
  readonly services: PaneServices;
  /** Called with what was written, in words; the group may be gone by then. */
  readonly onApplied: (words: string) => void;
}) {
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
      <CellRows
        services={services}
        items={group.problems}
        all={group.count}
        row={(problem, index) => {
          const fix = fixes.get(problem);
          const isWritten = written.has(fix?.correction ?? null);
          return {
            key: `${problem.cell ?? ""} ${problem.atMs} ${index}`,
            address: problem.cell,
            label: problem.cell ?? "cell not known",
            words: factsOf(problem, services.clock.now()),
            action:
              fix?.correction && !isWritten ? (
                <Button quiet onClick={() => void apply(fix.correction ? [fix.correction] : [])}>
                  Write {fix.meant} into {placeWords(fix.correction.cell, problem.cell)}
                </Button>
              ) : null,
            detail:
              fix && !fix.correction ? (
                `Was ${fix.meant} meant?`
              ) : problem.error.details.httpStatus === undefined ? null : (
                <details>
                  <summary>Details</summary>
                  {protocolDetails(problem.error)}
                </details>
              ),
          };
        }}
      />
    </>
  );
}

/** What the cell asked for and when. */
function factsOf(problem: Problem, nowMs: number): string {
  const { store, item, atMs } = problem;
  const received = receivedIn(problem);
  return [
    received === null ? null : `received ${received}`,
    store === "" ? null : `store ${store}`,
    item === "" ? null : `item ${item}`,
    timeOfDay(atMs, nowMs),
  ]
    .filter((fact) => fact !== null)
    .join(", ");
}

/** For support: how the service refused. */
export function protocolDetails({ details }: InvError): string {
  const { httpStatus, traceId, requestId } = details;
  return [
    httpStatus === undefined ? "" : `HTTP ${httpStatus}`,
    traceId === undefined ? "" : `trace ${traceId}`,
    requestId === undefined ? "" : `request ${requestId}`,
  ]
    .filter((part) => part !== "")
    .join(", ");
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
