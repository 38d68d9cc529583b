/** How long a token is used: as long as the service said, unless its tokens turn out to end sooner. */
import { createTokenKeeper } from "../../src/engine/scheduler/token";
import { gateway } from "../helpers/scripted-service";
import { askAll, createBed, item, noQuota, ask, warmBed } from "./bed";

it("uses the full lifetime of the token after one that was refused once", async () => {
  const bed = await warmBed();
  await bed.clock.advance(60_000);
  bed.service.script((call) =>
    call.operation === "search" && call.token === "token-1" ? gateway(401, "revoked") : undefined,
  );
  askAll(bed, [item(1, 1)]);
  await bed.clock.advance(800_000);
  expect(bed.service.of("token")).toHaveLength(2);
  await ask(bed, [item(1, 2)]);
  expect(bed.service.of("token")).toHaveLength(2);
});

it("a closed token keeper ignores a late token", async () => {
  const { clock, service } = createBed(noQuota);
  const { environment, credentials } = service.connection;
  const told: string[] = [];
  const tell = (what: string) => () => void told.push(what);
  const keeper = createTokenKeeper({
    clock,
    transport: service.transport,
    environment,
    credentials: credentials!,
    maxBytes: 10_000,
    onChange: tell("change"),
    onFault: tell("fault"),
    onOutage: tell("outage"),
  });
  keeper.renewIfDue();
  await clock.advance(60);
  keeper.close();
  await clock.advance(60_000);
  keeper.renewIfDue();
  await clock.advance(60_000);
  expect(service.of("token")).toHaveLength(1);
  expect(keeper.peek()).toBeNull();
  expect(told).toEqual([]);
});
