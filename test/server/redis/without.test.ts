/** Without `redis` in the configuration nothing of it is loaded. */
import { createApp } from "../../../src/server/app";
import { createDemoService } from "../../../src/service/demo/demo-service";
import { settings, silentLog } from "../parts";

const mockLoaded = jest.fn();
jest.mock("@redis/client", () => {
  mockLoaded();
  return jest.requireActual<object>("@redis/client");
});

const redis = { url: "redis://localhost:1", prefix: "inv:", ca: null };

it.each([
  ["nothing", null, 0],
  ["the client", redis, 1],
])("loads %s", async (_, configured, times) => {
  const demo = createDemoService({ now: () => 0, random: () => 0, sleep: () => Promise.resolve() });
  const app = await createApp({
    config: settings({ redis: configured }),
    folder: __dirname,
    demo: { ...demo, faultSwitches: false },
    now: () => performance.now(),
    log: silentLog,
  });
  expect(mockLoaded).toHaveBeenCalledTimes(times);
  const ready = await app.inject({ url: "/readyz", headers: { host: "localhost" } });
  expect(ready.json()).toEqual({ ok: false, ...(configured !== null && { degraded: true }) });
  await app.close();
});
