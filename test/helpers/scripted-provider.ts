/**
 * A provider that a test has say what it wants: its ID tokens are signed, and hold what they should, but for what a
 * test changes in them. It asks nobody to log in.
 */
import { createHash, createSign, generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface ScriptedProvider {
  readonly issuer: string;
  /** Over the claims and the head of the next ID tokens. */
  lies: { readonly claims?: object; readonly head?: object; readonly signature?: "none" | "foreign" };
  /** In place of tokens, or of what is told of a person; without an error it names no reason. */
  refusal: { readonly at: "token" | "userinfo"; readonly status: number; readonly error: string } | null;
  close(): void;
}

const keys = () => generateKeyPairSync("rsa", { modulusLength: 2048 });

export async function startScriptedProvider(nonce: () => string): Promise<ScriptedProvider> {
  const [own, foreign] = [keys(), keys()];
  const server = createServer((request, response) => {
    const answer = (fields: object): void => {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(fields));
    };
    if (request.url === "/.well-known/openid-configuration") {
      answer({
        issuer: provider.issuer,
        authorization_endpoint: `${provider.issuer}/authorize`,
        token_endpoint: `${provider.issuer}/token`,
        jwks_uri: `${provider.issuer}/keys`,
        userinfo_endpoint: `${provider.issuer}/userinfo`,
        response_types_supported: ["code"],
        subject_types_supported: ["public"],
        id_token_signing_alg_values_supported: ["RS256"],
        authorization_response_iss_parameter_supported: true,
      });
    } else if (request.url === "/keys") {
      answer({
        keys: [{ ...own.publicKey.export({ format: "jwk" }), kid: "own", alg: "RS256", use: "sig" }],
      });
    } else if (request.url === "/userinfo") {
      const { status = 200, error = "" } = provider.refusal ?? {};
      const challenge = error === "" ? {} : { "www-authenticate": `Bearer error="${error}"` };
      if (status !== 200) response.writeHead(status, challenge).end();
      else answer({ sub: "jane", email: "jane@example.com" });
    } else if (provider.refusal?.at === "token") {
      const { status, error } = provider.refusal;
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ error }));
    } else {
      const tokens = { access_token: "access", refresh_token: "refresh", id_token: idToken() };
      answer({ ...tokens, token_type: "Bearer" });
    }
  });

  function idToken(): string {
    const { claims, head, signature } = provider.lies;
    const now = Math.floor(Date.now() / 1_000);
    const said = {
      iss: provider.issuer,
      sub: "jane",
      aud: "inv",
      iat: now,
      exp: now + 300,
      nonce: nonce(),
      name: "Jane Doe",
      groups: ["inv-users"],
      ...claims,
    };
    const parts = [{ alg: "RS256", kid: "own", ...head }, said].map((part) =>
      Buffer.from(JSON.stringify(part)).toString("base64url"),
    );
    const text = parts.join(".");
    if (signature === "none") return `${text}.`;
    const key = (signature === "foreign" ? foreign : own).privateKey;
    return `${text}.${createSign("RSA-SHA256").update(text).sign(key).toString("base64url")}`;
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const provider: ScriptedProvider = {
    issuer: `http://localhost:${(server.address() as AddressInfo).port}`,
    lies: {},
    refusal: null,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return provider;
}

/** As a provider keeps it of a request, for what comes later. */
export function challengeOf(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url");
}
