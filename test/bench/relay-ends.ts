/**
 * The two ends around the server while its own time is measured, each alone in its process. `service` answers a lookup at
 * once with records of real size and spends almost no time. `floor` is the least that a server in the middle can do: it
 * forwards body and answer through undici and reads neither. It tells its parent the port, and ends with its parent.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Agent } from "undici";
import { answerText } from "./service";

const [kind, target = ""] = process.argv.slice(2);
const gtins = Array.from({ length: 100 }, (_, item) => String(10_000_000 + item * 7).padStart(14, "0"));
/** Records of any store: the answer itself names the store. */
const records = answerText(0, gtins).replace(/^.*?"items"/, `"items"`);
const agent = new Agent({ connections: 16 });

const server = createServer({ keepAliveTimeout: 60_000 }, kind === "floor" ? passOn : answer);
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.on("disconnect", () => process.exit());

function answer(request: IncomingMessage, response: ServerResponse): void {
  request.setEncoding("utf8");
  let asked = "";
  request.on("data", (chunk: string) => (asked += chunk));
  request.on("end", () => {
    const store = /"store_nbr":\d+/.exec(asked)?.[0];
    const text =
      store === undefined
        ? '{"access_token":"bench","expires_in":900}'
        : `{"supplier_name":"BENCH",${store},${records}`;
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
    response.writeHead(200, headers);
    response.end(text);
  });
}

function passOn(request: IncomingMessage, response: ServerResponse): void {
  const { "content-type": type, authorization, "wm_consumer.id": consumer } = request.headers;
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    void agent
      .request({
        origin: target,
        path: request.url ?? "/",
        method: "POST",
        headers: { "content-type": type, authorization, "wm_consumer.id": consumer },
        body: Buffer.concat(chunks),
      })
      .then(({ statusCode, headers, body }) => {
        response.writeHead(statusCode, {
          "content-type": headers["content-type"],
          "content-length": Number(headers["content-length"]),
        });
        body.pipe(response);
      });
  });
}
