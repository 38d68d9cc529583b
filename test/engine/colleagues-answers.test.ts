/** The age of a colleague's answer that a page accepts from its team's server: never older than what the page shows. */
import { createEngine } from "../../src/engine/engine";
import { isNewer } from "../../src/engine/entry";
import { createScriptedService, inventory } from "../helpers/scripted-service";
import { createVirtualClock } from "../helpers/virtual-clock";
import { noQuota, sheet } from "./bed";

/** 800 items of one store, answered by the team's server, each so old; with the ages that later calls accept. */
async function openShared(ageSeconds: number) {
  const clock = createVirtualClock();
  const service = createScriptedService({ ...noQuota, clock });
  const accepted: (string | null)[] = [];
  const engine = createEngine({
    clock,
    transport: (request) => {
      accepted.push(request.headers.get("inv-max-age"));
      return service.transport(request);
    },
  });
  const { environment, credentials } = service.connection;
  engine.connect({ environment: { ...environment, pacedBy: "server" }, credentials });
  service.script((call) => {
    if (call.operation !== "search") return undefined;
    const response = inventory(call);
    response.headers.set("inv-ages", call.values.map(() => ageSeconds * 1_000).join(","));
    return response;
  });
  const items = sheet(1, 800);
  await clock.until(Promise.all(items.map((query) => engine.item(query))));
  accepted.length = 0;
  return { clock, service, engine, items, accepted };
}

it.each([
  [300, "60"],
  [31, "30"],
  [0, "0"],
])(
  "a refresh of items that are %i s old accepts colleagues' answers of up to %s s",
  async (ageSeconds, taken) => {
    const { clock, engine, items, accepted } = await openShared(ageSeconds);
    await clock.until(engine.refresh({ items, histories: [] }));
    await clock.runAll();
    expect(new Set(accepted)).toEqual(new Set([taken]));
  },
);

it("a call that leaves later in a refresh accepts answers that are older by the time since its start", async () => {
  const { clock, service, engine, items, accepted } = await openShared(300);
  service.latencyMs = 10_000;
  await clock.until(engine.refresh({ items, histories: [] }));
  // Six calls are in flight at a time.
  expect(accepted).toEqual([...Array<string>(6).fill("60"), "70", "70"]);
});

it("orders answers by when they were requested, not by the call that brought them", () => {
  const own = { epoch: 1, number: 1, atMs: 5_000 };
  const colleagues = { epoch: 1, number: 2, atMs: 4_000 };
  expect([isNewer(colleagues, own), isNewer(own, colleagues)]).toEqual([false, true]);
});
