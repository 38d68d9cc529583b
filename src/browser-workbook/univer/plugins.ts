/**
 * Registers plugins in the form of the grid maker's presets. `create-grid.ts` registers the plugins that a sheet
 * needs at the start; `tools.ts` those that people need later.
 */
import type { PluginCtor, Univer } from "@univerjs/core";

export interface Preset {
  readonly plugins: readonly (PluginCtor | [PluginCtor, ConstructorParameters<PluginCtor>[0]])[];
}

/** @param extra returns additions to the preset's configuration of a plugin */
export function registerPlugins(
  univer: Univer,
  presets: readonly Preset[],
  extra: (plugin: unknown) => object = () => ({}),
): void {
  for (const entry of presets.flatMap(({ plugins }) => plugins)) {
    const plugin = Array.isArray(entry) ? entry[0] : entry;
    const config: unknown = Array.isArray(entry) ? entry[1] : undefined;
    univer.registerPlugin(plugin, { ...(config as object | undefined), ...extra(plugin) });
  }
}
