/**
 * A provider of OpenID Connect as a process of its own, on this machine: `oidc-provider`, with two accounts and a login
 * form of one field. Arguments: where it may send back to. It prints its issuer. What a test changes while it runs comes
 * by `POST /control`: the groups of an account, and whether it cuts its pages off (`cut`).
 */
import { createServer } from "node:http";
import Provider from "oidc-provider";

const redirectUris = process.argv.slice(2);
/** Its pages are cut off from whoever opened them. */
let isCut = false;
const groups = { jane: ["inv-users"], joe: ["others"] };
const names = { jane: "Jane Doe", joe: "Joe Bloggs" };

const server = createServer();
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

async function textOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function login(request, response) {
  const form = new URLSearchParams(await textOf(request));
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

const callback = provider.callback();
server.on("request", (request, response) => {
  if (request.url === "/control") {
    void textOf(request).then((text) => {
      const { cut = isCut, ...changed } = JSON.parse(text);
      isCut = cut;
      Object.assign(groups, changed);
      response.end();
    });
  } else if (!request.url.startsWith("/login/")) {
    callback(request, response);
  } else if (request.method === "GET") {
    if (isCut) response.setHeader("cross-origin-opener-policy", "same-origin");
    response.setHeader("content-type", "text/html").end(form);
  } else {
    login(request, response).catch((error) => response.writeHead(500).end(String(error)));
  }
});
console.log(issuer);
