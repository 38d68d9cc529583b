/** What a template or a formula costs before it is built, and a warning if the workbook doesn't calculate all of its cells. */
import type { BuildCost, TooManyCells } from "../../workbook/build-cost";
import { Message } from "../parts/parts";
import { count } from "../../domain/number-words";
import { usesWords } from "../parts/words";
import type { PaneServices } from "../services";

export function Cost({ services, cost }: { services: PaneServices; cost: BuildCost }) {
  const { engine, clock } = services;
  const { limit } = engine.progress().quota.search;
  return (
    <>
      <p class="price">{usesWords(cost.price, { ...cost, limit, nowMs: clock.now() })}</p>
      {cost.tooMany === null ? null : <Message intent="warning">{tooManyWords(cost.tooMany)}</Message>}
    </>
  );
}

function tooManyWords({ cells, most }: TooManyCells): string {
  const [without, verb] = cells - most === 1 ? ["one", "shows"] : [count(cells - most), "show"];
  return `This workbook calculates at most ${count(most)} INV cells. It would have ${count(cells)}, and ${without} of them ${verb} #VALUE!. Use fewer rows, or INV in Excel.`;
}
