/**
 * The quota meter: calls of the last minute against what the company may make. It knows the calls of this
 * workbook only and says so, because colleagues draw on the same quota unseen.
 */
import type { Operation } from "../../domain/environment";
import type { Clock } from "../../engine/clock";
import type { Progress, QuotaUse } from "../../engine/types";
import { Bar, Section } from "../parts/parts";
import { useTick } from "../parts/use-source";
import { count, duration } from "../parts/words";

interface QuotaMeterProps {
  quota: Progress["quota"];
  clock: Clock;
  active: boolean;
}

const operations: readonly (readonly [Operation, string])[] = [
  ["search", "Inventory"],
  ["events", "Events"],
];

export function QuotaMeter({ quota, clock, active }: QuotaMeterProps) {
  const inUse = operations.some(([operation]) => quota[operation].used > 0);
  useTick(clock, { everyMs: 1000, active: active && inUse });
  if (operations.every(([operation]) => quota[operation].limit === 0)) {
    return (
      <Section title="Quota">
        <p class="empty">Not connected, so no quota is known.</p>
      </Section>
    );
  }
  return (
    <Section title="Quota">
      {operations.map(([operation, name]) => (
        <Meter key={operation} name={name} use={quota[operation]} nowMs={clock.now()} />
      ))}
      <p class="hint">
        Calls of the last minute. INV knows this workbook's calls only; colleagues share the quota.
      </p>
    </Section>
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
        {resumes === null ? "" : `, goes on in ${duration(resumes)}`}
      </span>
      <Bar
        label={`${name} calls of the last minute: ${words}`}
        max={Math.max(1, use.limit)}
        value={Math.min(use.used, use.limit)}
        held={resumes !== null}
      />
    </div>
  );
}
