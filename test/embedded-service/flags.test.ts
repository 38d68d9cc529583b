/** The command line of the standalone service. */
import { readServiceFlags, serviceUsage } from "../../src/server/embedded-service/flags";

const defaults = {
  port: 3010,
  latency: 0,
  fail: "",
  tokenLifetime: 900,
  rate: 600,
  help: false,
};

describe("the flags of the standalone service", () => {
  it("have defaults", () => {
    expect(readServiceFlags([])).toMatchObject(defaults);
  });

  it("are read, with or without an equals sign", () => {
    const line = "--port 4000 --latency=250 --fail 429=5%,hang=1% --token-lifetime 30 --rate 60 --seed 7";
    expect(readServiceFlags(line.split(" "))).toEqual({
      ...defaults,
      ...{ port: 4000, latency: 250, fail: "429=5%,hang=1%", tokenLifetime: 30, rate: 60, seed: 7 },
    });
  });

  it("are all in the help, with their defaults", () => {
    expect(serviceUsage).toContain("--token-lifetime S  seconds a token lives (default 900)");
    for (const name of Object.keys(defaults)) {
      expect(serviceUsage).toContain(`--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
    }
  });

  it.each([
    [["--port", "70000"], "--port: Too big: expected number to be <=65535"],
    [["--port", "abc"], "--port: Invalid input: expected number, received string"],
    [["--latency", "-5"], "--latency"],
    [["--rate", "0"], "--rate: Too small: expected number to be >=1"],
    [["--token-lifetime", "1.5"], "--token-lifetime: Invalid input: expected number, received string"],
    [["--fail", "teapot=1%"], "--fail: must be shares such as 429=5%,hang=1%"],
    [["--prot", "1"], "did you mean --port?"],
    [["4000"], "takes only flags"],
  ])("%j is refused in words", (args, words) => {
    expect(() => readServiceFlags(args)).toThrow(words);
  });

  it("never repeat a value that may be a secret", () => {
    for (const args of [["the-secret"], ["--the-secret-x", "1"], ["--port", "the-secret"]]) {
      expect(() => readServiceFlags(args)).not.toThrow("the-secret");
    }
  });
});
