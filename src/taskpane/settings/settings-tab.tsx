/** Settings: the environment and credentials, then the settings of this device. Changes take effect at once. */
import { ConnectTab } from "../connect/connect-tab";
import { CheckBox } from "../parts/fields";
import { lazyPanel } from "../parts/lazy-panel";
import { Fold } from "../parts/parts";
import type { TabProps } from "../parts/tab";
import { useSource } from "../parts/use-source";

const SettingsPart = lazyPanel(
  () => import(/* webpackChunkName: "settings-part" */ "./settings-part"),
  "SettingsPart",
);

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
        <CheckBox
          label="Work offline"
          checked={offline}
          onChange={(next) => services.settings.change({ offline: next })}
        />
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
