/** Offers to colour stale cells in the sheet, once or always. */
import { isRunning, type Refresher } from "../../workbook/refresh/refresh";
import { staleCells } from "../../workbook/refresh/stale-cells";
import type { StaleColours } from "../../workbook/refresh/stale-colours";
import { ActionStatus, useAction, WorkButtons } from "../parts/action";
import { CheckBox } from "../parts/fields";
import { useChanges, useSource } from "../parts/use-source";
import { counted } from "../../domain/number-words";
import type { PaneServices } from "../services";

/** Nothing while no cell is stale, except that Always can be switched off. */
export function StaleColourOffer(props: { services: PaneServices; refresher: Refresher }) {
  const { services, refresher } = props;
  useChanges(services.cells.subscribe);
  useChanges(refresher.subscribe);
  const always = useSource(refresher.colours.always);
  const hasStale = staleCells(services.cells, refresher).length > 0;
  if ((!hasStale && !always) || isRunning(refresher.state)) return null;

  async function colour(): Promise<string> {
    const { cells, others } = await refresher.colours.colour();
    const rest =
      others === 0
        ? ""
        : ` INV couldn't colour ${counted(others, "cell")}: the sheet is protected, or they are too scattered.`;
    return cells === 0
      ? `No cell coloured.${rest}`
      : `${counted(cells, "cell")} grey, in italics, with a dotted line. A refresh that answers them removes this.${rest}`;
  }

  return (
    <div class="form">
      {always ? (
        hasStale && <p>Stale cells are grey in the sheet.</p>
      ) : (
        <WorkButtons quiet actions={{ "Colour stale cells": colour }} />
      )}
      <AlwaysColour
        colours={refresher.colours}
        label={hasStale ? "Always, in this workbook" : "Always colour stale cells, in this workbook"}
      />
    </div>
  );
}

/** A setting of the workbook. */
function AlwaysColour({ colours, label }: { colours: StaleColours; label: string }) {
  const always = useSource(colours.always);
  const action = useAction();
  return (
    <>
      <CheckBox
        label={label}
        checked={always}
        onChange={(isOn) => action.run(() => colours.setAlways(isOn).then(() => null))}
      />
      <ActionStatus action={action} />
    </>
  );
}
