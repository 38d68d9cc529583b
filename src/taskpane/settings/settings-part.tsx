/** The contents of the folds of Settings. */
import { useState } from "preact/hooks";
import { Choice, Field } from "../parts/fields";
import { Buttons, Facts, Message } from "../parts/parts";
import type { TabProps } from "../parts/tab";
import { useSource } from "../parts/use-source";
import { AlwaysColour } from "../refresh/stale-colours";
import type { PaneServices } from "../services";
import { AutoRefreshSetting } from "./auto-refresh";
import { DiagnosticsSection } from "./diagnostics";
import { QuotaMeter } from "./quota-meter";

const mostMinutes = 24 * 60;

type Part = "values" | "refresh" | "quota" | "diagnostics" | "about";

export function SettingsPart(
  props: Pick<TabProps, "services" | "progress" | "workbook" | "active"> & { part: Part },
) {
  const { part, services, progress, workbook, active } = props;
  switch (part) {
    case "values":
      return <Values services={services} workbook={workbook} />;
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

function Values({ services, workbook }: Pick<TabProps, "services" | "workbook">) {
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
        hint="For filled-down formulas. If you don't choose, they continue slowly. 0: INV never asks."
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
      {workbook.kind === "open" ? (
        <AlwaysColour
          colours={workbook.refresher.colours}
          label="Colour stale cells after each refresh of this workbook"
        />
      ) : null}
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
      <Buttons
        actions={{
          "Clear cached values": () => {
            services.engine.clear();
            setCleared(true);
          },
        }}
      />
      <div role="status">
        {cleared ? (
          <Message intent="success">
            Cleared. Cells keep their numbers until they are calculated again. INV then asks the service.
          </Message>
        ) : null}
      </div>
    </>
  );
}

function WholeNumber(props: {
  id: string;
  label: string;
  hint: string;
  least: number;
  most: number;
  value: number;
  onChange: (value: number) => void;
}) {
  const { id, label, hint, least, most, value, onChange } = props;
  const [refused, setRefused] = useState<string | null>(null);
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
