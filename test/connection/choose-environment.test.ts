/** The environment with which a workbook opens. */
import { chooseEnvironment } from "../../src/connection/choose-environment";
import { anEnvironment, notSetUp } from "./environments";

const demo = anEnvironment("demo", "demo");
const sandbox = anEnvironment("sandbox", "sandbox");
const entries = [demo, sandbox, notSetUp("production", "production")];
const facts = { stored: null, last: null, beginWithDemo: false };

describe("the environment of a workbook", () => {
  it("is the one stored in the workbook, even if this device used another last", () => {
    const chosen = chooseEnvironment(entries, { ...facts, stored: "demo", last: "sandbox" });
    expect(chosen).toEqual({ environment: demo, missingId: null });
  });

  it.each(["production", "gone"])(
    "is none where the stored one (%s) is not usable here, and is named",
    (stored) => {
      const chosen = chooseEnvironment(entries, { stored, last: "sandbox", beginWithDemo: true });
      expect(chosen).toEqual({ environment: null, missingId: stored });
    },
  );

  it("is the device's last one in a workbook without a choice", () => {
    expect(chooseEnvironment(entries, { ...facts, last: "sandbox" }).environment).toBe(sandbox);
  });

  it("is never silently the demo in Excel, and is the demo in the browser workbook", () => {
    expect(chooseEnvironment(entries, { ...facts, last: "demo" }).environment).toBeNull();
    expect(chooseEnvironment(entries, facts).environment).toBeNull();
    expect(chooseEnvironment(entries, { ...facts, beginWithDemo: true }).environment).toBe(demo);
  });

  it("is never silently sample stock that simulates another environment", () => {
    const embedded = { ...anEnvironment("embedded-sandbox", "sandbox"), embedded: true as const };
    const sample = [demo, embedded];
    expect(chooseEnvironment(sample, { ...facts, last: "embedded-sandbox" }).environment).toBeNull();
    expect(chooseEnvironment(sample, { ...facts, stored: "embedded-sandbox" }).environment).toBe(embedded);
    expect(chooseEnvironment(sample, { ...facts, stored: "sandbox", beginWithDemo: true })).toEqual({
      environment: null,
      missingId: "sandbox",
    });
    expect(chooseEnvironment(entries, { ...facts, stored: "embedded-sandbox", last: "sandbox" })).toEqual({
      environment: null,
      missingId: "embedded-sandbox",
    });
  });

  it("is none without a list", () => {
    expect(chooseEnvironment([], { ...facts, beginWithDemo: true })).toEqual({
      environment: null,
      missingId: null,
    });
  });
});
