/** A second INV in the same workbook, as far as pages of one origin can tell. */
import { type PageLocks, watchSecondInstance } from "../../src/addin/second-instance";

/** Opens pages that share their locks, as those of one origin do. `close` releases a page's locks, as a browser does. */
function createOrigin() {
  const queues = new Map<string, { page: string; grant: () => void }[]>();
  const close = (page: string): void => {
    for (const [name, queue] of queues) {
      const isOwner = queue[0]?.page === page;
      const others = queue.filter((each) => each.page !== page);
      queues.set(name, others);
      if (isOwner) others[0]?.grant();
    }
  };
  const open = (page: string, address: string) => {
    let current = address;
    let lookAgain: () => void = () => undefined;
    const locks: PageLocks = {
      async request(name, { ifAvailable = false, signal }, whenGranted) {
        const queue = queues.get(name) ?? [];
        if (ifAvailable && queue.length > 0) return whenGranted(null);
        queues.set(name, queue);
        const release = (): void => {
          const [first] = queue;
          queue.splice(0, queue.length, ...queue.filter((each) => each.page !== page));
          if (first?.page === page) queue[0]?.grant();
        };
        await new Promise<void>((grant, reject) => {
          signal?.addEventListener("abort", () => {
            release();
            reject(new Error("aborted"));
          });
          queue.push({ page, grant });
          if (queue.length === 1) grant();
        });
        return whenGranted({ name }).finally(release);
      },
    };
    const isOpenTwice = watchSecondInstance({
      locks,
      clock: { setTimeout: (callback) => (lookAgain = callback) },
      readAddress: () => Promise.resolve(current),
    });
    const saveAs = (next: string): void => {
      current = next;
      lookAgain();
    };
    return { isOpenTwice, saveAs };
  };
  return { open, close };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const plan = "https://example.sharepoint.com/Plan.xlsx";

it.each([
  ["the same workbook: the second warns", plan, plan, true],
  ["a copy of the workbook", plan, "https://example.sharepoint.com/Plan (2).xlsx", false],
  ["two workbooks that were never saved", "", "", false],
])("two pages with %s", async (_, one, other, isTwice) => {
  const { open } = createOrigin();
  const pages = [open("a", one), open("b", other)];
  await settled();
  expect(pages.map(({ isOpenTwice }) => isOpenTwice.get())).toEqual([false, isTwice]);
});

it("stops warning when the first page closes or dies, and keeps warning in a third", async () => {
  const { open, close } = createOrigin();
  const pages = ["a", "b", "c"].map((page) => open(page, plan));
  await settled();
  expect(pages.map(({ isOpenTwice }) => isOpenTwice.get())).toEqual([false, true, true]);
  close("a");
  await settled();
  expect(pages.slice(1).map(({ isOpenTwice }) => isOpenTwice.get())).toEqual([false, true]);
});

it.each([
  ["saved for the first time", ""],
  ["saved under another name", "https://example.sharepoint.com/Draft.xlsx"],
])("warns of a workbook that was %s after it was opened", async (_, before) => {
  const { open } = createOrigin();
  const [first, second, third] = [open("a", plan), open("b", before), open("c", before)] as const;
  await settled();
  second.saveAs(plan);
  await settled();
  expect([first, second, third].map(({ isOpenTwice }) => isOpenTwice.get())).toEqual([false, true, false]);
  first.saveAs("https://example.sharepoint.com/Old plan.xlsx");
  await settled();
  expect([first, second, third].map(({ isOpenTwice }) => isOpenTwice.get())).toEqual([false, false, false]);
});

it.each([
  ["the browser refuses locks", () => Promise.resolve(plan)],
  ["Excel doesn't return the address", () => Promise.reject(new Error("not saved"))],
])("doesn't warn where %s", async (_, readAddress) => {
  const isOpenTwice = watchSecondInstance({
    locks: { request: () => Promise.reject(new Error("denied")) },
    clock: { setTimeout: () => undefined },
    readAddress,
  });
  await settled();
  expect(isOpenTwice.get()).toBe(false);
});
