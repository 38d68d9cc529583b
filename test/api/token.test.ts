/** The token request and every response to it. */
import { buildTokenRequest, readTokenResponse, tokenFormSchema } from "../../src/api/token";
import { environment, html, json, limit, streamed } from "./bodies";

const credentials = { consumerId: "6a1f-consumer", clientSecret: "s3cr3t&=+ ü" };

describe("buildTokenRequest", () => {
  it("sends the three documented fields as a form, and nothing secret in address or headers", async () => {
    const request = buildTokenRequest(environment, credentials);
    expect(request.method).toBe("POST");
    expect(request.url).toBe(environment.tokenUrl);
    expect(request.headers.get("content-type")).toBe("application/x-www-form-urlencoded");
    expect(JSON.stringify([...request.headers])).not.toContain("s3cr3t");
    const form = Object.fromEntries(new URLSearchParams(await request.text()));
    expect(form).toEqual({
      grant_type: "client_credentials",
      client_id: "6a1f-consumer",
      client_secret: "s3cr3t&=+ ü",
    });
    expect(tokenFormSchema.safeParse(form).success).toBe(true);
  });

  it("does not follow redirects, and is never cached", () => {
    const request = buildTokenRequest(environment, credentials);
    expect([request.redirect, request.cache]).toEqual(["manual", "no-store"]);
  });

  it("ends with its signal", () => {
    const controller = new AbortController();
    const request = buildTokenRequest(environment, credentials, { signal: controller.signal });
    controller.abort();
    expect(request.signal.aborted).toBe(true);
  });
});

describe("readTokenResponse", () => {
  it.each([
    [{ access_token: "abc.def" }, 900],
    [{ access_token: "abc.def", expires_in: 600 }, 600],
    [{ access_token: "abc.def", expires_in: "600", token_type: "Bearer" }, 600],
    [{ access_token: "abc.def", expires_in: 0 }, 900],
    [{ access_token: "abc.def", expires_in: 1e18 }, 86_400],
    [{ access_token: "abc.def", expires_in: "9".repeat(400) }, 86_400],
    [{ access_token: "abc.def", expires_in: null }, 900],
    [{ access_token: "abc.def", expires_in: "soon" }, 900],
  ])("reads %j", async (body, expiresInSeconds) => {
    expect(await readTokenResponse(json(body), limit)).toEqual({
      kind: "granted",
      grant: { accessToken: "abc.def", expiresInSeconds },
    });
  });

  it.each([{}, { access_token: "" }, { access_token: 5 }, { access_token: "two\nlines" }, [], null, "text"])(
    "is unreadable for %j",
    async (body) => {
      const outcome = await readTokenResponse(json(body), limit);
      expect(outcome).toMatchObject({ kind: "unreadable", error: { code: "bad-answer" } });
    },
  );

  it.each([400, 401, 403])("reads %i as refused credentials", async (status) => {
    const outcome = await readTokenResponse(json({ error: "invalid_client" }, status), limit);
    expect(outcome).toMatchObject({
      kind: "credentials-refused",
      error: { code: "credentials-refused", details: { httpStatus: status } },
    });
  });

  it("does not repeat the text of an error response, which may contain the secret", async () => {
    const body = { error: "s3cr3t", error_description: "client_secret s3cr3t is wrong", detail: "s3cr3t" };
    const outcome = await readTokenResponse(json(body, 401), limit);
    expect(JSON.stringify(outcome) + String("error" in outcome && outcome.error.message)).not.toContain(
      "s3cr3t",
    );
  });

  it.each([
    // Without this, wrong credentials would be sent again and again.
    [new Response('{"error":"invalid_cl', { status: 400 }), "credentials-refused", "credentials-refused"],
    [html(), "unreadable", "wrong-address"],
    [html(404), "unreadable", "wrong-address"],
    [json({}, 405), "unreadable", "wrong-address"],
    [json({}, 429), "throttled", "quota"],
    [json({}, 503), "unavailable", "service-down"],
    [new Response(null, { status: 307 }), "unreadable", "wrong-address"],
    [new Response(streamed([], "breaks")), "unavailable", "unreachable"],
    [new Response("x".repeat(2_000_001)), "unreadable", "too-large"],
  ])("reads other failures (%#)", async (response, kind, code) => {
    expect(await readTokenResponse(response, limit)).toMatchObject({ kind, error: { code } });
  });
});
