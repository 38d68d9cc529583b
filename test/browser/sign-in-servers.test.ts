/** Signing in with several servers over one Redis: it begins at one server, returns to another, and both know the session. */
import { describeWithRedis, type RedisProcess, startRedis } from "../helpers/redis-process";
import { openSignedOut, type SignInBed, startSignInBed } from "./sign-in-bed";
import { scratch } from "./workbook-page";

describeWithRedis("a person whom the provider sends back to another server", () => {
  let redis: RedisProcess;
  let bed: SignInBed;
  beforeAll(async () => {
    redis = await startRedis();
    // Marks this Redis as known to INV: with a new one, no call leaves for two minutes.
    const process = /run_id:(\w+)/.exec(await redis.command("INFO", "server"))?.[1] ?? "";
    await redis.command("HSET", "inv:quota marks", "mark", `${process} 1`, "opens", "1");
    bed = await startSignInBed({}, redis);
  });
  afterAll(async () => {
    await bed.stop();
    await redis.kill();
  });

  it("is signed in at both, and gets a number", async () => {
    const workbook = await openSignedOut(bed);
    await workbook.signIn();
    await workbook.ask(0);
    await workbook.filled(scratch, 0, 0);
  });
});
