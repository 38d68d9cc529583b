/** Bodies are read to a limit, whatever arrives and however it ends. */
import { readBody } from "../../src/api/body";
import { streamed } from "./bodies";

const limit = { maxBytes: 100, secrets: [] };
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("readBody", () => {
  it.each([
    ["no body", null, ""],
    ["an empty body", "", ""],
    ["one chunk", "äöü", "äöü"],
  ])("reads %s", async (_title, body, text) => {
    expect(await readBody(new Response(body), limit)).toEqual({ kind: "text", text });
  });

  it("joins chunks that cut a character in two", async () => {
    const whole = bytes("a€b");
    const response = new Response(streamed([whole.slice(0, 2), whole.slice(2)], "ends"));
    expect(await readBody(response, limit)).toEqual({ kind: "text", text: "a€b" });
  });

  it.each([
    [99, "text"],
    [100, "text"],
    [101, "too-large"],
  ])("reads %i bytes with a limit of 100 as %s", async (size, kind) => {
    const response = new Response(streamed([bytes("x".repeat(60)), bytes("x".repeat(size - 60))], "ends"));
    expect((await readBody(response, limit)).kind).toBe(kind);
  });

  it("stops reading a body over the limit while it arrives", async () => {
    const response = new Response(streamed([bytes("x".repeat(101))], "hangs"));
    expect(await readBody(response, limit)).toEqual({ kind: "too-large" });
  });

  it("refuses a declared length over the limit without reading", async () => {
    const response = new Response(streamed([], "hangs"), { headers: { "content-length": "101" } });
    expect(await readBody(response, limit)).toEqual({ kind: "too-large" });
  });

  it("reports a connection that breaks while the body arrives", async () => {
    const response = new Response(streamed([bytes("{")], "breaks"));
    expect(await readBody(response, limit)).toMatchObject({ kind: "broken" });
  });

  it("reports a body that was already read", async () => {
    const response = new Response("once");
    await response.text();
    expect((await readBody(response, limit)).kind).toBe("broken");
  });
});
