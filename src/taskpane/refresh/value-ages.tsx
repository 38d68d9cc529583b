/** The ages of the workbook's values: the oldest, the newest, and the cells older than the freshness time. */
import type { Refresher } from "../../workbook/refresh/refresh";
import type { AsOf } from "../../workbook/refresh/earlier-values";
import { lazyPanel } from "../parts/lazy-panel";
import { Facts, Fold } from "../parts/parts";
import { type RequestedPart, requestIf } from "../parts/tab";
import type { PaneServices } from "../services";
import { useChanges, useObservable, useTick } from "../parts/use-observable";
import { count, counted } from "../../domain/number-words";
import { duration, timeOfDay } from "../parts/words";

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
  requestedPart: RequestedPart | null;
}) {
  const { services, refresher, active } = props;
  const { cells, clock } = services;
  const { freshnessMinutes } = useObservable(services.settings);
  useChanges(cells.subscribe);
  useChanges(refresher.subscribe);
  useTick(clock, { everyMs: ageEveryMs, active });
  const summary = cells.summary();
  const { earlier, asOf } = useObservable(services.age);
  const { uncalculated } = summary;
  const nowMs = clock.now();
  const freshFromMs = nowMs - freshnessMinutes * 60_000;
  const old = cells.olderThan(freshFromMs, 0).count;
  const wantsOld = requestIf(props.requestedPart, "old-values");
  const timeWords = (at: AsOf) => {
    if (at === "unknown") return "age unknown";
    return at === null ? "none yet" : `${timeOfDay(at, nowMs)} (${duration(nowMs - at)} ago)`;
  };

  const counts = [
    ["Waiting", summary.waiting],
    ["Not found (#N/A)", summary.none],
    ["Not answered (#VALUE!)", summary.unanswered],
    ["Failed (#VALUE!)", summary.failed],
    ["Wrong entries (#VALUE!), not counted above", summary.invalidArguments],
  ] as const;

  return (
    <>
      {cells.size() === 0 && (uncalculated ?? 0) === 0 ? (
        <NoCells isSearched={uncalculated !== null} />
      ) : (
        <Fold
          title={
            uncalculated === null
              ? `At least ${counted(summary.cells, "INV cell")}`
              : counted(summary.cells + uncalculated, "INV cell")
          }
          active={active}
        >
          {() => (
            <Facts
              facts={[
                ["Oldest value", timeWords(asOf)],
                ["Newest value", timeWords(summary.newestMs)],
                ...counts
                  .filter(([, found]) => found > 0)
                  .map(([name, found]) => [name, count(found)] as const),
              ]}
            />
          )}
        </Fold>
      )}
      {earlier === null || earlier.cells === null ? null : (
        <Fold
          title={`${counted(earlier.cells, "cell")} not updated since the workbook was opened`}
          openRequest={wantsOld}
          active={active}
        >
          {() => (
            <p class="hint">
              {earlier.oldestMs === "unknown"
                ? "INV hasn't calculated these cells, and the workbook contains no time for them, so their age is unknown."
                : `Their values were saved with the workbook, and are of ${timeOfDay(earlier.oldestMs, nowMs)} or later.`}{" "}
              To update them, refresh the whole workbook.
            </p>
          )}
        </Fold>
      )}
      {old > 0 ? (
        <Fold
          title={`${counted(old, "cell")} older than ${duration(freshnessMinutes * 60_000)}`}
          openRequest={earlier === null ? wantsOld : null}
          active={active}
        >
          {() => {
            const { cells: invCells, count: all } = cells.olderThan(freshFromMs, mostListed);
            const listed = invCells.map((invCell) => ({ address: invCell.address, invCell }));
            return <AgedCells services={services} cells={listed} all={all} />;
          }}
        </Fold>
      ) : null}
    </>
  );
}

function NoCells({ isSearched }: { isSearched: boolean }) {
  if (!isSearched) return <p class="empty">Looking for INV formulas…</p>;
  return (
    <p class="empty">
      No INV formulas yet. Type one, such as <code>=INV.QTY(store, item)</code>.
    </p>
  );
}
