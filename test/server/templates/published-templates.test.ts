/** Publishing templates: the role, versions, simultaneous publications, refusals, and who is served. */
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ProviderProcess, startProvider } from "../../helpers/provider";
import { address, type Bed, createBed, type Service, startService } from "../sign-in/bed";

let provider: ProviderProcess;
let service: Service;
let bed: Bed;
let folder: string;

beforeAll(async () => {
  provider = await startProvider([`${address}/sign-in/back`]);
});
afterAll(() => provider.stop());

beforeEach(async () => {
  service = await startService();
  folder = mkdtempSync(join(tmpdir(), "inv-published-"));
  await provider.change({ jane: ["inv-users", "templates"], joe: ["inv-users"] });
  bed = await createBed(provider.issuer, service, {
    templates: { folder, claim: "groups", values: ["templates"] },
  });
});
afterEach(async () => {
  await bed.close();
  service.close();
  rmSync(folder, { recursive: true });
  await provider.change({ jane: ["inv-users"], joe: ["others"] });
});

const template = (id: string, change: object = {}) => ({
  format: "inv-template",
  version: 1,
  id,
  title: id,
  summary: "What to order.",
  needs: "pairs",
  sheet: { name: "Order" },
  table: {
    name: "Rows",
    columns: [
      { id: "number", header: "Store", cell: "{store}" },
      { id: "gtin", header: "GTIN", cell: "{item}" },
      { id: "shelf", header: "Shelf", cell: "=INV.QTY(A{row},B{row})" },
    ],
  },
  ...change,
});

const ask = (what: string, payload: object, environment = "production") =>
  bed.app.inject({
    method: "POST",
    url: `/published-templates/${what}/${environment}`,
    headers: { host: "inv.example.com", "sec-fetch-site": "same-origin" },
    payload,
  });

const listed = async (session: string, environment?: string) =>
  (await ask("list", { session }, environment)).json<{
    templates: {
      template: { id: string; summary: string };
      version: number;
      author: string;
      publishedAt: string;
    }[];
    mayPublish: boolean;
  }>();

const detailOf = (answer: Awaited<ReturnType<typeof ask>>) => [
  answer.statusCode,
  answer.json<{ detail: string }>().detail,
];

test("says that the folder can't be written, and publishes nothing", async () => {
  // As with a full disk: the environment's folder can't be made.
  symlinkSync(join(folder, "nowhere", "at-all"), join(folder, "production"));
  const session = await bed.signIn("jane");
  const answer = await ask("publish", { session, version: 0, template: template("weekly-order") });
  expect(detailOf(answer)).toEqual([503, expect.stringContaining("couldn't save the template")]);
  expect((await listed(session)).templates).toEqual([]);
});

test("is published, replaced and removed with its author, only for people signed in to its environment", async () => {
  const [jane, joe, elsewhere] = [
    await bed.signIn("jane"),
    await bed.signIn("joe"),
    await bed.signIn("joe", "sandbox"),
  ];
  const beganMs = Date.now();
  const first = await ask("publish", { session: jane, version: 0, template: template("weekly-order") });
  expect([first.statusCode, first.json()]).toEqual([200, { id: "weekly-order", version: 1 }]);
  const publishedMs = Date.parse((await listed(joe)).templates[0]?.publishedAt ?? "");
  expect(publishedMs).toBeGreaterThanOrEqual(beganMs);
  expect(publishedMs).toBeLessThanOrEqual(Date.now());
  expect(await listed(joe)).toMatchObject({
    templates: [{ template: { id: "weekly-order" }, version: 1, author: "Jane Doe" }],
    mayPublish: false,
  });
  expect(await listed(jane)).toMatchObject({ mayPublish: true });
  expect((await listed(elsewhere, "sandbox")).templates).toEqual([]);
  expect((await ask("list", { session: "made-up" })).statusCode).toBe(401);
  expect((await ask("list", { session: joe }, "sandbox")).statusCode).toBe(401);

  const again = { session: jane, version: 1, template: template("weekly-order", { summary: "Better." }) };
  expect((await ask("publish", again)).json()).toEqual({ id: "weekly-order", version: 2 });
  expect((await listed(joe)).templates).toMatchObject([{ version: 2, template: { summary: "Better." } }]);
  // The previous version stays, and each template's author is stored with it.
  const files = () => readdirSync(join(folder, "production")).sort();
  expect(files()).toEqual(["template-weekly-order.1.json", "template-weekly-order.2.json"]);
  const kept = JSON.parse(readFileSync(join(folder, "production", files()[0]!), "utf8")) as object;
  expect(kept).toMatchObject({ author: { name: "Jane Doe" }, template: { summary: "What to order." } });
  expect(JSON.stringify(Reflect.get(kept, "template"))).not.toContain("Jane");

  expect((await ask("remove", { session: jane, version: 2, id: "weekly-order" })).statusCode).toBe(200);
  expect((await listed(joe)).templates).toEqual([]);
  expect(files()).toEqual(["template-weekly-order.2.json", "template-weekly-order.3.json"]);
  const log = bed.log.join("\n");
  expect(log).toMatch(/"template":"weekly-order".*"name":"Jane Doe".*published a template/);
  expect(log).toMatch(/removed a template/);
});

test("of two publishers at once one wins, and the other learns who", async () => {
  const jane = await bed.signIn("jane");
  const publish = (summary: string, version: number) =>
    ask("publish", { session: jane, version, template: template("weekly-order", { summary }) });
  for (const version of [0, 1, 2]) {
    const answers = await Promise.all(["one", "two", "three"].map((each) => publish(each, version)));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409]);
    expect(detailOf(answers.find(({ statusCode }) => statusCode === 409)!)[1]).toContain(
      "was published by Jane Doe meanwhile",
    );
  }
  expect(await listed(jane)).toMatchObject({ templates: [{ version: 3 }] });
  expect(detailOf(await ask("remove", { session: jane, version: 1, id: "weekly-order" }))[0]).toBe(409);
});

test("a person without the role is refused, even if they have just lost it", async () => {
  const [jane, joe] = [await bed.signIn("jane"), await bed.signIn("joe")];
  const publish = (session: string) =>
    ask("publish", { session, version: 0, template: template("weekly-order") });
  expect((await publish(joe)).statusCode).toBe(403);
  await provider.change({ jane: ["inv-users"] });
  expect((await publish(jane)).statusCode).toBe(403);
  await provider.change({ jane: ["inv-users", "templates"] });
  expect((await publish(jane)).statusCode).toBe(200);
  await provider.change({ jane: ["inv-users"] });
  expect((await ask("remove", { session: jane, version: 1, id: "weekly-order" })).statusCode).toBe(403);
  expect((await listed(joe)).templates).toHaveLength(1);
});

test.each([
  ["a formula that reaches outside", { blocks: [{ at: "F1", rows: [['=WEBSERVICE("http://a.b")']] }] }],
  ["no table of stores and items", { needs: "nothing", table: undefined }],
  ["an item in a cell", { blocks: [{ at: "F1", rows: [["00012345678905"]] }] }],
  ["an item in a formula", { blocks: [{ at: "F1", rows: [['=INV.QTY(1234,"00012345678905")']] }] }],
  ["a path for an id", { id: "../weekly" }],
])("refuses %s", async (_what, change) => {
  const session = await bed.signIn("jane");
  const answer = await ask("publish", { session, version: 0, template: template("weekly-order", change) });
  expect(answer.statusCode).toBe(400);
  expect(readdirSync(folder)).toEqual([]);
});

test("never uses an administrator's ID, and never shows an invalid file in the folder", async () => {
  const own = mkdtempSync(join(tmpdir(), "inv-administrators-"));
  writeFileSync(join(own, "weekly.inv.json"), JSON.stringify(template("weekly-order")));
  await bed.close();
  bed = await createBed(
    provider.issuer,
    service,
    { templates: { folder, claim: "groups", values: ["templates"] } },
    {},
    { templates: own },
  );
  const session = await bed.signIn("jane");
  const refused = await ask("publish", { session, version: 0, template: template("weekly-order") });
  expect(detailOf(refused)).toEqual([409, expect.stringContaining("The administrator has a template")]);
  expect((await ask("publish", { session, version: 0, template: template("monday") })).statusCode).toBe(200);
  const put = (name: string, content: unknown) =>
    writeFileSync(join(folder, "production", name), JSON.stringify(content));
  const version = { author: { name: "X", subject: "x" }, publishedAt: "2026-11-20T00:00:00Z" };
  put("template-bad.1.json", { ...version, template: { ...template("bad"), blocks: "none" } });
  put("template-broken.1.json", "{");
  put("weekly.json", template("weekly"));
  for (let look = 0; look < 2; look += 1) {
    expect((await listed(session)).templates.map(({ template: { id } }) => id)).toEqual(["monday"]);
  }
  expect(bed.log.join("\n").match(/template-\w+\.1\.json.*was left out/g)).toHaveLength(2);
  const replaced = await ask("publish", { session, version: 0, template: template("broken") });
  expect(replaced.json()).toEqual({ id: "broken", version: 2 });
  expect((await listed(session)).templates).toHaveLength(2);
  rmSync(own, { recursive: true });
});

test("a restored copy has the time of its publication, and a version without a time is left out", async () => {
  const joe = await bed.signIn("joe");
  mkdirSync(join(folder, "production"));
  const author = { name: "Joe", subject: "joe" };
  const publishedAt = "2026-11-20T09:30:00.000Z";
  const store = (name: string, content: object) =>
    writeFileSync(join(folder, "production", name), JSON.stringify({ author, ...content }));
  store("template-order.1.json", { publishedAt, template: template("order") });
  copyFileSync(
    join(folder, "production", "template-order.1.json"),
    join(folder, "production", "template-order.3.json"),
  );
  store("template-timeless.1.json", { template: template("timeless") });
  expect((await listed(joe)).templates).toEqual([
    { template: template("order"), version: 3, author: "Joe", publishedAt },
  ]);
  expect(bed.log.join("\n")).toMatch(/template-timeless\.1\.json.*was left out/);
});

test("a stored version is checked once, also if it is invalid", async () => {
  const joe = await bed.signIn("joe");
  mkdirSync(join(folder, "production"));
  const file = join(folder, "production", "template-broken.1.json");
  const version = { author: { name: "Joe", subject: "joe" }, publishedAt: "2026-11-20T00:00:00Z" };
  const store = (content: object) => writeFileSync(file, JSON.stringify({ ...version, template: content }));
  store(template("broken", { needs: "nothing" }));
  expect((await listed(joe)).templates).toEqual([]);
  store(template("broken"));
  expect((await listed(joe)).templates).toEqual([]);
});

test("a missing folder is an error with a line in the log, not an empty gallery", async () => {
  const jane = await bed.signIn("jane");
  rmSync(folder, { recursive: true });
  const answer = await ask("list", { session: jane });
  expect(detailOf(answer)).toEqual([500, "INV's server failed. Tell your administrator to look at its log."]);
  expect(bed.log.join("\n")).toContain(`ENOENT: no such file or directory, access '${folder}'`);
  mkdirSync(folder);
  expect((await listed(jane)).templates).toEqual([]);
});

test("a folder that can't be written to is named in the log only", async () => {
  const jane = await bed.signIn("jane");
  writeFileSync(join(folder, "production"), "");
  const answer = await ask("publish", { session: jane, version: 0, template: template("weekly-order") });
  expect(detailOf(answer)).toEqual([500, "INV's server failed. Tell your administrator to look at its log."]);
  expect(answer.body).not.toContain(folder);
  expect(bed.log.join("\n")).toContain(folder);
});

test("is refused while the provider can't confirm the role, and again right after", async () => {
  const session = await bed.signIn("jane");
  for (const refusal of [
    { at: "/token" as const, status: 503, error: "" },
    { at: "/token" as const, status: 400, error: "unauthorized_client" },
  ]) {
    await provider.lie({}, refusal);
    for (const version of [0, 0]) {
      const answer = await ask("publish", { session, version, template: template("order") });
      expect(detailOf(answer)).toEqual([503, expect.stringContaining("didn't confirm your role")]);
    }
  }
  expect((await listed(session)).templates).toEqual([]);
  await provider.lie({});
  bed.later(60_000);
  expect((await ask("publish", { session, version: 0, template: template("order") })).statusCode).toBe(200);
});
