/**
 * Why cells have no value or a stale one, grouped by reason, the largest group first; each opens to its cells. An error's
 * text can always be read here, because Excel often hides it. The functions record problems; this only shows them.
 */
import { useState } from "preact/hooks";
import type { ProblemGroup } from "../../cells/activity";
import type { CellUse } from "../../cells/cell-register";
import { errorTable } from "../../domain/errors";
import { AgedCells } from "../parts/aged-cells";
import { Button, Fold, Message, Section } from "../parts/parts";
import type { ViewProps } from "../parts/tab";
import type { PaneServices } from "../services";
import { useChanges } from "../parts/use-source";
import { counted, timeOfDay } from "../parts/words";
import { NameErrors } from "./name-errors";
import { ProblemRows } from "./problem-rows";

type Kind = "unanswered" | "mistyped" | "none";

const titles: Readonly<Record<Kind, string>> = {
  unanswered: "Not answered (#VALUE!)",
  mistyped: "Wrong entries (#VALUE!)",
  none: "Not found (#N/A)",
};
const kinds: readonly Kind[] = ["unanswered", "mistyped", "none"];

export function Problems({ services, workbook, active }: ViewProps) {
  const { activity } = services.cells;
  useChanges(activity.subscribe);
  useChanges(services.cells.subscribe);
  const [applied, setApplied] = useState<string | null>(null);
  const groups = activity.groups();
  return (
    <>
      <NameErrors services={services} workbook={workbook} active={active} />
      {groups.length + services.cells.summary().stale === 0 ? (
        <p class="empty">Every cell has its value.</p>
      ) : null}
      <StaleCells services={services} />
      <div role="status">{applied === null ? null : <Message intent="info">{applied}</Message>}</div>
      {kinds.map((kind) => {
        const own = groups.filter((group) => kindOf(group) === kind);
        if (own.length === 0) return null;
        return (
          <Section key={kind} title={titles[kind]}>
            {own.map((group) => (
              <Fold
                key={`${group.code} ${group.reason}`}
                title={
                  <>
                    <strong>{counted(group.count, "cell")}</strong>: {group.reason}
                    {saysAlready(group) ? null : (
                      <span class="row-detail">{errorTable[group.code].text}</span>
                    )}
                  </>
                }
              >
                {() => <ProblemRows group={group} services={services} onApplied={setApplied} />}
              </Fold>
            ))}
          </Section>
        );
      })}
      {groups.length > 0 ? (
        <div class="buttons">
          <Button quiet onClick={() => activity.clear()}>
            Clear list
          </Button>
        </div>
      ) : null}
    </>
  );
}

/** Cells that keep their last known value: by reason, and since when. */
function StaleCells({ services }: { services: PaneServices }) {
  const { cells, clock } = services;
  if (cells.summary().stale === 0) return null;
  const nowMs = clock.now();
  const byReason = new Map<string, CellUse[]>();
  for (const use of cells.all()) {
    if (use.state !== "stale") continue;
    const reason = use.error?.message ?? "The last request was not answered.";
    const group = byReason.get(reason);
    if (group) group.push(use);
    else byReason.set(reason, [use]);
  }
  return (
    <Section title="Stale: last known values">
      {[...byReason]
        .sort(([, one], [, other]) => other.length - one.length)
        .map(([reason, uses]) => (
          <Fold
            key={reason}
            title={
              <>
                <strong>{counted(uses.length, "cell")}</strong>, not answered since {sinceWords(uses, nowMs)}:{" "}
                {reason}
              </>
            }
          >
            {() => <AgedCells services={services} uses={uses} />}
          </Fold>
        ))}
    </Section>
  );
}

/** When the oldest of the values was fetched. */
function sinceWords(uses: readonly CellUse[], nowMs: number): string {
  const oldestMs = uses.reduce((least, use) => Math.min(least, use.oldestMs ?? least), nowMs);
  return timeOfDay(oldestMs, nowMs);
}

/** A wrong entry was never sent; an #N/A is the service's answer; the others were not answered. */
function kindOf({ code }: ProblemGroup): Kind {
  if (code === "bad-argument") return "mistyped";
  return errorTable[code].cell === "#VALUE!" ? "unanswered" : "none";
}

/** The service's own words often are the title: no need to read it twice. */
function saysAlready({ code, reason }: ProblemGroup): boolean {
  return reason.toLowerCase().includes(errorTable[code].text.toLowerCase());
}
