/** Right settings, and what the rows of `settings-table.ts` meet: a service, sign-in providers and a Redis, each right or wrong in its own way. */
import { createPrivateKey } from "node:crypto";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer, type Server } from "node:net";
import { selfSigned } from "../helpers/certificate";
import type { OwnFolder } from "../helpers/own-folder";

/** No message may contain it. */
export const secretText = "hunter2";

export interface Surroundings {
  /** Of a program that answers as a service, and as sign-in providers below `/right`, `/slash` and others. */
  readonly port: number;
  /** Of a Redis that refuses every login. */
  readonly redisPort: number;
  close(): void;
}

export async function openSurroundings(): Promise<Surroundings> {
  const http = createHttpServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const [, name = "", ...rest] = (request.url ?? "").split("/");
      const issuer = `http://localhost:${(http.address() as AddressInfo).port}/${name}`;
      const [status, changes] = rest[0] === ".well-known" ? (providers[name] ?? [404, {}]) : [404, {}];
      if (name === "late") response.setHeader("date", new Date(Date.now() - 600_000).toUTCString());
      const isGranted =
        new URLSearchParams(Buffer.concat(chunks).toString()).get("client_secret") === secretText;
      const grant = { access_token: "t", token_type: "Bearer", expires_in: 900 };
      const [code, body] =
        name !== "token" ? [status, { issuer, ...changes }] : isGranted ? [200, grant] : [401, {}];
      response.writeHead(code, { "content-type": "application/json" });
      response.end(request.method === "HEAD" ? undefined : JSON.stringify(body));
    });
  });
  const providers: Readonly<Record<string, readonly [number, object]>> = {
    right: [200, {}],
    late: [200, {}],
    slash: [200, { issuer: "http://localhost/slash/" }],
    down: [503, {}],
  };
  const redis = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", () => void socket.end("-WRONGPASS invalid username-password pair\r\n"));
  });
  const listen = async (server: Server) => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return (server.address() as AddressInfo).port;
  };
  return {
    port: await listen(http),
    redisPort: await listen(redis),
    close() {
      http.closeAllConnections();
      for (const server of [http, redis]) server.close();
    },
  };
}

/** Nothing listens there, and unlike 1, fetch allows it. */
export const nowhere = 2;

/** Right settings, each a function of what is changed in them, and files. */
export function baseSettings(folder: OwnFolder, around: Surroundings) {
  const certificate = selfSigned();
  let files = 0;
  const file = (content: string | Buffer) => folder.write(`file-${(files += 1)}`, content);
  const tlsOf = (cert: string, key: string) => ({ tls: { cert: file(cert), key: file(key) } });
  const withTls = ({ cert, key } = certificate) => tlsOf(cert, key);
  const encrypted = createPrivateKey(certificate.key)
    .export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "x" })
    .toString();
  const secret = `file:${file(secretText)}`;
  const service = (port: number) => ({
    tokenUrl: `http://127.0.0.1:${port}/token`,
    searchUrl: `http://127.0.0.1:${port}/search-items`,
    eventsUrl: `http://127.0.0.1:${port}/events`,
  });
  const distant = {
    tokenUrl: "https://a.example.com/token",
    searchUrl: "https://a.example.com/search-items",
    eventsUrl: "https://a.example.com/events",
  };
  const live = { id: "live", label: "Live", kind: "production", ...service(around.port) };
  const environment = (changes: object) => ({ environments: [{ ...live, ...changes }] });
  const provider = {
    label: "ACME",
    address: "http://localhost:3000",
    issuer: `http://localhost:${around.port}/right`,
    clientId: "inv",
    secret,
    allow: { claim: "groups", values: ["planners"] },
  };
  const signIn = (changes: object) => ({ signIn: { ...provider, ...changes } });
  const held = (changes: object) => ({
    ...environment({ credentials: "server", clientId: "acme", secret, ...changes }),
    ...signIn({}),
  });
  const published = { folder: folder.path, claim: "roles", values: ["publishers"] };
  const redis = (changes: object) => ({ redis: { url: `redis://localhost:${nowhere}`, ...changes } });
  return {
    ...{ certificate, encrypted, file, tlsOf, withTls, secret, service, live, distant, environment },
    ...{ signIn, held, published, redis },
  };
}
