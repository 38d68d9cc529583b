/**
 * The automatic refresh of the open workbook: its interval, its next time, and its cost. This device keeps the choice, because
 * a mailed workbook must not use its readers' quota.
 */
import { useState } from "preact/hooks";
import type { OpenWorkbook } from "../../workbook/open-workbook";
import { Select } from "../parts/fields";
import { useLoaded, useSource } from "../parts/use-source";
import { counted, timeOfDay } from "../parts/words";
import type { PaneServices } from "../services";

const choices = [0, 5, 10, 15, 30, 60, 120];
const minutesOfHour = 60;

export function AutoRefreshSetting(props: {
  services: PaneServices;
  workbook: OpenWorkbook;
  active: boolean;
}) {
  const { services, workbook, active } = props;
  const { settings, clock, autoRefresh } = services;
  const { offline } = useSource(settings);
  const everyMinutes = useSource(autoRefresh);
  const [notKept, setNotKept] = useState(false);
  const { nextRefreshMs } = useSource(services.age);
  const refresher = workbook.kind === "open" && active && everyMinutes > 0 ? workbook.refresher : null;
  const quote = useLoaded(refresher && (() => refresher.quote("workbook")), [refresher, nextRefreshMs]);
  const price = quote.error === null ? quote.value?.price : undefined;
  const minutes = choices.includes(everyMinutes) ? choices : [...choices, everyMinutes].sort((a, b) => a - b);

  async function choose(next: number): Promise<void> {
    await autoRefresh.choose(next).then(
      () => setNotKept(false),
      () => setNotKept(true),
    );
  }

  return (
    <>
      <Select
        id="inv-auto-refresh"
        label="Refresh the whole workbook"
        value={String(everyMinutes)}
        options={minutes.map((value) => ({
          value: String(value),
          label: value === 0 ? "Off" : `Every ${value} minutes`,
        }))}
        onChange={(value) => void choose(Number(value))}
        hint="For this workbook on this device, while it is open and INV is connected."
      />
      {notKept ? (
        <p class="refused" role="alert">
          INV couldn't save this setting in the workbook. The workbook may be read-only. The setting applies
          until you close it.
        </p>
      ) : null}
      {nextRefreshMs === null || offline ? null : (
        <p class="price" role="status">
          Next refresh at {timeOfDay(nextRefreshMs, clock.now())}
          {price ? costOf(price.searchCalls + price.eventCallsAtLeast, everyMinutes) : ""}.
        </p>
      )}
    </>
  );
}

function costOf(requests: number, everyMinutes: number): string {
  const anHour = Math.ceil((requests * minutesOfHour) / everyMinutes);
  return `: at least ${counted(requests, "request")}, ${counted(anHour, "request")} an hour`;
}
