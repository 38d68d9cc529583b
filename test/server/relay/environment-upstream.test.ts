/** Endless calls of one kind or environment leave the connections of the others free. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createEnvironmentUpstream } from "../../../src/server/relay/upstream";
import { until } from "../../helpers/until";
import type { OutgoingCall } from "../../../src/server/relay/outgoing";

let server: Server;
let hanging = 0;
beforeEach(async () => {
  hanging = 0;
  server = createServer((request, response) => {
    if (request.url?.startsWith("/hangs") === true) hanging += 1;
    else response.end("{}");
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const quota = { search: 60, events: 60 };
const most = quota.search + quota.events;
const address = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
const aCall = (path: string): OutgoingCall => ({
  url: new URL(address(path)),
  method: "POST",
  headers: {},
  body: Buffer.from("{}"),
  maxAnswerBytes: 1_000,
  signal: new AbortController().signal,
});

it("gives data calls as many connections as the quota allows calls; token requests and other environments don't wait", async () => {
  const environment = { tokenUrl: address("/token"), quota };
  const [upstream, other] = [
    createEnvironmentUpstream(environment, {}),
    createEnvironmentUpstream(environment, {}),
  ];
  const lost = Array.from({ length: most }, () => upstream.send(aCall("/hangs")).catch(() => "lost"));
  await until(() => hanging === most);
  expect((await upstream.send(aCall("/token"))).status).toBe(200);
  expect((await other.send(aCall("/search"))).status).toBe(200);
  await Promise.all([upstream.close(), other.close()]);
  expect(await Promise.all(lost)).toEqual(lost.map(() => "lost"));
});

it("answers data calls while every token request hangs", async () => {
  const upstream = createEnvironmentUpstream({ tokenUrl: address("/hangs"), quota }, {});
  const lost = Array.from({ length: 20 }, () => upstream.send(aCall("/hangs")).catch(() => "lost"));
  await until(() => hanging === 16);
  expect((await upstream.send(aCall("/search"))).status).toBe(200);
  await upstream.close();
  await Promise.all(lost);
});
