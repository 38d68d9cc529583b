/** Without `redis` in the configuration, the server loads no code for it. */
import { settings } from "../parts";

const mockLoaded = jest.fn();
jest.mock("@redis/client", () => {
  mockLoaded();
  return jest.requireActual<object>("@redis/client");
});

beforeEach(() => {
  jest.resetModules();
  mockLoaded.mockClear();
});

const redis = { url: "redis://localhost:1", prefix: "inv:", ca: null };

it.each([
  ["nothing", null, 0],
  ["the client", redis, 1],
])("loads %s", async (_, configured, times) => {
  const { openApp } = await import("../beds");
  const app = await openApp({ config: settings({ redis: configured }), now: () => performance.now() });
  expect(mockLoaded).toHaveBeenCalledTimes(times);
  const ready = await app.inject({ url: "/readyz", headers: { host: "localhost" } });
  expect(ready.json()).toEqual({
    ok: false,
    ...(configured !== null && { degraded: true, because: ["redis"] }),
  });
  await app.close();
});
