/**
 * The choice of automatic refresh. It is kept on the device, not in the workbook: a workbook that is mailed
 * around must not spend its readers' quota.
 */
import { Section, Select } from "./parts";
import type { SettingsService } from "../connection/device-settings";
import { useSource } from "./use-source";

const choices = [0, 5, 10, 15, 30, 60, 120];

export function AutoRefresh({ settings }: { settings: SettingsService }) {
  const { autoRefreshMinutes } = useSource(settings);
  const minutes = choices.includes(autoRefreshMinutes)
    ? choices
    : [...choices, autoRefreshMinutes].sort((a, b) => a - b);
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
        onChange={(value) => settings.change({ autoRefreshMinutes: Number(value) })}
        hint="For every workbook you open on this device. A turn is skipped while a refresh runs or INV is not connected."
      />
    </Section>
  );
}
