/** The command line of the standalone service. */
import { readServiceFlags } from "../../src/server/embedded-service/flags";

describe("the flags of the standalone service", () => {
  it("have defaults", () => {
    expect(readServiceFlags([])).toEqual({
      port: 3010,
      latencyMs: 0,
      fail: "",
      tokenLifetimeSeconds: 900,
      ratePerMinute: 600,
      seed: 1,
      data: null,
      clockMs: null,
      testAccounts: false,
      help: false,
    });
  });

  it("are read, with or without an equals sign", () => {
    const line = "--port 4000 --latency=250 --fail 429=5%,hang=1% --token-lifetime 30 --rate 60 --seed 7";
    expect(readServiceFlags(line.split(" "))).toEqual({
      port: 4000,
      latencyMs: 250,
      fail: "429=5%,hang=1%",
      tokenLifetimeSeconds: 30,
      ratePerMinute: 60,
      seed: 7,
      data: null,
      clockMs: null,
      testAccounts: false,
      help: false,
    });
  });

  it.each([
    [["--port", "70000"], "--port takes a whole number from 0 to 65535"],
    [["--port", "abc"], '--port takes a whole number from 0 to 65535, received "abc"'],
    [["--latency", "-5"], "--latency"],
    [["--rate", "0"], "--rate takes a whole number from 1"],
    [["--token-lifetime", "1.5"], "--token-lifetime takes a whole number"],
    [["--fail", "teapot=1%"], "--fail: Expected faults such as"],
    [["--prot", "1"], "--prot"],
    [["4000"], "4000"],
  ])("%j is refused in words", (args, words) => {
    expect(() => readServiceFlags(args)).toThrow(words);
  });
});
