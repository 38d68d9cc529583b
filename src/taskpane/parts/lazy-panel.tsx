/**
 * A panel in its own chunk, which is loaded when the panel first comes into view. If the chunk can't be loaded (no network, a
 * restarted server), the pane says so and offers to try again.
 */
import type { ComponentType } from "preact";
import { LoadStatus } from "./load-status";
import { useLoaded } from "./use-observable";

type PropsOf<Component> = Component extends (props: infer Props) => unknown ? Props : never;

/** Returns a component that loads the chunk once and draws the panel exported under this name. */
export function lazyPanel<Chunk, Name extends keyof Chunk>(
  load: () => Promise<Chunk>,
  name: Name,
): ComponentType<PropsOf<Chunk[Name]>> {
  let loaded: ComponentType<PropsOf<Chunk[Name]>> | null = null;
  async function loadPanel(): Promise<true> {
    const chunk = await load();
    loaded = chunk[name] as ComponentType<PropsOf<Chunk[Name]>>;
    return true;
  }

  return function LazyPanel(props: PropsOf<Chunk[Name]>) {
    const loading = useLoaded(loaded === null ? loadPanel : null, []);
    if (loaded === null) return <LoadStatus loaded={loading} />;
    const Panel = loaded;
    return <Panel {...(props as PropsOf<Chunk[Name]> & object)} />;
  };
}
