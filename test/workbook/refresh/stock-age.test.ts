/** How old the stock shown is goes on counting while nothing happens, also while the quota lets nothing happen. */
import { createCellRegister } from "../../../src/cells/cell-register";
import { createSource } from "../../../src/domain/notices";
import { createEngine } from "../../../src/engine/engine";
import { stockWords } from "../../../src/taskpane/header/stock-words";
import { createStockAge } from "../../../src/workbook/refresh/stock-age";
import { createScriptedService } from "../../helpers/scripted-service";
import { createVirtualClock } from "../../helpers/virtual-clock";

it("is told anew four times a minute while the quota waits", async () => {
  const clock = createVirtualClock();
  const service = createScriptedService({ clock });
  const engine = createEngine({ clock, transport: service.transport });
  engine.connect(service.connection);
  const cells = createCellRegister({ clock });
  const age = createStockAge({
    cells,
    clock,
    settings: createSource({ freshnessMinutes: 15, offline: false }),
    nextRefresh: createSource<number | null>(null),
  });
  const told: (number | null)[] = [];
  age.subscribe(() => told.push(age.get().oldestMs === null ? null : clock.now() - age.get().oldestMs!));
  const use = cells.begin("Plan!C1", "demo");
  use.answered(clock.now());
  use.settled();
  // The service asks everybody to wait: nothing settles from here on.
  service.script(({ operation }) =>
    operation === "search" ? new Response("", { status: 429, headers: { "retry-after": "60" } }) : undefined,
  );
  void engine
    .item({ storeNumber: 1234, itemType: "gtin", value: "00012345678905" }, "Plan!C2")
    .catch(() => undefined);
  await clock.advance(59_000);
  expect(engine.progress().quota.search.resumesAtMs).not.toBeNull();
  const ages = told.filter((each): each is number => each !== null);
  expect(Math.max(...ages)).toBeGreaterThanOrEqual(45_000);
  expect(new Set(ages.map((each) => Math.round(each / 15_000))).size).toBeGreaterThanOrEqual(4);
  await clock.advance(31_000);
  expect(stockWords(age.get(), clock.now()).text).toMatch(/2 min old$/);
});
