/** The log's lines contain what happened, and nothing else. */
import { createLog } from "../../../src/server/monitoring/log";

it("an error is logged with its message and stack, and without the attached request", () => {
  let logged = "";
  const log = createLog("info", (line) => (logged += line));
  const request = { headers: { authorization: "Bearer token-0815" } };
  log.error(Object.assign(new Error("The socket was closed."), { request }), "A call failed.");
  expect(logged).toContain("The socket was closed.");
  expect(logged).toContain("log.test");
  expect(logged).not.toContain("token-0815");
});
