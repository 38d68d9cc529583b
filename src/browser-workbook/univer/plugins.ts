/**
 * Gives plugins to the grid as its maker's presets list them. What a sheet needs to stand is registered by
 * `create-grid.ts`; what people reach for later, by `tools.ts`.
 */
import type { PluginCtor, Univer } from "@univerjs/core";

export interface Preset {
  readonly plugins: readonly (PluginCtor | [PluginCtor, ConstructorParameters<PluginCtor>[0]])[];
}

/** `extra` adds to the configuration that the preset gives a plugin. */
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
