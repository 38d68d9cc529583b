/**
 * Settings of this device, and what INV is: version, help, licence. Changes take effect at once; there is
 * nothing to save and nothing here that travels with the workbook.
 */
import { useState } from "preact/hooks";
import { Button, Choice, Facts, Field, Message, Section } from "./parts";
import type { PaneServices } from "./services";
import { useSource } from "./use-source";

const mostMinutes = 24 * 60;

export function SettingsTab({ services }: { services: PaneServices }) {
  const settings = useSource(services.settings);
  const [cleared, setCleared] = useState(false);
  return (
    <>
      <Section title="Values">
        <Freshness
          minutes={settings.freshnessMinutes}
          onChange={(freshnessMinutes) => services.settings.change({ freshnessMinutes })}
        />
        <Choice
          name="inv-unanswered"
          legend="When the service cannot answer, a cell shows"
          value={settings.whenUnanswered}
          onChange={(whenUnanswered) => services.settings.change({ whenUnanswered })}
          options={[
            { value: "last-known", label: "its last known value", hint: "listed as stale, with its age" },
            { value: "error", label: "the error", hint: "#VALUE! with the reason" },
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
      </Section>
      <About services={services} />
    </>
  );
}

function Freshness({ minutes, onChange }: { minutes: number; onChange: (minutes: number) => void }) {
  const [refused, setRefused] = useState<string | null>(null);
  // What is being typed stays, however often the pane is drawn meanwhile.
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <Field
      id="inv-freshness"
      label="Freshness, in minutes"
      hint="A value younger than this is shown again without a call."
    >
      <input
        id="inv-freshness"
        class="control short"
        type="number"
        min={1}
        max={mostMinutes}
        step={1}
        value={typed ?? minutes}
        onInput={(event) => setTyped(event.currentTarget.value)}
        aria-describedby="inv-freshness-hint inv-freshness-refused"
        aria-invalid={refused !== null}
        onChange={(event) => {
          const value = event.currentTarget.valueAsNumber;
          const valid = Number.isInteger(value) && value >= 1 && value <= mostMinutes;
          setRefused(valid ? null : `Expected a whole number from 1 to ${mostMinutes}; kept ${minutes}.`);
          setTyped(null);
          if (valid) onChange(value);
          else event.currentTarget.value = String(minutes);
        }}
      />
      <p class="refused" id="inv-freshness-refused" role="alert">
        {refused}
      </p>
    </Field>
  );
}

function About({ services }: { services: PaneServices }) {
  return (
    <Section title="About INV">
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
    </Section>
  );
}
