/** The test of a connection: one token, one call, and the first failure as its reason. */
import { testConnection } from "../../src/engine/test-connection";
import { gateway, problem } from "../helpers/scripted-service";
import { type Bed, codeOfError, createBed, noQuota } from "./bed";

async function test({ clock, service }: Bed, signal = new AbortController().signal): Promise<string> {
  const { environment, credentials } = service.connection;
  const { transport } = service;
  const connection = { environment, credentials: credentials! };
  const ended = testConnection(connection, { clock, transport, signal }).then(() => "ok", codeOfError);
  await clock.runAll();
  return ended;
}

it("requests a token and sends one call", async () => {
  const bed = createBed(noQuota);
  expect(await test(bed)).toBe("ok");
  expect([bed.service.of("token").length, bed.service.of("search").length]).toEqual([1, 1]);
});

it.each<[string, string, () => Response | "reset" | "hang"]>([
  ["no data", "ok", () => problem(404, "No data found")],
  ["credentials-refused", "credentials-refused", () => gateway(401, "invalid token")],
  ["not subscribed", "not-subscribed", () => gateway(403, "not subscribed")],
  ["consumer not mapped", "consumer-unknown", () => problem(401, "Consumer ID not found")],
  ["quota", "quota", () => new Response("", { status: 429 })],
  ["wrong address", "wrong-address", () => new Response("<html>", { status: 404 })],
  ["unreachable", "unreachable", () => "reset"],
  ["silent", "timeout", () => "hang"],
  ["down", "service-down", () => problem(500, "down")],
])("reports a service that is %s", async (_, code, fault) => {
  const bed = createBed(noQuota);
  bed.service.script((call) => (call.operation === "search" ? fault() : undefined));
  expect(await test(bed)).toBe(code);
});

it("reports refused credentials and a wrong token address", async () => {
  const bed = createBed(noQuota);
  bed.service.script(() => Response.json({ error: "invalid_client" }, { status: 401 }));
  expect(await test(bed)).toBe("credentials-refused");
  bed.service.script(() => new Response("<html>", { status: 404 }));
  expect(await test(bed)).toBe("wrong-address");
});

it("ends when it is cancelled, and sends nothing more", async () => {
  const bed = createBed(noQuota);
  const given = new AbortController();
  bed.service.script((call) => {
    given.abort();
    return call.operation === "token" ? "hang" : undefined;
  });
  expect(await test(bed, given.signal)).toBe("cancelled");
  expect(bed.service.of("search")).toEqual([]);
});
