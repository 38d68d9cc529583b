/**
 * The bench's service over real HTTP, alone in its process: a fixed latency and the same answers. Started with a
 * channel to its parent, tells it the port, and ends with it.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createService } from "./service";
import { systemClock } from "./system-clock";

const service = createService(systemClock, { quota: null, refused: new Set() });

const server = createServer((incoming, outgoing) => {
  const chunks: Buffer[] = [];
  incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
  incoming.on("end", () => {
    const body = Buffer.concat(chunks).toString();
    const request = new Request(`http://127.0.0.1${incoming.url ?? "/"}`, { method: "POST", body });
    void service.transport(request).then(async (response) => {
      outgoing.writeHead(response.status, { "content-type": "application/json" });
      outgoing.end(await response.text());
    });
  });
});

server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.on("disconnect", () => process.exit());
