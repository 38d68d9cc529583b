/**
 * A button of the ribbon, or a key, pressed before INV has been loaded. Excel runs what is associated at that
 * moment and forgets the press where nothing is (reported, office-js 5176), so the test's Excel does the same.
 */
import {
  associateCommands,
  commandIds,
  createCommandDesk,
  type CommandId,
} from "../../src/addin/command-desk";

function setUp() {
  const desk = createCommandDesk();
  const actions = new Map<string, (event: { completed(): void }) => void>();
  associateCommands(desk, {
    browserHost: null,
    office: { actions: { associate: (id, run) => void actions.set(id, run) } },
  });
  const completed: string[] = [];
  const press = (id: CommandId): void => actions.get(id)?.({ completed: () => void completed.push(id) });
  return { desk, actions, completed, press };
}

const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("every command is known to Excel at once", () => {
  expect([...setUp().actions.keys()]).toEqual([...commandIds]);
});

test("a press that comes before INV runs when INV opens, once and in its order, and Excel is told of its end", async () => {
  const { desk, completed, press } = setUp();
  const ran: string[] = [];
  press("refreshSheet");
  press("showHelp");
  await soon();
  expect(completed).toEqual([]);
  desk.open(async (id) => void ran.push(id));
  press("freezeSelection");
  await soon();
  expect(ran).toEqual(["refreshSheet", "showHelp", "freezeSelection"]);
  expect(completed).toEqual(ran);
});

test("where INV cannot be loaded the button comes up again", async () => {
  const { desk, completed, press } = setUp();
  press("refreshSheet");
  desk.close();
  press("showHelp");
  await soon();
  expect(completed).toEqual(["refreshSheet", "showHelp"]);
});

test("an Excel without commands, and a page that is none, are left alone", () => {
  const desk = createCommandDesk();
  expect(() => associateCommands(desk, { browserHost: null, office: {} })).not.toThrow();
  expect(() => associateCommands(desk, { browserHost: null, office: null })).not.toThrow();
});
