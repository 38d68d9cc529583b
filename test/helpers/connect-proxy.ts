/** A company's HTTP proxy on this machine: it only forwards bytes after `CONNECT`. */
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";

export interface ConnectProxy {
  /** Like `http://127.0.0.1:41234`. */
  readonly origin: string;
  /** Requested hosts with the credentials that came with each request, in order. */
  readonly asked: { readonly host: string; readonly credentials: string | undefined }[];
  /** Status for the next requests: 200 opens the tunnel, null sends no response. */
  status: number | null;
  /** Requests without `CONNECT`, which should have used a tunnel. */
  readonly strayed: string[];
  close(): Promise<void>;
}

export async function startConnectProxy(): Promise<ConnectProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    proxy.strayed.push(`${request.method ?? ""} ${request.url ?? ""}`);
    response.writeHead(405).end();
  });
  server.on("connection", (socket) => keep(socket));
  server.on("connect", (request: IncomingMessage, socket: Socket) => {
    const host = request.url ?? "";
    proxy.asked.push({ host, credentials: request.headers["proxy-authorization"] });
    if (proxy.status === null) return;
    if (proxy.status === 200) tunnel(host, socket);
    else socket.end(`HTTP/1.1 ${proxy.status} No\r\nContent-Length: 0\r\n\r\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  function keep(socket: Socket): void {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => sockets.delete(socket));
  }

  function tunnel(host: string, socket: Socket): void {
    const { hostname, port } = new URL(`https://${host}`);
    const there = connect(Number(port), hostname, () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      there.pipe(socket).pipe(there);
    });
    keep(there);
    socket.once("close", () => there.destroy());
    there.once("close", () => socket.destroy());
  }

  const proxy: ConnectProxy = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    status: 200,
    strayed: [],
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}
