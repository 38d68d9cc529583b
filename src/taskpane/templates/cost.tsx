/** What a template or a formula costs before it is built, and a warning if the workbook doesn't calculate all of its cells. */
import { type BuildCost, tooManyWords } from "../../workbook/build-cost";
import { Message } from "../parts/parts";
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
