/**
 * Settings of this device, and what INV is: version, help, licence. Changes take effect at once; there is
 * nothing to save and nothing here that travels with the workbook.
 */
import { useState } from "preact/hooks";
import { Button, Choice, Facts, Field, Message, Section } from "../parts/parts";
import type { PaneServices } from "../services";
import { useSource } from "../parts/use-source";

const mostMinutes = 24 * 60;

export function SettingsTab({ services }: { services: PaneServices }) {
  const settings = useSource(services.settings);
  const [cleared, setCleared] = useState(false);
  return (
    <>
      <Section title="Values">
        <WholeNumber
          id="inv-freshness"
          label="Freshness, in minutes"
          hint="A value younger than this is shown again without a call."
          least={1}
          most={mostMinutes}
          value={settings.freshnessMinutes}
          onChange={(freshnessMinutes) => services.settings.change({ freshnessMinutes })}
        />
        <WholeNumber
          id="inv-ask-above"
          label="Ask before spending more calls than"
          hint="A fill-down that wants more waits for your answer, and goes on slowly without one. 0 never asks. The demo is free."
          least={0}
          most={10_000}
          value={settings.askAboveCalls}
          onChange={(askAboveCalls) => services.settings.change({ askAboveCalls })}
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
        <Choice
          name="inv-refresh-takes"
          legend="A refresh takes"
          value={settings.refreshTakes}
          onChange={(refreshTakes) => services.settings.change({ refreshTakes })}
          options={[
            {
              value: "shared",
              label: "values up to a minute old",
              hint: "those that a colleague's refresh has just fetched cost no call",
            },
            { value: "exact", label: "exact values", hint: "each is fetched anew" },
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

interface WholeNumberProps {
  id: string;
  label: string;
  hint: string;
  least: number;
  most: number;
  value: number;
  onChange: (value: number) => void;
}

function WholeNumber({ id, label, hint, least, most, value, onChange }: WholeNumberProps) {
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
          setRefused(valid ? null : `Expected a whole number from ${least} to ${most}; kept ${value}.`);
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
