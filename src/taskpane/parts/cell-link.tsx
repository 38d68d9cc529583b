/** A cell's address; a click selects the cell. The focus stays in the pane, so that a person can walk through a list. */
import { useState } from "preact/hooks";
import type { PaneServices } from "../services";

export function CellLink(props: { services: PaneServices; address: string; label?: string | undefined }) {
  const { services, address, label } = props;
  const [isGone, setGone] = useState(false);
  return (
    <button
      type="button"
      class="link"
      onClick={() => {
        services.selectCell(address).then(
          () => setGone(false),
          () => setGone(true),
        );
      }}
    >
      {label ?? address}
      {isGone ? " (no longer there)" : ""}
    </button>
  );
}
