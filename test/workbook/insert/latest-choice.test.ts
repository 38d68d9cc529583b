/** Insert shows the latest picks and the latest selection, in any order of reads. */
import { fc } from "../../helpers/properties";
import { functionPreview } from "../../../src/functions/preview";
import { createInsert } from "../../../src/workbook/insert/insert";
import type { Workbook } from "../../../src/workbook/port";
import { withHost } from "../../functions/fakes";
import { createStage, list, named } from "./stage";

withHost();

describe("the latest choice", () => {
  it("wins in any order of reads", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.oneof(fc.nat(4), fc.constantFrom("QTY", "STATUS", "EVENTS", "EVENTQTY")), {
          minLength: 1,
          maxLength: 6,
        }),
        fc.boolean(),
        async (scheduler, steps, waits) => {
          const stage = createStage(list(6));
          list(6).forEach(([store = null, item = null], at) => {
            stage.workbook.put({ sheet: "Other", row: at, col: 0 }, item);
            stage.workbook.put({ sheet: "Other", row: at, col: 1 }, store);
          });
          const slow: Workbook = { ...stage.workbook, read: scheduler.scheduleFunction(stage.workbook.read) };
          const insert = createInsert({
            workbook: slow,
            engine: stage.engine,
            clock: stage.clock,
            functions: functionPreview,
          });
          let [row, id, sheet] = [1, "QTY", "Plan"];
          await stage.select(row, 3);
          insert.follow(() => undefined);
          insert.choose({ described: named(id), picks: {}, fillDown: true });
          await scheduler.waitIdle();
          for (const step of steps) {
            if (typeof step === "number") {
              row = 1 + step;
              sheet = step % 3 === 0 ? "Other" : "Plan";
              await stage.select(row, 3, { sheet });
              await stage.clock.advance(step % 2 === 0 ? 0 : 300);
            } else {
              id = step;
              insert.choose({ described: named(id), picks: {}, fillDown: true });
            }
            if (waits && scheduler.count() > 0) await scheduler.waitNext(1);
          }
          await stage.clock.advance(1_000);
          await scheduler.waitIdle();
          await stage.clock.turns();
          const { plan, cost } = insert.state();
          expect(plan?.area).toMatchObject({ sheet, row });
          const [store, item] = sheet === "Plan" ? ["A", "B"] : ["B", "A"];
          expect(plan?.formula).toContain(`=INV.${id}(${store}${row + 1},${item}${row + 1}`);
          expect(plan?.area.rows).toBe(id === "EVENTS" ? 1 : 7 - row);
          const { searchCalls, eventCallsAtLeast } = cost!.price;
          const stores = new Set(
            list(6)
              .slice(row, row + plan!.area.rows)
              .map(([number]) => number),
          );
          expect(searchCalls + eventCallsAtLeast).toBe(
            id.startsWith("EVENT") ? plan!.area.rows : stores.size,
          );
        },
      ),
      { numRuns: 60 },
    );
  });
});
