/** Calls and virtual time of whole sheets: the fewest calls, as soon as connections and quota allow. */
import { createEngine } from "../../src/engine/engine";
import type { ItemQuery } from "../../src/domain/records";
import type { Engine } from "../../src/engine/types";
import { createScriptedService, quantityOf, type ScriptedService } from "../helpers/scripted-service";
import { createVirtualClock, type VirtualClock } from "../helpers/virtual-clock";

interface Bed {
  clock: VirtualClock;
  service: ScriptedService;
  engine: Engine;
}

async function bed(options: { latencyMs?: number; connections?: number; quota?: number } = {}): Promise<Bed> {
  const clock = createVirtualClock();
  const service = createScriptedService({ clock, ...options });
  const engine = createEngine({
    clock,
    transport: service.transport,
    ...(options.connections !== undefined && { connections: options.connections }),
  });
  const connection = { ...service.connection };
  const quota = options.quota ?? 1_000_000;
  engine.connect({ ...connection, environment: { ...connection.environment, quota: { search: quota, events: quota } } });
  return { clock, service, engine };
}

function query(store: number, item: number): ItemQuery {
  return { storeNumber: 1_000 + store, itemType: "gtin", value: String(item).padStart(14, "0") };
}

function grid(stores: number, items: number): ItemQuery[] {
  const cells: ItemQuery[] = [];
  for (let item = 0; item < items; item += 1) {
    for (let store = 0; store < stores; store += 1) cells.push(query(store, item));
  }
  return cells;
}

describe("probe of figures", () => {
  it("d2", async () => {
    const { clock, service, engine } = await bed();
    const cells = grid(4_000, 25);
    const start = clock.now();
    let last = 0;
    let wrong = 0;
    let settled = 0;
    const t0 = performance.now();
    for (let at = 0; at < cells.length; at += 500) {
      clock.setTimeout(() => {
        for (const cell of cells.slice(at, at + 500)) {
          void engine.item(cell).then((answer) => {
            settled += 1;
            last = clock.now();
            if (!answer.found || answer.value.locations[0]?.quantity !== quantityOf(cell.storeNumber, cell.value)) wrong += 1;
          });
        }
      }, (at / 500) * 5);
    }
    await clock.runAll();
    console.log(settled, wrong, service.of("search").length, (last - start) / 1000, service.mostInFlight, performance.now() - t0);
  }, 60000);
});
