/** Headers of the team's server: they are ignored if they can't be right. */
import { readAgesMs, readCompanyUsage } from "../../src/api/headers";

const ages = (text: string, items: number) => readAgesMs(new Headers({ "inv-ages": text }), items);

describe("the ages of a response's items", () => {
  it("are read in the order of the items", () => {
    expect(ages("0,1500,20", 3)).toEqual([0, 1_500, 20]);
  });

  it.each([
    ["fewer than items", "0,1500", 3],
    ["more than items", "0,1500,20,4", 3],
    ["one for many items", "1500", 2],
    ["not numbers", "0,x,20", 3],
    ["negative", "0,-5,20", 3],
  ])("that are %s are ignored", (_title, text, items) => {
    expect(ages(text, items)).toEqual([]);
  });

  it("are empty without the header", () => {
    expect(readAgesMs(new Headers(), 2)).toEqual([]);
  });
});

describe("the company's quota use", () => {
  it.each([
    ["12/600", { used: 12, limit: 600 }],
    ["12", null],
    ["12/600/1", null],
    ["-1/600", null],
  ])("%s is %j", (text, use) => {
    expect(readCompanyUsage(new Headers({ "inv-quota": text }))).toEqual(use);
  });
});
