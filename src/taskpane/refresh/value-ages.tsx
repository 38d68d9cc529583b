/** The ages of the workbook's values: the oldest, the newest, and the cells older than the freshness time. */
import type { Refresher } from "../../workbook/refresh/refresh";
import { staleCells } from "../../workbook/refresh/stale-cells";
import { lazyPanel } from "../parts/lazy-panel";
import { Facts, Fold } from "../parts/parts";
import type { PaneServices } from "../services";
import { useChanges, useLoaded, useSource, useTick } from "../parts/use-source";
import { count, counted, duration, timeOfDay } from "../parts/words";

const AgedCells = lazyPanel(
  () => import(/* webpackChunkName: "aged-cells" */ "../parts/aged-cells"),
  "AgedCells",
);

const mostListed = 200;
const ageEveryMs = 15_000;

export function ValueAges(props: {
  services: PaneServices;
  refresher: Refresher;
  active: boolean;
  onStale: () => void;
}) {
  const { services, refresher, active, onStale } = props;
  const { cells, clock } = services;
  const wanted = useSource(services.commands.wanted);
  const { freshnessMinutes } = useSource(services.settings);
  useChanges(cells.subscribe);
  useChanges(refresher.subscribe);
  useTick(clock, { everyMs: ageEveryMs, active });
  const summary = cells.summary();
  const stale = staleCells(cells, refresher).length;
  const { earlier, oldestMs } = useSource(services.age);
  const { unseen } = refresher;
  useLoaded(active && unseen === null ? () => refresher.quote("workbook") : null, [refresher]);
  const nowMs = clock.now();
  const freshFromMs = nowMs - freshnessMinutes * 60_000;
  const old = cells.olderThan(freshFromMs, 0).count;
  const wantsOld = wanted !== null && "part" in wanted ? wanted : null;
  const asOf = (atMs: number | null) =>
    atMs === null ? "none yet" : `${timeOfDay(atMs, nowMs)} (${duration(nowMs - atMs)} ago)`;

  const counts = [
    ["Not calculated since the workbook was opened", earlier === null ? (unseen ?? 0) : 0],
    ["Waiting", summary.waiting],
    ["Not found (#N/A)", summary.none],
    ["Not answered (#VALUE!)", summary.unanswered],
    ["Failed (#VALUE!)", summary.failed],
    ["Wrong entries (#VALUE!), not counted above", summary.invalidArguments],
  ] as const;

  return (
    <div class="folds">
      {cells.size() === 0 && earlier === null ? (
        <NoCells unseen={unseen} />
      ) : (
        <Fold
          title={
            unseen === null
              ? `At least ${counted(summary.cells, "INV cell")}`
              : counted(summary.cells + unseen, "INV cell")
          }
          active={active}
        >
          {() => (
            <Facts
              facts={[
                ["Oldest value", asOf(oldestMs)],
                ["Newest value", asOf(summary.newestMs)],
                ...counts
                  .filter(([, found]) => found > 0)
                  .map(([name, found]) => [name, count(found)] as const),
              ]}
            />
          )}
        </Fold>
      )}
      {stale > 0 ? (
        <button type="button" class="link" onClick={onStale}>
          {counted(stale, "stale cell")}: last known answers
        </button>
      ) : null}
      {earlier === null ? null : (
        <Fold
          title={`${counted(unseen ?? earlier.cells, "cell")} not updated since the workbook was opened`}
          wanted={wantsOld}
          active={active}
        >
          {() => (
            <p class="hint">
              Their values were saved with the workbook, and are of {timeOfDay(earlier.oldestMs, nowMs)} or
              later. To update them, refresh the whole workbook.
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
            const { cells: invCells, count: all } = cells.olderThan(freshFromMs, mostListed);
            const listed = invCells.map((invCell) => ({ address: invCell.address, invCell }));
            return <AgedCells services={services} cells={listed} all={all} />;
          }}
        </Fold>
      ) : null}
    </div>
  );
}

/** Without calculated cells: a workbook that isn't calculated, as after opening one, still has formulas. */
function NoCells({ unseen }: { unseen: number | null }) {
  if (unseen === null) return <p class="empty">Looking for INV formulas…</p>;
  return (
    <p class="empty">
      {unseen > 0 ? (
        `${counted(unseen, "INV cell")} not calculated since the workbook was opened.`
      ) : (
        <>
          No INV formulas yet. Type one, such as <code>=INV.QTY(store, item)</code>.
        </>
      )}
    </p>
  );
}
