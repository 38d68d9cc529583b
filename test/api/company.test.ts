/** Headers of the team's server: they are ignored if they can't be right. */
import { readTokenResponse } from "../../src/api/token";
import { callHeaders, readAgesMs, readCompanyUsage } from "../../src/api/headers";
import { json, limit } from "./bodies";

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

describe("the age that a call accepts", () => {
  it.each([
    [60_000, "60"],
    [59_999, "59"],
    [999, "0"],
    [-1, "0"],
  ])("is %d ms as %s whole seconds, and never more", (maxAgeMs, seconds) => {
    const teamServerTerms = { isEdit: false, maxAgeMs };
    const headers = callHeaders({ consumerId: null, accessToken: "token", teamServerTerms });
    expect(headers).toMatchObject({ "inv-max-age": seconds });
    expect(headers).not.toHaveProperty("inv-edit");
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

describe("a 429", () => {
  it.each([
    ["quota", "quota", "The company's quota of calls is used up (429). Wait a minute, then refresh."],
    [
      "redis",
      "redis",
      "The team's server can't reach the store that it shares with other servers (429). Wait a minute, then refresh.",
    ],
    ["other", null, "The company's quota of calls is used up (429). Wait a minute, then refresh."],
  ])("with the mark %j says why the team's server rejected the call", async (mark, rejection, message) => {
    const outcome = await readTokenResponse(json({}, 429, { "inv-refusal": mark }), limit);
    expect(outcome).toMatchObject({ kind: "throttled", rejection, error: { message } });
  });
});
