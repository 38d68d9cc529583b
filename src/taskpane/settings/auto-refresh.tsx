/**
 * The choice of automatic refresh for the open workbook, when its next turn comes, and what it costs. It holds
 * on this device alone: a workbook that is mailed around must not spend its readers' quota.
 */
import { useEffect, useState } from "preact/hooks";
import type { OpenWorkbook } from "../../workbook/open-workbook";
import { Section, Select } from "../parts/parts";
import type { PaneServices } from "../services";
import { useAlive, useSource } from "../parts/use-source";
import { counted, timeOfDay } from "../parts/words";

const choices = [0, 5, 10, 15, 30, 60, 120];
const minutesOfHour = 60;

interface AutoRefreshProps {
  services: PaneServices;
  workbook: OpenWorkbook;
  active: boolean;
}

export function AutoRefreshSetting({ services, workbook, active }: AutoRefreshProps) {
  const { settings, clock, autoRefresh } = services;
  const { offline } = useSource(settings);
  const autoRefreshMinutes = useSource(autoRefresh);
  const [notKept, setNotKept] = useState(false);
  const alive = useAlive();
  const { nextRefreshMs } = useSource(services.age);
  const calls = useCallsOfATurn(workbook, active && autoRefreshMinutes > 0, nextRefreshMs);
  const minutes = choices.includes(autoRefreshMinutes)
    ? choices
    : [...choices, autoRefreshMinutes].sort((a, b) => a - b);

  async function choose(next: number): Promise<void> {
    const kept = await autoRefresh.choose(next).then(
      () => true,
      () => false,
    );
    if (alive.current) setNotKept(!kept);
  }

  return (
    <Section title="Automatic refresh">
      <Select
        id="inv-auto-refresh"
        label="Refresh the whole workbook"
        value={String(autoRefreshMinutes)}
        options={minutes.map((value) => ({
          value: String(value),
          label: value === 0 ? "Off" : `Every ${value} minutes`,
        }))}
        onChange={(value) => void choose(Number(value))}
        hint="For this workbook, on this device; INV then starts when it is opened. A turn is skipped while a refresh runs or INV is not connected."
      />
      {notKept ? (
        <p class="refused" role="alert">
          The workbook did not take it; it may be read-only. It holds until you close the workbook.
        </p>
      ) : null}
      {nextRefreshMs === null ? null : (
        <p class="price" role="status">
          {offline
            ? "No turn while INV is offline."
            : `Next at ${timeOfDay(nextRefreshMs, clock.now())}${costOf(calls, autoRefreshMinutes)}.`}
        </p>
      )}
    </Section>
  );
}

function costOf(calls: number | null, everyMinutes: number): string {
  if (calls === null) return "";
  const anHour = Math.ceil((calls * minutesOfHour) / everyMinutes);
  return `: at least ${counted(calls, "call")} each time, ${counted(anHour, "call")} an hour`;
}

/** What refreshing the workbook costs; asked anew with each turn. Null until it is known. */
function useCallsOfATurn(workbook: OpenWorkbook, wanted: boolean, turn: number | null): number | null {
  const [calls, setCalls] = useState<number | null>(null);
  useEffect(() => {
    if (workbook.kind !== "open" || !wanted) return;
    let current = true;
    workbook.refresher.quote("workbook").then(
      ({ price }) => current && setCalls(price.searchCalls + price.eventCallsAtLeast),
      () => current && setCalls(null),
    );
    return () => void (current = false);
  }, [workbook, wanted, turn]);
  return calls;
}
