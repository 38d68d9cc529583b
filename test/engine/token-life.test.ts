/** How long a token is used: what the service said of it, unless its tokens are seen to end sooner. */
import { gateway } from "../helpers/scripted-service";
import { askAll, createBed, item, noQuota, warm } from "./bed";

it("a token that was refused once, as after a revocation, is followed by one that lives as long as it says", async () => {
  const bed = createBed(noQuota);
  await warm(bed);
  await bed.clock.advance(60_000);
  bed.service.script((call) =>
    call.operation === "search" && call.token === "token-1" ? gateway(401, "revoked") : undefined,
  );
  askAll(bed, [item(1, 1)]);
  await bed.clock.advance(800_000);
  expect(bed.service.of("token")).toHaveLength(2);
  askAll(bed, [item(1, 2)]);
  await bed.clock.runAll();
  expect(bed.service.of("token")).toHaveLength(2);
});
