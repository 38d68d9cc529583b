/** People who are admitted by their email address: address and mark come from one answer of the provider, and the mark is needed. */
import type { Lies, ProviderProcess } from "../../helpers/provider";
import { atProvider, type Bed, createBed, type Service, setUpSignIn } from "./bed";

let provider: ProviderProcess;
let service: Service;
let bed: Bed;
setUpSignIn((each) => ({ provider, service, bed } = each));

const email = "jane@example.com";

test.each<[string, Lies, number]>([
  ["both in the ID token", { claims: { email, email_verified: true } }, 200],
  ["both in user-info", { userInfo: { email, email_verified: true } }, 200],
  [
    "the address in both, the mark only in user-info",
    { claims: { email }, userInfo: { email, email_verified: true } },
    200,
  ],
  ["no mark anywhere", { claims: { email } }, 403],
  [
    "user-info marks the address as not verified",
    { claims: { email }, userInfo: { email, email_verified: false } },
    403,
  ],
  [
    "the mark in user-info is for another address",
    { claims: { email }, userInfo: { email: "joe@example.com", email_verified: true } },
    403,
  ],
  ["the ID token has only the mark", { claims: { email_verified: true }, userInfo: { email } }, 403],
  ["user-info has only the mark", { claims: { email }, userInfo: { email_verified: true } }, 403],
])("%s", async (_where, lies, status) => {
  const own = await createBed(provider.issuer, service, { allow: { claim: "email", values: [email] } });
  const { returned, cookie } = await atProvider(own);
  await provider.lie(lies);
  expect((await own.back(returned, cookie)).statusCode).toBe(status);
  await own.close();
});

test("other claims need no address", async () => {
  const { returned, cookie } = await atProvider(bed);
  expect((await bed.back(returned, cookie)).statusCode).toBe(200);
});
