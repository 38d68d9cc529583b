/** A renewed certificate is served without a restart, a broken or expired one changes nothing, and the log says why. About 1 s. */
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { connect } from "node:tls";
import { followCertificate } from "../../../src/server/monitoring/monitoring";
import { createLog } from "../../../src/server/monitoring/log";
import { selfSigned, type SelfSigned } from "../../helpers/certificate";
import { ownFolder } from "../../helpers/own-folder";

const folder = ownFolder();
const dayMs = 86_400_000;
const startMs = Date.now();
const days = (count: number) => startMs + count * dayMs;
const plain = (pem: string) => pem.trim();

let server: Server;
let nowMs: number;
let logged: string[];
let told: number[];
let certificate: ReturnType<typeof followCertificate>;

async function follow({ cert, key }: SelfSigned): Promise<void> {
  const tls = { cert, key, certFile: folder.write("cert.pem", cert), keyFile: folder.write("key.pem", key) };
  server = createServer(tls).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  [nowMs, logged, told] = [startMs, [], []];
  certificate = followCertificate(server, {
    tls,
    hosts: ["localhost"],
    log: createLog("info", (line) => void logged.push(line)),
    validUntil: (ms) => void told.push(ms),
    wallNow: () => nowMs,
  });
}
afterEach(() => server.close());

function served(): Promise<string> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false }, () => {
      resolve(plain(socket.getPeerX509Certificate()?.toString() ?? ""));
      socket.destroy();
    });
    socket.once("error", reject);
  });
}

it("serves the files' certificate, and reports until when it is valid", async () => {
  const [first, second] = [selfSigned(), selfSigned({ until: days(20) })];
  await follow(first);
  expect(await served()).toBe(plain(first.cert));

  // The new certificate exists, but not yet its key.
  folder.write("cert.pem", second.cert);
  certificate.look();
  certificate.look();
  expect(await served()).toBe(plain(first.cert));
  expect(logged).toEqual([expect.stringContaining("tls.key isn't the key of the first certificate")]);
  expect(logged[0]).toContain("it uses the previous one");

  folder.write("key.pem", second.key);
  certificate.look();
  expect(await served()).toBe(plain(second.cert));
  expect(logged[1]).toContain("The server uses the renewed certificate.");
  expect(told.map((ms) => Math.round((ms - startMs) / dayMs))).toEqual([15, 20]);
});

it.each([
  ["expired", { from: days(-3), until: days(-1) }, "tls.cert expired on"],
  ["not valid yet", { from: days(1), until: days(90) }, "tls.cert isn't valid before"],
])("doesn't serve a new certificate that is %s", async (_what, times, reason) => {
  const first = selfSigned();
  await follow(first);
  const other = selfSigned(times);
  folder.write("cert.pem", other.cert);
  folder.write("key.pem", other.key);
  certificate.look();
  expect(await served()).toBe(plain(first.cert));
  expect(logged).toEqual([expect.stringContaining(reason)]);
});

it("serves a certificate of tomorrow when it is valid", async () => {
  await follow(selfSigned());
  const other = selfSigned({ from: days(1), until: days(90) });
  folder.write("cert.pem", other.cert);
  folder.write("key.pem", other.key);
  certificate.look();
  nowMs = days(1.1);
  certificate.look();
  expect(await served()).toBe(plain(other.cert));
});

it("warns once a day below 14 days, and counts as faulty from the end on", async () => {
  await follow(selfSigned({ until: days(16) }));
  for (let minute = 0; minute < 5; minute += 1) certificate.look();
  expect([logged, certificate.isFaulty()]).toEqual([[], false]);
  for (const day of [3.1, 3.2, 4.2, 16.1]) {
    nowMs = days(day);
    certificate.look();
  }
  expect(logged.map((line) => /tls\.cert (expires|expired) on/.exec(line)?.[1])).toEqual([
    "expires",
    "expires",
    "expired",
  ]);
  expect(certificate.isFaulty()).toBe(true);
});
