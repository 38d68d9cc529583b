/** Who counts as one person when a company's people take turns. */
import { createTokenBed } from "../../helpers/token-bed";
import { createVirtualClock } from "../../helpers/virtual-clock";

function createBed() {
  const clock = createVirtualClock();
  return { clock, ...createTokenBed(clock) };
}

const newcomerMs = 20_000;

describe("a person", () => {
  it("is the holder of a token, and stays the same with every renewed token", async () => {
    const bed = createBed();
    const [first, other] = [await bed.requestToken(), await bed.requestToken()];
    await bed.clock.advance(newcomerMs);
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
    await bed.clock.advance(newcomerMs);
    const person = await bed.personOf(first);
    await bed.clock.advance(910_000);
    expect(await bed.personOf(await bed.requestToken(first, { address: "10.0.0.2" }))).toBe(person);
  });

  it("can't be taken over with another consumer's, another environment's or an invented token", async () => {
    const bed = createBed();
    const first = await bed.requestToken();
    await bed.clock.advance(newcomerMs);
    const person = await bed.personOf(first);
    const others = [
      await bed.personOf(await bed.requestToken(first, { client: "bolt" })),
      await bed.personOf(await bed.requestToken(first, { id: "trial" }), "trial"),
      await bed.personOf(await bed.requestToken("made up")),
    ];
    expect(new Set([person, ...others]).size).toBe(4);
  });

  it("comes in the crowd of its address's and consumer's newcomers, however many tokens it requests", async () => {
    const bed = createBed();
    const crowds = new Set<string | null | undefined>();
    for (let call = 0; call < 200; call += 1) {
      crowds.add((await bed.askerOf(await bed.requestToken()))?.crowd);
      await bed.clock.advance(1_000);
    }
    expect(crowds).toEqual(new Set([expect.any(String)]));
    for (const from of [{ address: "10.0.0.2" }, { client: "bolt" }, { id: "trial" }]) {
      const asker = await bed.askerOf(await bed.requestToken(null, from), from.id);
      expect(asker?.crowd).toEqual(expect.any(String));
      expect(crowds).not.toContain(asker?.crowd);
    }
  });

  it("stays a newcomer for the same time when it renews its token, and the same person all the time", async () => {
    const bed = createBed();
    const first = await bed.requestToken();
    const newcomer = await bed.askerOf(first);
    await bed.clock.advance(newcomerMs / 2);
    const renewed = await bed.requestToken(first);
    expect(await bed.askerOf(renewed)).toEqual(newcomer);
    await bed.clock.advance(newcomerMs / 2);
    expect(await bed.askerOf(renewed)).toEqual({ ...newcomer, crowd: null });
  });

  it("of a big office behind one address soon counts separately", async () => {
    const bed = createBed();
    const tokens: string[] = [];
    for (let colleague = 0; colleague < 150; colleague += 1) tokens.push(await bed.requestToken());
    await bed.clock.advance(newcomerMs);
    const names = new Set<string | undefined>();
    for (const token of tokens) names.add(await bed.personOf(token));
    expect(names.size).toBe(150);
  });
});
