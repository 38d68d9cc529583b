/** The server's command line. */
import { helpText, readCommandLine } from "../../src/server/command-line";

const defaults = { config: null, check: false, connect: false, stock: null, events: null, help: false };

it("has defaults", () => {
  expect(readCommandLine([])).toMatchObject(defaults);
});

it("is read with or without an equals sign", () => {
  expect(readCommandLine("--config=inv.json --stock stock.csv --check".split(" "))).toMatchObject({
    ...defaults,
    ...{ config: "inv.json", stock: "stock.csv", check: true },
  });
});

it("has each flag in the help", () => {
  expect(helpText()).toContain("--stock FILE   your own figures instead of the demo");
  for (const name of Object.keys(defaults)) expect(helpText()).toContain(`--${name}`);
});

it.each([
  [["--confg", "x"], "did you mean --config?"],
  [["4000"], "takes only flags"],
  [["sessions"], "takes only flags"],
  [["--events", "events.csv"], "--events: needs --stock"],
  [["--connect"], "--connect: needs --check"],
])("%j is refused in words", (args, words) => {
  expect(() => readCommandLine(args)).toThrow(words);
});

it("never repeats a value that may be a secret", () => {
  for (const args of [["the-secret"], ["--the-secret-x", "1"], ["--check=the-secret"]]) {
    expect(() => readCommandLine(args)).toThrow(expect.not.stringContaining("the-secret") as string);
  }
});
