/**
 * Settings: first the environment and whose credentials are used; then what holds on this device. Changes take effect
 * at once: there is nothing to save, and only the environment is stored in the workbook.
 */
import { useState } from "preact/hooks";
import { ConnectTab } from "../connect/connect-tab";
import { Button, Choice, Facts, Field, Fold, Message } from "../parts/parts";
import type { TabProps } from "../parts/tab";
import { useSource } from "../parts/use-source";
import type { PaneServices } from "../services";
import { AutoRefreshSetting } from "./auto-refresh";
import { DiagnosticsSection } from "./diagnostics-section";
import { QuotaMeter } from "./quota-meter";

const mostMinutes = 24 * 60;

export function SettingsTab(props: TabProps) {
  const { services, progress, workbook, active, alone, show } = props;
  const minutes = useSource(services.autoRefresh);
  const { offline } = useSource(services.settings);
  if (alone) {
    return (
      <>
        <ConnectTab {...props} />
        <button type="button" class="link" onClick={() => show("refresh")}>
          Continue without a connection
        </button>
      </>
    );
  }
  return (
    <>
      <ConnectTab {...props} />
      <div class="folds">
        <label class="check">
          <input
            type="checkbox"
            checked={offline}
            onChange={(event) => services.settings.change({ offline: event.currentTarget.checked })}
          />
          <span>Work offline: send no requests, keep every value</span>
        </label>
        <Fold title="Values">{() => <Values services={services} />}</Fold>
        <Fold title={`Automatic refresh: ${minutes === 0 ? "off" : `every ${minutes} minutes`}`}>
          {() => <AutoRefreshSetting services={services} workbook={workbook} active={active} />}
        </Fold>
        <Fold title="Quota" active={active}>
          {() => <QuotaMeter quota={progress.quota} clock={services.clock} />}
        </Fold>
        <Fold title="Diagnostics">{() => <DiagnosticsSection services={services} />}</Fold>
        <Fold title="About INV">{() => <About services={services} />}</Fold>
      </div>
    </>
  );
}

function Values({ services }: { services: PaneServices }) {
  const settings = useSource(services.settings);
  const [cleared, setCleared] = useState(false);
  return (
    <>
      <WholeNumber
        id="inv-freshness"
        label="Freshness, in minutes"
        hint="A value younger than this is shown again without a request."
        least={1}
        most={mostMinutes}
        value={settings.freshnessMinutes}
        onChange={(freshnessMinutes) => services.settings.change({ freshnessMinutes })}
      />
      <WholeNumber
        id="inv-ask-above"
        label="Ask before sending more requests than"
        hint="Applies to filled-down formulas. Without an answer they continue slowly. 0 never asks."
        least={0}
        most={10_000}
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
      <div class="buttons">
        <Button
          onClick={() => {
            services.engine.clear();
            setCleared(true);
          }}
        >
          Clear cached values
        </Button>
      </div>
      <div role="status">
        {cleared ? (
          <Message intent="success">
            Cleared. Cells keep their numbers; the next calculation asks the service again.
          </Message>
        ) : null}
      </div>
    </>
  );
}

function WholeNumber({
  id,
  label,
  hint,
  least,
  most,
  value,
  onChange,
}: {
  id: string;
  label: string;
  hint: string;
  least: number;
  most: number;
  value: number;
  onChange: (value: number) => void;
}) {
  const [refused, setRefused] = useState<string | null>(null);
  // What is being typed stays, however often the pane is drawn meanwhile.
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <Field id={id} label={label} hint={hint}>
      <input
        id={id}
        class="control short"
        type="number"
        min={least}
        max={most}
        step={1}
        value={typed ?? value}
        onInput={(event) => setTyped(event.currentTarget.value)}
        aria-describedby={`${id}-hint ${id}-refused`}
        aria-invalid={refused !== null}
        onChange={(event) => {
          const next = event.currentTarget.valueAsNumber;
          const valid = Number.isInteger(next) && next >= least && next <= most;
          setRefused(valid ? null : `Enter a whole number from ${least} to ${most}. INV kept ${value}.`);
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
      <ul class="links">
        <li>
          <a href="/help/index.html" target="_blank" rel="noopener">
            Help: every function with examples
          </a>
        </li>
        <li>
          <a href="/LICENSE.txt" target="_blank" rel="noopener">
            Licence (MIT)
          </a>
        </li>
      </ul>
    </>
  );
}
