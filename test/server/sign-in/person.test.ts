/** Whether a person may sign in, by the provider's claims. */
import { mayComeIn } from "../../../src/server/sign-in/person";

const allow = { claim: "email", values: ["jane@example.com"] };

it.each([
  [true, undefined],
  [true, true],
  [true, "true"],
  [false, false],
  [false, "false"],
  [false, ""],
  [false, null],
])("lets in: %s, where email_verified is %p", (isIn, verified) => {
  expect(mayComeIn({ email: "jane@example.com", email_verified: verified }, allow)).toBe(isIn);
});

it("admits only people with a verified address if the settings demand it", () => {
  const mayWith = (claims: object) => mayComeIn({ email: "jane@example.com", ...claims }, allow, true);
  expect([mayWith({}), mayWith({ email_verified: false }), mayWith({ email_verified: true })]).toEqual([
    false,
    false,
    true,
  ]);
});
