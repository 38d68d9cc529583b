/**
 * The contents of the folds of Settings. This device keeps the choice of an automatic refresh, because a mailed workbook must not use
 * its readers' quota. The quota's bars say whose requests they count: those of this workbook, or the company's if its server reports them.
 */
import { useState } from "preact/hooks";
import { Choice, Field, Select } from "../parts/fields";
import { WorkButtons } from "../parts/action";
import { ProgressBar, Facts } from "../parts/parts";
import type { TabProps } from "../parts/tab";
import { useObservable, useTick, useLoaded } from "../parts/use-observable";
import type { PaneServices } from "../services";
import { DiagnosticsSection } from "./diagnostics";
import type { Operation } from "../../domain/environment";
import type { Clock } from "../../engine/clock";
import type { Progress, QuotaUse } from "../../engine/types";
import { count, counted } from "../../domain/number-words";
import { unawaited } from "../../domain/unawaited";
import { duration, timeOfDay } from "../parts/words";
import type { OpenWorkbook } from "../../workbook/open-workbook";

const mostMinutes = 24 * 60;

type Part = "values" | "refresh" | "quota" | "diagnostics" | "about";

export function SettingsPart(
  props: Pick<TabProps, "services" | "progress" | "workbook" | "active"> & { part: Part },
) {
  const { part, services, progress, workbook, active } = props;
  switch (part) {
    case "values":
      return <Values services={services} />;
    case "refresh":
      return <AutoRefreshSetting services={services} workbook={workbook} active={active} />;
    case "quota":
      return <QuotaMeter quota={progress.quota} clock={services.clock} />;
    case "diagnostics":
      return <DiagnosticsSection services={services} />;
    case "about":
      return <About services={services} />;
  }
}

function Values({ services }: Pick<TabProps, "services">) {
  const settings = useObservable(services.settings);
  return (
    <>
      <WholeNumber
        id="inv-freshness"
        label="Freshness, in minutes"
        hint="A value younger than this is shown again without a request."
        min={1}
        max={mostMinutes}
        value={settings.freshnessMinutes}
        onChange={(freshnessMinutes) => services.settings.change({ freshnessMinutes })}
      />
      <WholeNumber
        id="inv-ask-above"
        label="Ask before sending more requests than"
        hint="For filled-down formulas. If you don't choose, they continue slowly. 0: INV never asks."
        min={0}
        max={10_000}
        value={settings.askAboveCalls}
        onChange={(askAboveCalls) => services.settings.change({ askAboveCalls })}
      />
      <Choice
        name="inv-unanswered"
        legend="When the service doesn't answer, show"
        value={settings.whenUnanswered}
        onChange={(whenUnanswered) => services.settings.change({ whenUnanswered })}
        options={[
          { value: "last-known", label: "the last known value", hint: "listed as stale, with its age" },
          { value: "error", label: "the error", hint: "#VALUE! with the reason" },
        ]}
      />
      <Choice
        name="inv-refresh-takes"
        legend="A refresh takes"
        value={settings.refreshTakes}
        onChange={(refreshTakes) => services.settings.change({ refreshTakes })}
        options={[
          {
            value: "shared",
            label: "values up to a minute old",
            hint: "what a colleague has just refreshed costs no request",
          },
          { value: "exact", label: "new values only" },
        ]}
      />
      <WorkButtons
        actions={{
          "Clear cached values": () => {
            services.engine.clear();
            return Promise.resolve(
              "Cleared. Cells keep their numbers until they are calculated again. INV then asks the service.",
            );
          },
        }}
      />
    </>
  );
}

function WholeNumber(props: {
  id: string;
  label: string;
  hint: string;
  min: number;
  max: number;
  value: number;
  onChange: (value: number) => void;
}) {
  const { id, label, hint, min, max, value, onChange } = props;
  const [refused, setRefused] = useState<string | null>(null);
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <Field id={id} label={label} hint={hint}>
      <input
        id={id}
        class="control short"
        type="number"
        min={min}
        max={max}
        step={1}
        value={typed ?? value}
        onInput={(event) => setTyped(event.currentTarget.value)}
        aria-describedby={`${id}-hint ${id}-refused`}
        aria-invalid={refused !== null}
        onChange={(event) => {
          const next = event.currentTarget.valueAsNumber;
          const valid = Number.isInteger(next) && next >= min && next <= max;
          setRefused(valid ? null : `Enter a whole number from ${min} to ${max}. INV kept ${value}.`);
          setTyped(null);
          if (valid) onChange(next);
          else event.currentTarget.value = String(value);
        }}
      />
      <p class="refused" id={`${id}-refused`} role="alert">
        {refused}
      </p>
    </Field>
  );
}

function About({ services }: { services: PaneServices }) {
  return (
    <>
      <Facts
        facts={[
          ["Version", services.version],
          ["Runs in", services.host.description],
        ]}
      />
      <a href="/LICENSE.txt" target="_blank" rel="noopener">
        Licence (MIT)
      </a>
    </>
  );
}

const operations: readonly (readonly [Operation, string])[] = [
  ["search", "Inventory"],
  ["events", "Events"],
];

/** Requests of the last minute against the company's quota. */
function QuotaMeter({ quota, clock }: { quota: Progress["quota"]; clock: Clock }) {
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
      <p class="hint">Requests in the last minute. Your colleagues use the same quota.</p>
    </>
  );
}

function Meter({ name, use, nowMs }: { name: string; use: QuotaUse; nowMs: number }) {
  const resumes = use.resumesAtMs !== null && use.resumesAtMs > nowMs ? use.resumesAtMs - nowMs : null;
  const words = `${count(use.used)} of ${count(use.limit)} by ${use.isOfCompany ? "your company" : "this workbook"}`;
  return (
    <div class="meter">
      <span>{name}</span>
      <span>
        {words}
        {resumes === null ? "" : `, continues in ${duration(resumes)}`}
      </span>
      <ProgressBar
        label={`${name} requests of the last minute: ${words}`}
        max={Math.max(1, use.limit)}
        value={Math.min(use.used, use.limit)}
        held={resumes !== null}
      />
    </div>
  );
}

const choices = [0, 5, 10, 15, 30, 60, 120];
const minutesOfHour = 60;

/** The automatic refresh of the open workbook: its interval, its next time, and its cost. */
function AutoRefreshSetting(props: { services: PaneServices; workbook: OpenWorkbook; active: boolean }) {
  const { services, workbook, active } = props;
  const { clock, autoRefresh } = services;
  const everyMinutes = useObservable(autoRefresh);
  const [notKept, setNotKept] = useState(false);
  const { nextRefreshMs } = useObservable(services.age);
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
        onChange={(value) => unawaited(choose(Number(value)))}
        hint="For this workbook on this device, while it is open and INV is connected."
      />
      {notKept ? (
        <p class="refused" role="alert">
          INV couldn't save this setting in the workbook. The workbook may be read-only. The setting applies
          until you close it.
        </p>
      ) : null}
      {nextRefreshMs === null ? null : (
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
