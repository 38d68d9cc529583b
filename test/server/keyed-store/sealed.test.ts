/** A sealed text opens only with its own key, for its own purpose, and unchanged. */
import { seal, unseal } from "../../../src/server/keyed-store/sealed";

it("opens only with its own key and name", () => {
  const sealed = seal("key", "token live acme", "a secret ü");
  expect(sealed.toString("latin1")).not.toContain("secret");
  expect(unseal("key", "token live acme", sealed)).toBe("a secret ü");
  expect(unseal("another", "token live acme", sealed)).toBeNull();
  for (const about of ["token trial acme", "token live bolt", "session live acme"]) {
    expect(unseal("key", about, sealed)).toBeNull();
  }
  for (const at of [0, 12, sealed.length - 1]) {
    const changed = Buffer.from(sealed);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    expect(unseal("key", "token live acme", changed)).toBeNull();
  }
});
