/**
 * A cell's address that selects the cell. The keyboard stays in the pane, so that a list can be walked
 * through while the sheet follows.
 */
import { useState } from "preact/hooks";
import type { PaneServices } from "../services";
import { useAlive } from "./use-source";

interface CellLinkProps {
  services: PaneServices;
  address: string;
  /** In place of the address, where the sheet is plain. */
  label?: string;
}

export function CellLink({ services, address, label }: CellLinkProps) {
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
      {label ?? address}
      {gone ? " (not there any more)" : ""}
    </button>
  );
}
