/** What a team's server tells of an answer beside the service's contract: believed only where it can be right. */
import { readAgesMs, readCompanyUsage } from "../../src/api/headers";

const ages = (text: string, items: number) => readAgesMs(new Headers({ "inv-ages": text }), items);

describe("the ages of an answer's items", () => {
  it("are one for each item, in their order", () => {
    expect(ages("0,1500,20", 3)).toEqual([0, 1_500, 20]);
  });

  it.each([
    ["fewer than items", "0,1500", 3],
    ["more than items", "0,1500,20,4", 3],
    ["one for many items", "1500", 2],
    ["not numbers", "0,x,20", 3],
    ["negative", "0,-5,20", 3],
  ])("that are %s are as none: whose they are is not known", (_title, text, items) => {
    expect(ages(text, items)).toEqual([]);
  });

  it("that are not said are none", () => {
    expect(readAgesMs(new Headers(), 2)).toEqual([]);
  });
});

describe("the company's use of its quota", () => {
  it.each([
    ["12/600", { used: 12, limit: 600 }],
    ["12", null],
    ["12/600/1", null],
    ["-1/600", null],
  ])("%s is %j", (text, use) => {
    expect(readCompanyUsage(new Headers({ "inv-quota": text }))).toEqual(use);
  });
});
