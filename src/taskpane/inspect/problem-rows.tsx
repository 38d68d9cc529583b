/** The cells of one reason: where each is, its arguments, and the likely correction, which a click writes. */
import { useEffect, useState } from "preact/hooks";
import type { Problem, ProblemGroup } from "../../cells/activity";
import { type InvError } from "../../domain/errors";
import { areaAddress } from "../../workbook/addresses";
import { correctedWords, placeWords } from "./correction-words";
import { type Correction, correct } from "../../workbook/corrections";
import { findFixes, type InputFix } from "../../workbook/inspect/input-fixes";
import type { Action } from "../parts/action";
import { CellRows } from "../parts/cell-rows";
import { Button, Buttons } from "../parts/parts";
import type { PaneServices } from "../services";
import { count, timeOfDay } from "../parts/words";

/** Problems arrive one by one while a sheet calculates. */
const settleMs = 300;

export function ProblemRows(props: {
  readonly group: ProblemGroup;
  readonly services: PaneServices;
  /** The caller owns this, because a correction may remove the group. */
  readonly correcting: Action;
}) {
  const { group, services, correcting } = props;
  const fixes = useFixes(services, group.problems);
  const [written, setWritten] = useState<ReadonlySet<Correction | null>>(new Set());
  const sure = [...fixes.values()]
    .filter((fix) => fix.sure && !written.has(fix.correction))
    .flatMap(({ correction }) => correction ?? []);

  function apply(corrections: readonly Correction[]): void {
    const workbook = services.workbook.get();
    if (workbook.kind !== "open") return;
    setWritten(new Set([...written, ...corrections]));
    correcting.run(async () => {
      const done = await correct(workbook.workbook, corrections).catch((error: unknown) => {
        setWritten(written);
        throw error;
      });
      return correctedWords(done);
    });
  }

  return (
    <>
      {sure.length > 1 ? (
        <Buttons
          quiet
          actions={{
            [`Apply ${count(new Set(sure.map(addressOf)).size)} suggestions`]: () => apply(sure),
          }}
        />
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
                <Button quiet onClick={() => apply(fix.correction ? [fix.correction] : [])}>
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

function useFixes(services: PaneServices, problems: readonly Problem[]): ReadonlyMap<Problem, InputFix> {
  const [fixes, setFixes] = useState(noFixes);
  const { clock } = services;
  const key = problems.map(({ cell, atMs }) => `${cell ?? ""} ${atMs}`).join("|");
  useEffect(() => {
    let current = true;
    async function find(): Promise<void> {
      const workbook = services.workbook.get();
      if (problems.length === 0 || workbook.kind !== "open") return;
      const found = await findFixes({ workbook: workbook.workbook, cells: services.cells }, problems);
      if (current) setFixes(found);
    }
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

/** Returns the wrong argument if it is neither the store nor the item. */
function receivedIn({ error, store, item }: Problem): string | null {
  const received = /received ("[^"]*")/.exec(error.message)?.[1];
  if (error.code !== "bad-argument" || received === undefined) return null;
  return received === `"${store}"` || received === `"${item}"` ? null : received;
}
