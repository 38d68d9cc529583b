/** Whether a person may sign in, by the provider's claims. */
import { mayComeIn } from "../../../src/server/sign-in/person";

const allow = { claim: "email", values: ["jane@example.com"] };

it.each([
  [false, undefined],
  [true, true],
  [true, "true"],
  [false, false],
  [false, "false"],
  [false, ""],
  [false, null],
])("lets in: %s, where email_verified is %p", (isIn, verified) => {
  expect(mayComeIn({ email: "jane@example.com", email_verified: verified }, allow)).toBe(isIn);
});
