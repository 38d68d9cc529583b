/**
 * Requests of the last minute against the company's quota. INV counts only the requests of this workbook, and says so, because
 * colleagues use the same quota.
 */
import type { Operation } from "../../domain/environment";
import type { Clock } from "../../engine/clock";
import type { Progress, QuotaUse } from "../../engine/types";
import { Bar } from "../parts/parts";
import { useTick } from "../parts/use-source";
import { count, duration } from "../parts/words";

const operations: readonly (readonly [Operation, string])[] = [
  ["search", "Inventory"],
  ["events", "Events"],
];

export function QuotaMeter({ quota, clock }: { quota: Progress["quota"]; clock: Clock }) {
  const inUse = operations.some(([operation]) => quota[operation].used > 0);
  useTick(clock, { everyMs: 1000, active: inUse });
  if (operations.every(([operation]) => quota[operation].limit === 0)) {
    return <p class="empty">Connect to see the quota.</p>;
  }
  return (
    <>
      {operations.map(([operation, name]) => (
        <Meter key={operation} name={name} use={quota[operation]} nowMs={clock.now()} />
      ))}
      <p class="hint">Requests of this workbook in the last minute. Your colleagues use the same quota.</p>
    </>
  );
}

function Meter({ name, use, nowMs }: { name: string; use: QuotaUse; nowMs: number }) {
  const resumes = use.resumesAtMs !== null && use.resumesAtMs > nowMs ? use.resumesAtMs - nowMs : null;
  const words = `${count(use.used)} of ${count(use.limit)}`;
  return (
    <div class="meter">
      <span>{name}</span>
      <span>
        {words}
        {resumes === null ? "" : `, continues in ${duration(resumes)}`}
      </span>
      <Bar
        label={`${name} requests of the last minute: ${words}`}
        max={Math.max(1, use.limit)}
        value={Math.min(use.used, use.limit)}
        held={resumes !== null}
      />
    </div>
  );
}
