/**
 * What stands on either side of the server while its own time is measured, each alone in its process. `service`
 * answers a lookup at once, with records of real size, and spends next to nothing on it. `floor` is the least a
 * server between two others can do: it hands on body and answer through undici and looks at neither. `pipe` does not
 * even read HTTP: it hands on the bytes of each connection.
 * Tells its parent the port, and ends with it.
 */
import { createServer } from "node:http";
import { connect, createServer as createRawServer } from "node:net";
import { Agent } from "undici";

const [kind, target] = process.argv.slice(2);

/** Where `floor` tells what it has spent itself, in seconds of processor time. */
export const cpuPath = "/cpu-seconds";

export const gtins = Array.from({ length: 100 }, (_, item) =>
  String(10_000_000 + item * 7).padStart(14, "0"),
);

if (process.send !== undefined) {
  const server =
    kind === "pipe"
      ? createRawServer({ noDelay: true }, handOn)
      : createServer({ keepAliveTimeout: 60_000 }, kind === "floor" ? passOn : answer);
  server.listen(0, "127.0.0.1", () => process.send(server.address().port));
  process.on("disconnect", () => process.exit());
}

const records = gtins.map((gtin, item) => record(gtin, item)).join(",");

function answer(request, response) {
  request.setEncoding("utf8");
  let asked = "";
  request.on("data", (chunk) => (asked += chunk));
  request.on("end", () => {
    const store = /"store_nbr":\d+/.exec(asked)?.[0];
    const text =
      store === undefined
        ? '{"access_token":"bench","expires_in":900}'
        : `{"supplier_name":"Bench Foods",${store},"items":[${records}]}`;
    response.writeHead(200, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(text),
    });
    response.end(text);
  });
}

function record(gtin, item) {
  const quantities = ["STORE", "BACKROOM"].flatMap((area) =>
    ["AVAILABLE", "NET_AVAILABLE"].map((state, index) => ({
      location_area: area,
      state,
      quantity: `${(item * 37 + index) % 900}.00`,
    })),
  );
  return JSON.stringify({
    gtin,
    wm_item_number: String(550_000_000 + item),
    data_retrieval_status: "SUCCESS",
    inventory_locations: quantities,
    cid_level_inventories: [{ cid: 700_000 + item, cross_references: [{ gtin, quantity: "12.00" }] }],
    last_updated_time: "2025-03-01T10:20:30",
  });
}

const agent = new Agent({ connections: 16 });

function passOn(request, response) {
  if (request.url === cpuPath) {
    const { user, system } = process.cpuUsage();
    response.end(String((user + system) / 1_000_000));
    return;
  }
  const { "content-type": type, authorization, "wm_consumer.id": consumer } = request.headers;
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", async () => {
    const { statusCode, headers, body } = await agent.request({
      origin: target,
      path: request.url,
      method: request.method,
      headers: { "content-type": type, authorization, "wm_consumer.id": consumer },
      body: Buffer.concat(chunks),
    });
    response.writeHead(statusCode, {
      "content-type": headers["content-type"],
      "content-length": headers["content-length"],
    });
    body.pipe(response);
  });
}

function handOn(near) {
  const { hostname, port } = new URL(target);
  const far = connect({ host: hostname, port: Number(port), noDelay: true });
  for (const [from, to] of [
    [near, far],
    [far, near],
  ]) {
    from.on("data", (bytes) => to.write(bytes));
    from.on("error", () => to.destroy());
    from.on("close", () => to.destroy());
  }
}
