/** A renewed certificate is served without a restart, and a broken renewal changes nothing. About 1 s. */
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { connect } from "node:tls";
import { followCertificate } from "../../../src/server/operations/operations";
import { createLog } from "../../../src/server/operations/log";
import { selfSigned, type SelfSigned } from "../../helpers/certificate";
import { ownFolder } from "../../helpers/own-folder";

const folder = ownFolder();

function lay({ cert, key }: SelfSigned) {
  return { cert, key, certFile: folder.write("cert.pem", cert), keyFile: folder.write("key.pem", key) };
}

/** Each call of `later` lets a minute pass. */
function minutes() {
  let due: (() => void) | null = null;
  return {
    setTimeout: (callback: () => void) => (due = callback),
    clearTimeout: () => (due = null),
    later: () => due?.(),
    isWaiting: () => due !== null,
  };
}

it("serves the files' certificate, and reports until when it is valid", async () => {
  const [first, second] = [selfSigned(), selfSigned()];
  const tls = lay(first);
  const server = createServer(tls).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  const served = () =>
    new Promise<string>((resolve, reject) => {
      const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false }, () => {
        resolve(socket.getPeerX509Certificate()?.toString() ?? "");
        socket.destroy();
      });
      socket.once("error", reject);
    });
  const clock = minutes();
  const told: number[] = [];
  let logged = "";
  const stop = followCertificate(server, {
    tls,
    clock,
    log: createLog("info", (line) => (logged += line)),
    validUntil: (ms) => void told.push(ms),
  });
  const plain = (pem: string) => pem.trim();
  expect(plain(await served())).toBe(plain(first.cert));

  // The new certificate exists, but not yet its key.
  folder.write("cert.pem", second.cert);
  clock.later();
  expect(plain(await served())).toBe(plain(first.cert));
  expect(logged).toContain("it uses the previous one");

  folder.write("key.pem", second.key);
  clock.later();
  expect(plain(await served())).toBe(plain(second.cert));
  expect(logged).toContain("The server uses the renewed certificate.");
  expect(told).toHaveLength(2);
  expect(told[0]).toBeGreaterThan(Date.now());

  stop();
  expect(clock.isWaiting()).toBe(false);
  server.close();
});
