/** The switch that stops all calls. It is kept on the device until it is switched back. */
import type { SettingsService } from "../../connection/device-settings";
import { Section } from "../parts/parts";
import { useSource } from "../parts/use-source";

export function OfflineSwitch({ settings }: { settings: SettingsService }) {
  const { offline } = useSource(settings);
  return (
    <Section title="Offline">
      <label class="check">
        <input
          type="checkbox"
          checked={offline}
          onChange={(event) => settings.change({ offline: event.currentTarget.checked })}
        />
        <span>Send no calls, keep every value</span>
      </label>
    </Section>
  );
}
