/** A second INV in the same workbook, as far as pages of one origin can tell. */
import { type PageLocks, watchSecondInstance } from "../../src/addin/second-instance";

/** Opens pages that share their locks, as those of one origin do. `close` releases a page's locks, as a browser does. */
function createOrigin() {
  const queues = new Map<string, { page: string; grant: () => void }[]>();
  const close = (page: string): void => {
    for (const [name, queue] of queues) {
      const held = queue[0]?.page === page;
      const left = queue.filter((each) => each.page !== page);
      queues.set(name, left);
      if (held) left[0]?.grant();
    }
  };
  const open = (page: string, address: string) => {
    const locks: PageLocks = {
      async request(name, { ifAvailable = false }, whenGranted) {
        const queue = queues.get(name) ?? [];
        if (ifAvailable && queue.length > 0) return whenGranted(null);
        queues.set(name, queue);
        await new Promise<void>((grant) => {
          queue.push({ page, grant });
          if (queue.length === 1) grant();
        });
        return whenGranted({ name });
      },
    };
    return watchSecondInstance(locks, address);
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
  expect(pages.map((page) => page.get())).toEqual([false, isTwice]);
});

it("stops warning when the first page closes or dies, and keeps warning in a third", async () => {
  const { open, close } = createOrigin();
  const pages = ["a", "b", "c"].map((page) => open(page, plan));
  await settled();
  expect(pages.map((page) => page.get())).toEqual([false, true, true]);
  close("a");
  await settled();
  expect(pages.slice(1).map((page) => page.get())).toEqual([false, true]);
});

it("doesn't warn where the browser refuses locks", async () => {
  const isOpenTwice = watchSecondInstance({ request: () => Promise.reject(new Error("denied")) }, plan);
  await settled();
  expect(isOpenTwice.get()).toBe(false);
});
