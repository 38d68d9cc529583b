/** A second INV in the same workbook, as far as pages of one origin can tell. */
import { type InstanceChannel, watchSecondInstance } from "../../src/addin/second-instance";

/** Opens pages that hear each other, as those of one origin do. */
function createOrigin() {
  type Listener = Parameters<InstanceChannel["addEventListener"]>[1];
  const listeners = new Map<InstanceChannel, Listener>();
  return (page: string, address: string) => {
    const channel: InstanceChannel = {
      addEventListener: (_, listener) => void listeners.set(channel, listener),
      postMessage: (data) => {
        for (const [other, listener] of listeners) if (other !== channel) listener({ data });
      },
    };
    return watchSecondInstance(channel, page, () => address);
  };
}

const plan = "https://example.sharepoint.com/Plan.xlsx";

it.each([
  ["the same workbook", plan, plan, true],
  ["a copy of the workbook", plan, "https://example.sharepoint.com/Plan (2).xlsx", false],
  ["two workbooks that were never saved", "", "", false],
])("two pages with %s", (_, one, other, isTwice) => {
  const open = createOrigin();
  const pages = [open("a", one), open("b", other)];
  expect(pages.map(({ isOpenTwice }) => isOpenTwice.get())).toEqual([isTwice, isTwice]);
});

it("stops warning after the other page is closed, and keeps warning while a third is open", () => {
  const open = createOrigin();
  const [first, second, third] = [open("a", plan), open("b", plan), open("c", plan)];
  second.close();
  expect([first.isOpenTwice.get(), third.isOpenTwice.get()]).toEqual([true, true]);
  third.close();
  expect(first.isOpenTwice.get()).toBe(false);
});
