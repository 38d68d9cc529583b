/** Signing in where servers are several, over one Redis: begun at one, come back at the other, and known to both. */
import { describeWithRedis, type RedisProcess, startRedis } from "../helpers/redis-process";
import { openSignedOut, type SignInBed, startSignInBed } from "./sign-in-bed";
import { scratch } from "./workbook-page";

describeWithRedis("a person whom the provider sends back to another server", () => {
  let redis: RedisProcess;
  let bed: SignInBed;
  beforeAll(async () => {
    redis = await startRedis();
    // One that INV knows: in a new one no call leaves for two minutes.
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
