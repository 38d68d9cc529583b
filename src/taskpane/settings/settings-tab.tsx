/**
 * Settings: first the environment and whose credentials are used; then what holds on this device. Changes take effect
 * at once: there is nothing to save, and only the environment is stored in the workbook.
 */
import { ConnectTab } from "../connect/connect-tab";
import { lazyPanel } from "../parts/lazy-panel";
import { Fold } from "../parts/parts";
import type { TabProps } from "../parts/tab";
import { useSource } from "../parts/use-source";
import type { SettingsPartProps } from "./settings-part";

/** What the folds show comes with the first that is opened. */
const SettingsPart = lazyPanel<SettingsPartProps>(async () => {
  const { SettingsPart: Part } = await import(/* webpackChunkName: "settings-part" */ "./settings-part");
  return Part;
});

export function SettingsTab(props: TabProps) {
  const { services, active, alone, show } = props;
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
        <Fold title="Values">{() => <SettingsPart {...props} part="values" />}</Fold>
        <Fold title={`Automatic refresh: ${minutes === 0 ? "off" : `every ${minutes} minutes`}`}>
          {() => <SettingsPart {...props} part="refresh" />}
        </Fold>
        <Fold title="Quota" active={active}>
          {() => <SettingsPart {...props} part="quota" />}
        </Fold>
        <Fold title="Diagnostics">{() => <SettingsPart {...props} part="diagnostics" />}</Fold>
        <Fold title="About INV">{() => <SettingsPart {...props} part="about" />}</Fold>
      </div>
    </>
  );
}
