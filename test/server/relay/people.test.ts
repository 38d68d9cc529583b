/** Who counts as one person when a company's people take turns. */
import { createTokenBed } from "../../helpers/token-bed";
import { createVirtualClock } from "../../helpers/virtual-clock";

function createBed() {
  const clock = createVirtualClock();
  return { clock, ...createTokenBed(clock) };
}

describe("a person", () => {
  it("is the holder of a token, and stays the same with every renewed token", async () => {
    const bed = createBed();
    const [first, other] = [await bed.requestToken(), await bed.requestToken()];
    const person = await bed.personOf(first);
    expect(person).not.toBe(await bed.personOf(other));
    let token = first;
    for (let renewal = 0; renewal < 5; renewal += 1) {
      await bed.clock.advance(840_000);
      token = await bed.requestToken(token);
      expect(await bed.personOf(token)).toBe(person);
    }
  });

  it("stays the same with a token that has just expired, and from another address", async () => {
    const bed = createBed();
    const first = await bed.requestToken();
    const person = await bed.personOf(first);
    await bed.clock.advance(910_000);
    expect(await bed.personOf(await bed.requestToken(first, { address: "10.0.0.2" }))).toBe(person);
  });

  it("can't be taken over with another consumer's, another environment's or an invented token", async () => {
    const bed = createBed();
    const first = await bed.requestToken();
    const person = await bed.personOf(first);
    const others = [
      await bed.personOf(await bed.requestToken(first, { client: "bolt" })),
      await bed.personOf(await bed.requestToken(first, { id: "trial" }), "trial"),
      await bed.personOf(await bed.requestToken("made up")),
    ];
    expect(new Set([person, ...others]).size).toBe(4);
  });
});
