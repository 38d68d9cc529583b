/**
 * The test a person runs before they trust a connection: a new token, then a canary of one item. It is tried once, so
 * that the person hears at once what is wrong, and it never takes more than the quota has.
 */
import { InvError } from "../domain/errors";
import type { ItemQuery } from "../domain/records";
import { anyItem, createCanary } from "./canary";
import type { Lane } from "./lane-types";
import type { Quota } from "./send/quota";
import type { TokenKeeper } from "./send/token";

export interface TestTools {
  readonly lane: Pick<Lane<ItemQuery, unknown>, "sendCanary" | "giveUp">;
  readonly quota: Quota;
  readonly token: TokenKeeper;
  readonly decide: () => void;
}

/** A new token, then the call that goes with it. Rejects with the reason why no value can be had. */
export async function testConnection({ lane, quota, token, decide }: TestTools): Promise<void> {
  const canary = createCanary(true);
  const call = lane.sendCanary([anyItem], canary);
  // It stands in line meanwhile, so that whatever ends what waits ends it too.
  call.notBeforeMs = Infinity;
  call.isRenewed = true;
  void token.renew().then((outcome) => {
    if (outcome.kind !== "granted") lane.giveUp(call, outcome.error);
    else if (!quota.allows(true)) lane.giveUp(call, quotaIsUsed());
    call.notBeforeMs = 0;
    decide();
  });
  await canary.ended;
}

function quotaIsUsed(): InvError {
  const message = "The company's quota of calls is used up for now. Wait a minute, then test again.";
  return new InvError("quota", message);
}
