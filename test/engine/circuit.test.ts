/** When failures are an outage, and when calls may leave again. */
import { createCircuit } from "../../src/engine/scheduler/circuit";
import { createVirtualClock } from "../helpers/virtual-clock";

const bedOf = () => {
  const clock = createVirtualClock({ seed: 1 });
  return { clock, circuit: createCircuit(clock) };
};

it("is an outage from the fifth failure on, and from the second of a service that hangs", async () => {
  const { circuit } = bedOf();
  const quick = Array.from({ length: 6 }, () => circuit.noteFailure(circuit.callStart()));
  expect(quick).toEqual([false, false, false, false, true, true]);
  const hanging = bedOf();
  const slow: boolean[] = [];
  for (let call = 0; call < 3; call += 1) {
    const start = hanging.circuit.callStart();
    await hanging.clock.advance(12_500);
    slow.push(hanging.circuit.noteFailure(start));
  }
  expect(slow).toEqual([false, true, true]);
});

it("lets all calls leave at once when a person tries again, and counts failures from there", () => {
  const { clock, circuit } = bedOf();
  for (let call = 0; call < 5; call += 1) circuit.noteFailure(circuit.callStart());
  expect(circuit.opensAtMs(0)).toBe(clock.steadyNow() + 1_000);
  circuit.reset();
  expect([circuit.opensAtMs(0), circuit.opensAtMs(6), circuit.isDoubtful()]).toEqual([0, 0, false]);
  expect(circuit.noteFailure(circuit.callStart())).toBe(false);
  expect(circuit.opensAtMs(0)).toBeLessThanOrEqual(clock.steadyNow());
});
