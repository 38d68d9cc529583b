/** Neither the secret nor the access token reaches a cell, whatever the service repeats. */
import { problem } from "../helpers/scripted-service";
import { askAll, createBed, history, item, noQuota } from "./bed";

it("removes secret and token that a service repeats from reasons and progress", async () => {
  const bed = createBed(noQuota);
  bed.service.script((call) =>
    call.operation === "token" ? undefined : problem(400, `You said ${String(call.token)} and s3cret`),
  );
  const ended = askAll(bed, [item(1, 1)]);
  const events = bed.engine.history(history(1)).catch((error: unknown) => error);
  await bed.clock.runAll();
  const answer = await events;
  const told = [ended[0]?.no, ended[0]?.rejected?.message, JSON.stringify(answer), String(answer)];
  told.push(JSON.stringify(bed.engine.progress()));
  expect(told.join("\n")).not.toMatch(/token-1|s3cret/);
  const found = answer as { readonly found: false; readonly error: Error };
  expect(found.error.message).toContain("You said [redacted] and [redacted]");
});
