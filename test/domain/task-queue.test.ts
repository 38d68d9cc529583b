/** Tasks run one after the other, even if earlier ones fail. */
import { createTaskQueue } from "../../src/domain/task-queue";

it("a task starts when all earlier ones have ended, even if one failed", async () => {
  const enqueue = createTaskQueue();
  const done: string[] = [];
  let endFirst: () => void = () => undefined;
  const first = enqueue(async () => {
    await new Promise<void>((resolve) => (endFirst = resolve));
    done.push("first");
  });
  const second = enqueue(() => Promise.reject(new Error("the storage is full")));
  const third = enqueue(() => Promise.resolve(done.push("third")));
  await new Promise((resolve) => setImmediate(resolve));
  expect(done).toEqual([]);
  endFirst();
  await first;
  await expect(second).rejects.toThrow("the storage is full");
  await third;
  expect(done).toEqual(["first", "third"]);
});
