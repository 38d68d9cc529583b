/** Why a sign-in fails, as the person and the administrator read it. */
import { createDispatcher } from "../../../src/server/relay/upstream";
import { createProvider } from "../../../src/server/sign-in/provider";
import { ownFolder } from "../../helpers/own-folder";
import { logIn, type ProviderProcess } from "../../helpers/provider";
import { until } from "../../helpers/until";
import { atProvider, type Bed, createBed, type Service, setUpSignIn } from "./bed";

const templates = ownFolder();

/** How Entra ID answers for a person with more than 200 groups. */
const leftOut = { claims: { groups: null, _claim_names: { groups: "src1" } }, userInfo: { groups: null } };

let provider: ProviderProcess;
let service: Service;
let bed: Bed;
setUpSignIn((each) => ({ provider, service, bed } = each));

test("who cancels at the provider reads that, and so does the administrator", async () => {
  const { location, cookie } = await bed.begin();
  const page = await bed.back(await logIn(location, "jane", true), cookie);
  expect(page.statusCode).toBe(403);
  expect(page.body).toContain("because you cancelled it");
  expect(page.body).not.toContain("a valid sign-in");
  expect(bed.log.join()).toContain("A sign-in ended at the provider");
});

test("the log says which claim the provider left out when a person is kept out", async () => {
  const { returned, cookie } = await atProvider(bed);
  await provider.lie(leftOut);
  expect((await bed.back(returned, cookie)).statusCode).toBe(403);
  expect(bed.log.join()).toContain('The provider left \\"groups\\" out');
});

test("the log says which claim the provider left out when a person is put out", async () => {
  const session = await bed.signIn("jane");
  expect(bed.log.join()).not.toContain("The provider left");
  await provider.lie(leftOut);
  bed.later(11 * 60_000);
  expect((await bed.token(session)).statusCode).toBe(401);
  expect(bed.log.join()).toContain('The provider left \\"groups\\" out');
});

test("the log says which claim the provider left out when a person may not publish", async () => {
  const own = await createBed(provider.issuer, service, {
    allow: { claim: "sub", values: ["jane"] },
    templates: { claim: "groups", values: ["inv-users"], folder: templates.path },
  });
  const { returned, cookie } = await atProvider(own);
  await provider.lie(leftOut);
  expect((await own.back(returned, cookie)).statusCode).toBe(200);
  expect(own.log.join()).toContain('The provider left \\"groups\\" out');
  await own.close();
});

test("no claim counts as left out if the person simply has no groups", async () => {
  const { returned, cookie } = await atProvider(bed);
  await provider.lie({ ...leftOut, claims: { groups: null } });
  expect((await bed.back(returned, cookie)).statusCode).toBe(403);
  expect(bed.log.join()).not.toContain("The provider left");
});

test("an issuer that differs by a slash is logged with the provider's own spelling", async () => {
  const spelled = `${provider.issuer}//`;
  await provider.lie({ configuration: { issuer: spelled } });
  const own = await createBed(provider.issuer, service);
  await until(() => own.log.length > 0);
  expect(own.log.join()).toContain(
    `it calls itself \\"${spelled}\\", and signIn.issuer must be exactly that`,
  );
  expect(own.log.join()).not.toContain("until it answers");
  own.log.length = 0;
  await own.begin();
  expect(own.log.join()).toContain(`it calls itself \\"${spelled}\\"`);
  await own.close();
});

test("a clock that differs from the provider's is named", async () => {
  const { config, clock } = bed.app.core;
  const dispatcher = createDispatcher();
  const seen: (string | null)[] = [];
  const lookAhead = (byMs: number) =>
    createProvider({
      settings: config.signIn!,
      readSecret: () => Promise.resolve("secret"),
      clock,
      dispatcher,
      warn: () => undefined,
      observe: (fault) => seen.push(fault),
      wallNow: () => Date.now() + byMs,
    }).look();
  const expected = [
    "this server's clock is 10 minutes ahead of the provider's. Set it",
    "this server's clock is 90 seconds behind the provider's. Set it",
    null,
  ];
  const looks = [await lookAhead(600_000), await lookAhead(-90_000), await lookAhead(20_000)];
  // The provider's date has no milliseconds.
  expect(looks.map((fault) => fault?.replace(/\b(89|91) seconds/, "90 seconds") ?? null)).toEqual(expected);
  expect(seen).toEqual(looks);
  await dispatcher.close();
});
