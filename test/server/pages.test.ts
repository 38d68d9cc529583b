/** How browsers may keep a build's files. In a package all files have one date, and two builds of a file often have the same size. */
import { utimesSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import { ownFolder } from "../helpers/own-folder";
import { openApp } from "./beds";

const folder = ownFolder();
let app: FastifyInstance;

beforeAll(async () => {
  build("one");
  app = await openApp({ folder: folder.path });
});
afterAll(() => app.close());

function build(word: string): void {
  const files = [
    "workbook.html",
    "addin.js",
    "addin.js.br",
    "addin.js.gz",
    "help/qty.html",
    "functions.json",
  ];
  for (const name of [...files, "assets/icon-32.png", "assets-addin/cell.0123abcd.js"]) {
    utimesSync(folder.write(name, `${word} ${name}`), 1, 1);
  }
}

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });
const etagOf = async (url: string, headers = {}) => String((await get(url, headers)).headers.etag);

it.each(["/", "/addin.js", "/help/qty", "/assets/icon-32.png", "/functions.json"])(
  "sends %s again exactly when its content is different",
  async (url) => {
    build("one");
    const first = await get(url);
    const etag = String(first.headers.etag);
    const same = await get(url, { "if-none-match": etag });
    expect([same.statusCode, same.body, same.headers.etag]).toEqual([304, "", etag]);
    expect(same.headers["cache-control"]).toBe(first.headers["cache-control"]);
    build("two");
    const other = await get(url, { "if-none-match": etag });
    expect([other.statusCode, other.body]).toEqual([200, first.body.replace("one", "two")]);
    expect(first.headers["last-modified"]).toBeUndefined();
  },
);

it("gives each compressed form an ETag of its own", async () => {
  const encodings = ["identity", "br", "gzip"];
  const etags = await Promise.all(
    encodings.map((encoding) => etagOf("/addin.js", { "accept-encoding": encoding })),
  );
  expect(etags).toEqual(encodings.map(() => expect.stringMatching(/^"[\w-]{43}"$/) as string));
  expect(new Set(etags).size).toBe(3);
});

it("finds the ETag in a list, and where a proxy has made it weak", async () => {
  const etag = await etagOf("/addin.js");
  for (const header of [`"other", W/${etag}`, "*"]) {
    expect((await get("/addin.js", { "if-none-match": header })).statusCode).toBe(304);
  }
  expect((await get("/addin.js", { "if-none-match": '"other"' })).statusCode).toBe(200);
});

it("lets browsers keep a file for ever if its name contains a digest", async () => {
  const { headers } = await get("/assets-addin/cell.0123abcd.js");
  expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable");
  expect([headers.etag, headers["last-modified"]]).toEqual([undefined, undefined]);
});

it("keeps no bytes of a file in a 304 to a HEAD request", async () => {
  const headers = { "if-none-match": await etagOf("/addin.js") };
  const { statusCode, headers: sent } = await app.inject({ method: "HEAD", url: "/addin.js", headers });
  expect([statusCode, sent["content-length"], sent["content-type"]]).toEqual([304, undefined, undefined]);
});
