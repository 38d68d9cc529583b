/** Settings of the server's credentials and of signing in: an error names each mistake and contains no secret. */
import { readSettings } from "../../../src/server/settings/read";
import { ownFolder } from "../../helpers/own-folder";

const { write } = ownFolder();
const secret = `file:${write("secret", "the-secret\n")}`;
const empty = `file:${write("empty", "\n")}`;

const environment = {
  id: "production",
  label: "Production",
  kind: "production",
  tokenUrl: "https://auth.example.com/token",
  searchUrl: "https://api.example.com/v1/search-items",
  eventsUrl: "https://history.example.com/v2/events",
};
const held = { ...environment, credentials: "server", clientId: "acme", secret };
const signIn = {
  label: "ACME",
  address: "https://inv.example.com",
  issuer: "https://login.example.com/tenant/v2.0",
  clientId: "inv",
  secret: "env:INV_SIGN_IN_SECRET",
  allow: { claim: "groups", values: ["inv-users"] },
};

function read(content: object) {
  const path = write("inv.json", { hosts: ["inv.example.com"], ...content });
  return readSettings({ path, variables: { INV_SIGN_IN_SECRET: "x" } });
}

it("accepts the server's credentials with a sign-in, and fills in defaults", () => {
  const found = read({ environments: [held], signIn });
  expect(found.signIn).toMatchObject({
    scopes: ["openid", "profile"],
    idleHours: 8,
    totalHours: 12,
    audit: false,
  });
});

it.each([
  [
    "credentials that anybody could use",
    { environments: [held] },
    'environments[0].credentials is "server" without signIn, so anybody who reaches INV could use them.',
  ],
  [
    "no client ID",
    { environments: [{ ...held, clientId: undefined }], signIn },
    'environments[0].clientId is missing; "server" needs it.',
  ],
  [
    "no place of the secret",
    { environments: [{ ...held, secret: undefined }], signIn },
    'environments[0].secret is missing; "server" needs it.',
  ],
  [
    "a secret instead of its place",
    { environments: [{ ...held, secret: "the-secret" }], signIn },
    'environments[0].secret: must be "file:PATH" or "env:NAME"',
  ],
  [
    "an empty file",
    { environments: [{ ...held, secret: empty }], signIn },
    "environments[0].secret names a file that can't be used: it is empty or too long.",
  ],
  [
    "a variable that is not set",
    { environments: [held], signIn: { ...signIn, secret: "env:NOWHERE" } },
    "signIn.secret names a variable that isn't set.",
  ],
  [
    "a secret for credentials that people type",
    { environments: [{ ...held, credentials: "user" }] },
    'Remove environments[0].secret: only "credentials": "server" uses it. With "user" each person types their own.',
  ],
  [
    "an address that isn't a name of this server",
    { signIn: { ...signIn, address: "https://other.example.com" } },
    "signIn.address uses other.example.com. Add it to hosts.",
  ],
  [
    "an address with a path",
    { signIn: { ...signIn, address: "https://inv.example.com/inv" } },
    'signIn.address: must be like "https://inv.example.com", without a path',
  ],
  [
    "an issuer without TLS",
    { signIn: { ...signIn, issuer: "http://login.example.com" } },
    "signIn.issuer: must be an https address (http only for localhost)",
  ],
  ["no openid", { signIn: { ...signIn, scopes: ["profile"] } }, 'signIn.scopes must contain "openid".'],
  [
    "nobody allowed",
    { signIn: { ...signIn, allow: { claim: "groups", values: [] } } },
    "signIn.allow.values: Too small: expected array to have >=1 items",
  ],
  [
    "a missing rule of who is allowed",
    { signIn: { ...signIn, allow: undefined } },
    "signIn.allow: Invalid input: expected object, received undefined",
  ],
  [
    "a longer idle time than the total time",
    { signIn: { ...signIn, idleHours: 20 } },
    "signIn.idleHours must not be more than signIn.totalHours.",
  ],
  [
    "a secret in the configuration itself",
    { environments: [{ ...held, clientSecret: "the-secret" }], signIn },
    "name isn't a setting of INV; allowed here: id, label",
  ],
])("names %s", (_what, content, fault) => {
  expect(() => read(content)).toThrow(fault);
  expect(() => read(content)).not.toThrow("the-secret");
});
