/**
 * An OpenID Connect provider as its own process on this machine: `oidc-provider` with two accounts and a login form with
 * one field. Its arguments are the allowed redirect URIs. It prints its issuer. A running test changes it through
 * `POST /control`: an account's groups, and whether its pages are cut off from their opener (`cut`). `lies` and
 * `refusal` change its responses on the way (see `provider.ts`).
 */
import { createSign, generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import Provider from "oidc-provider";

const redirectUris = process.argv.slice(2);
/** Whether the login pages are cut off from the window that opened them, by Cross-Origin-Opener-Policy. */
let isCut = false;
let lies = {};
let refusal = null;
const newKey = () => generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
const [ownKey, foreignKey] = [newKey(), newKey()];
const groups = { jane: ["inv-users"], joe: ["others"] };
const names = { jane: "Jane Doe", joe: "Joe Bloggs" };

// A connection that the tests leave for some seconds stays open: one that closes while it is used again would fail a request.
const server = createServer({ keepAliveTimeout: 300_000 });
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const issuer = `http://localhost:${server.address().port}`;

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: "inv",
      client_secret: "the-secret-of-inv-at-the-provider",
      redirect_uris: redirectUris,
      grant_types: ["authorization_code", "refresh_token"],
    },
  ],
  jwks: { keys: [{ ...ownKey.export({ format: "jwk" }), kid: "own", alg: "RS256", use: "sig" }] },
  scopes: ["openid", "profile", "groups"],
  claims: { openid: ["sub"], profile: ["name"], groups: ["groups"] },
  conformIdTokenClaims: false,
  issueRefreshToken: async () => true,
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_context, { uid }) => `/login/${uid}` },
  cookies: { keys: ["only for tests"] },
  findAccount: (_context, id) => ({
    accountId: id,
    claims: () => ({ sub: id, name: names[id] ?? id, groups: groups[id] ?? [] }),
  }),
});

async function bodyText(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function login(request, response) {
  const form = new URLSearchParams(await bodyText(request));
  const accountId = form.get("account");
  const { params, grantId } = await provider.interactionDetails(request, response);
  const grant = grantId
    ? await provider.Grant.find(grantId)
    : new provider.Grant({ accountId, clientId: params.client_id });
  grant.addOIDCScope(String(params.scope));
  const result = { login: { accountId }, consent: { grantId: await grant.save() } };
  if (form.has("refuse")) Object.assign(result, { error: "access_denied" });
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}

const form = `<!doctype html><html lang="en"><title>Login</title><form method="post">
<label>Account <input name="account" autofocus></label> <button>Log in</button></form></html>`;

/** Removes fields whose value is null. */
function merged(fields, changes = {}) {
  const all = Object.entries({ ...fields, ...changes });
  return Object.fromEntries(all.filter(([, value]) => value !== null));
}

function changedToken(token) {
  const [head, claims] = token.split(".").map((part) => Buffer.from(part, "base64url").toString());
  const parts = [merged(JSON.parse(head), lies.head), merged(JSON.parse(claims), lies.claims)];
  const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  if (lies.signature === "none") return `${text}.`;
  const key = lies.signature === "foreign" ? foreignKey : ownKey;
  return `${text}.${createSign("RSA-SHA256").update(text).sign(key).toString("base64url")}`;
}

const changes = {
  "/token": ({ id_token: token, ...fields }) =>
    merged({ ...fields, ...(token !== undefined && { id_token: changedToken(token) }) }, lies.tokens),
  "/me": (fields) => merged(fields, lies.userInfo),
  "/.well-known/openid-configuration": (fields) => merged(fields, lies.configuration),
};

/** Sends a refusal instead of the provider, or changes the JSON of its response. */
function answer(request, response) {
  const {
    status = 0,
    error = "",
    body = JSON.stringify({ error }),
  } = refusal?.at === request.url ? refusal : {};
  if (status !== 0) {
    if (error !== "" && request.url === "/me") {
      response.setHeader("www-authenticate", `Bearer error="${error}"`);
    }
    if (request.url === "/token") response.setHeader("content-type", "application/json");
    response.writeHead(status).end(request.url === "/token" ? body : undefined);
    return;
  }
  const change = changes[request.url];
  const end = response.end.bind(response);
  if (change !== undefined) {
    response.end = (text, ...rest) => {
      if (response.statusCode !== 200) return end(text, ...rest);
      const changed = JSON.stringify(change(JSON.parse(String(text))));
      response.setHeader("content-length", Buffer.byteLength(changed));
      return end(changed);
    };
  }
  callback(request, response);
}

const callback = provider.callback();
server.on("request", (request, response) => {
  if (request.url === "/control") {
    void bodyText(request).then((text) => {
      const { cut = isCut, lies: nextLies = {}, refusal: next = null, ...changed } = JSON.parse(text);
      [isCut, lies, refusal] = [cut, nextLies, next];
      Object.assign(groups, changed);
      response.end();
    });
  } else if (!request.url.startsWith("/login/")) {
    answer(request, response);
  } else if (request.method === "GET") {
    if (isCut) response.setHeader("cross-origin-opener-policy", "same-origin");
    response.setHeader("content-type", "text/html").end(form);
  } else {
    login(request, response).catch((error) => response.writeHead(500).end(String(error)));
  }
});
console.log(issuer);
