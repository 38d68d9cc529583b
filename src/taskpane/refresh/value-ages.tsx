/**
 * How old the values in the workbook are: the as-of time of the oldest and the newest, the cells whose value
 * is older than the freshness time, and those that show a last known value because the new one did not come,
 * each with what it asks for, its age and the reason.
 */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { CellUse } from "../../cells/cell-register";
import { lazyPanel } from "../parts/lazy-panel";
import { Facts, Section } from "../parts/parts";
import type { PaneServices, WantedView } from "../services";
import { useChanges, useSource, useTick } from "../parts/use-source";
import { count, counted, duration, timeOfDay } from "../parts/words";

const AgedCells = lazyPanel(async () => {
  const { AgedCells: Cells } = await import(/* webpackChunkName: "aged-cells" */ "./aged-cells");
  return Cells;
});

/** More rows help nobody; the count says how many there are. */
const mostListed = 200;
const ageEveryMs = 15_000;

export function ValueAges({ services, active }: { services: PaneServices; active: boolean }) {
  const { cells, clock } = services;
  const wanted = useSource(services.commands.wanted);
  const { freshnessMinutes } = useSource(services.settings);
  useChanges(cells.subscribe);
  useTick(clock, { everyMs: ageEveryMs, active });
  const summary = cells.summary();
  const { earlier, oldestMs } = useSource(services.age);
  const nowMs = clock.now();
  const freshFromMs = nowMs - freshnessMinutes * 60_000;
  const old = cells.olderThan(freshFromMs, 0).count;
  const wantsOld = wanted !== null && "part" in wanted ? wanted : null;
  const asOf = (atMs: number | null) =>
    atMs === null ? "none yet" : `${timeOfDay(atMs, nowMs)} (${duration(nowMs - atMs)} ago)`;

  return (
    <Section title="Values in this workbook">
      {summary.cells === 0 && earlier === null ? (
        <p class="empty">
          No INV formula has been calculated in this session. Type one, such as{" "}
          <code>=INV.QTY(store, item)</code>, or refresh.
        </p>
      ) : (
        <Facts
          facts={[
            ["INV cells", count(summary.cells + (earlier?.cells ?? 0))],
            ...(summary.waiting > 0 ? [["Waiting", count(summary.waiting)] as const] : []),
            ["Oldest as of", asOf(oldestMs)],
            ["Newest as of", asOf(summary.newestMs)],
            ...(summary.none > 0
              ? [["No such value", `${count(summary.none)} (#N/A, unless IFNA)`] as const]
              : []),
            ...(summary.unanswered > 0
              ? [["Not answered", `${count(summary.unanswered)} (#VALUE!)`] as const]
              : []),
            ...(summary.mistyped > 0
              ? [["Wrong entry", `${count(summary.mistyped)} (#VALUE!, nothing asked)`] as const]
              : []),
          ]}
        />
      )}
      {summary.stale > 0 ? (
        <Fold
          title={`${counted(summary.stale, "stale cell")}: last known values`}
          wanted={null}
          active={active}
        >
          {() => (
            <AgedCells services={services} nowMs={nowMs} listed={staleCells(services)} all={summary.stale} />
          )}
        </Fold>
      ) : null}
      {earlier === null ? null : (
        <Fold
          title={`${counted(earlier.cells, "cell")} not asked for since the workbook was opened`}
          wanted={wantsOld}
          active={active}
        >
          {() => (
            <p class="hint">
              Their values are those the workbook was saved with, of {timeOfDay(earlier.oldestMs, nowMs)} or
              later. A refresh of the whole workbook asks for them.
            </p>
          )}
        </Fold>
      )}
      {old > 0 ? (
        <Fold
          title={`${counted(old, "cell")} older than ${duration(freshnessMinutes * 60_000)}`}
          wanted={earlier === null ? wantsOld : null}
          active={active}
        >
          {() => {
            const { cells: listed, count: all } = cells.olderThan(freshFromMs, mostListed);
            return <AgedCells services={services} nowMs={nowMs} listed={listed} all={all} />;
          }}
        </Fold>
      ) : null}
    </Section>
  );
}

interface FoldProps {
  title: string;
  /** Opens it and takes the keyboard there, at each new object. */
  wanted: WantedView | null;
  active: boolean;
  /** Called while it is open and in view only. */
  children: () => ComponentChildren;
}

function Fold({ title, wanted, active, children }: FoldProps) {
  const [open, setOpen] = useState(false);
  const summary = useRef<HTMLElement>(null);
  const served = useRef<WantedView | null>(null);
  useEffect(() => {
    // What is hidden takes no keyboard: it is served when its tab is in view, and once.
    if (wanted === null || !active || served.current === wanted) return;
    served.current = wanted;
    setOpen(true);
    summary.current?.scrollIntoView({ block: "start" });
    summary.current?.focus();
  }, [wanted, active]);
  return (
    <details class="group" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary ref={summary}>{title}</summary>
      {open && active ? children() : null}
    </details>
  );
}

function staleCells(services: PaneServices): readonly CellUse[] {
  const listed: CellUse[] = [];
  for (const use of services.cells.all()) {
    if (use.state === "stale") listed.push(use);
    if (listed.length === mostListed) break;
  }
  return listed;
}
