/** One call to a configured environment, whose failure is an answer too. */
import { failed, passedOn, type RelayedAnswer } from "./answer";
import type { OutgoingCall } from "./outgoing";
import type { RelayTarget } from "./page-request";

/** Never rejects. */
export async function sendCall(
  target: Pick<RelayTarget, "send">,
  call: OutgoingCall,
): Promise<RelayedAnswer> {
  try {
    return passedOn(await target.send(call));
  } catch (error) {
    return failed(error);
  }
}
