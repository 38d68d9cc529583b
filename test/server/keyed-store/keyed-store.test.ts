/** An encrypted secret opens only with its own key, under its own name, and unchanged. */
import { openSecret, sealSecret } from "../../../src/server/keyed-store/keyed-store";

it("opens only with its own key and name", () => {
  const sealed = sealSecret("token live acme", { key: "key", text: "a secret ü" });
  expect(sealed.toString("latin1")).not.toContain("secret");
  expect(openSecret("token live acme", "key", sealed)).toBe("a secret ü");
  expect(openSecret("token live acme", "another", sealed)).toBeNull();
  for (const name of ["token trial acme", "token live bolt", "session live acme"]) {
    expect(openSecret(name, "key", sealed)).toBeNull();
  }
  for (const at of [0, 12, sealed.length - 1]) {
    const changed = Buffer.from(sealed);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    expect(openSecret("token live acme", "key", changed)).toBeNull();
  }
});
