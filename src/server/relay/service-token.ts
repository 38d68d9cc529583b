/**
 * The service's own token, kept out of the answers that pages get. A service, or a gateway before it, may repeat it in
 * any text; pages take out of an answer what they know, and this one they do not.
 */
import { withoutSecrets } from "../../api/body";
import type { RelayedAnswer } from "../answer";

export function withoutToken(answer: RelayedAnswer, serviceToken: string): RelayedAnswer {
  // Without a backslash a text has but one spelling, and nearly all answers are clean: no text is made of those to see it.
  if (!answer.body.includes(serviceToken) && !answer.body.includes("\\")) return answer;
  // Any encoding will do that gives back the same bytes: a token is ASCII.
  const text = answer.body.toString("latin1");
  const clean = withoutSecrets(text, [serviceToken]);
  return clean === text ? answer : { ...answer, body: Buffer.from(clean, "latin1") };
}
