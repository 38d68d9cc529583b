/**
 * A cell's address that selects the cell. The keyboard stays in the pane, so that a list can be walked
 * through while the sheet follows.
 */
import { useState } from "preact/hooks";
import type { PaneServices } from "./services";
import { useAlive } from "./use-source";

export function CellLink({ services, address }: { services: PaneServices; address: string }) {
  const [gone, setGone] = useState(false);
  const alive = useAlive();
  return (
    <button
      type="button"
      class="link"
      onClick={() => {
        services.selectCell(address).then(
          () => alive.current && setGone(false),
          () => alive.current && setGone(true),
        );
      }}
    >
      {address}
      {gone ? " (not there any more)" : ""}
    </button>
  );
}
