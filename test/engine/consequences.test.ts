/** What an outcome means, row by row: the table alone, without an engine. */
import { consequences, type OutcomeKind } from "../../src/engine/scheduler/consequences";

const kinds = Object.keys(consequences) as OutcomeKind[];

function kindsWhere(isOne: (row: (typeof consequences)[OutcomeKind]) => boolean): OutcomeKind[] {
  return kinds.filter((kind) => isOne(consequences[kind])).sort();
}

it("fails a call only if sending it again can't help", () => {
  expect(kindsWhere(({ call }) => call === "fail")).toEqual(["operation-refused", "unreadable"]);
  expect(kindsWhere(({ call }) => call === "settle")).toEqual(["answered"]);
});

it("assembles a call again only if it waits: its group may have grown", () => {
  expect(kindsWhere(({ call }) => call === "requeue")).toEqual(["rejected", "throttled"]);
});

it("counts a failure of the service only if the service failed", () => {
  expect(kindsWhere(({ circuit }) => circuit === "failure")).toEqual(["unavailable"]);
  expect(kindsWhere(({ circuit }) => circuit === "success")).toEqual(["answered"]);
});

it("ends the pause after a 429 at any response of the service to a call that it accepted", () => {
  expect(kindsWhere(({ pause }) => pause === "ends")).toEqual(["answered", "unreadable"]);
});

it("slows down only after the service's own 429", () => {
  expect(kindsWhere(({ pause }) => pause === "throttle")).toEqual(["throttled"]);
  expect(kindsWhere(({ pause }) => pause === "not-before")).toEqual(["rejected"]);
});

it("doesn't count calls that the team's server kept from the service", () => {
  expect(kindsWhere(({ spending }) => spending === "free")).toEqual(["rejected", "token-unknown"]);
});

it("changes the token only if its server or the service refuses it", () => {
  expect(kindsWhere(({ token }) => token === "refused")).toEqual(["token-refused"]);
  expect(kindsWhere(({ token }) => token === "discarded")).toEqual(["token-unknown"]);
});

it("stops the operation after a refusal, and after wrong addresses, until an answer", () => {
  expect(kindsWhere(({ fault }) => fault === "raise")).toEqual(["operation-refused"]);
  expect(kindsWhere(({ fault }) => fault === "raise-if-address")).toEqual(["unreadable"]);
  expect(kindsWhere(({ fault }) => fault === "lift")).toEqual(["answered"]);
});
