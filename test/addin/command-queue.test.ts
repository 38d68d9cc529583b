/**
 * Buttons of the ribbon and keys over Microsoft's own `Office.actions`, also pressed before INV has been loaded: ids are
 * found in any letter case, and a press of a command that isn't associated is lost (reported, office-js 5176).
 */
import {
  associateCommands,
  type CommandId,
  commandIds,
  createCommandQueue,
  type OfficeActions,
} from "../../src/addin/command-queue";
import { openExcel } from "../excel/excel-in-node";

const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface MicrosoftActions extends Required<OfficeActions> {
  readonly actions: Required<OfficeActions>["actions"] & {
    readonly _association: { readonly mappings: Record<string, (event: object | null) => void> };
  };
}

/** Excel with only the add-in's first script in its page. */
async function loading() {
  const excel = openExcel("Plan");
  // The bridge is there once the runtime has used it.
  await excel.excel.run(async (context) => context.sync());
  const office = excel.office as unknown as MicrosoftActions;
  const queue = createCommandQueue();
  associateCommands(queue, { browserHost: null, office });
  const { mappings } = office.actions._association;
  const completed: string[] = [];
  /** As the ribbon finds a button's function (read in Microsoft's AppCommandManager). */
  const click = (id: CommandId): void =>
    mappings[id.toUpperCase()]?.({ completed: () => void completed.push(id) });
  return { excel, queue, mappings, click, completed };
}

test("Microsoft's runtime knows every command, once", async () => {
  const { mappings } = await loading();
  expect(Object.keys(mappings)).toEqual(commandIds.map((id) => id.toUpperCase()));
});

test("commands pressed before INV is ready run once and in order, and report their end", async () => {
  const { excel, queue, click, completed } = await loading();
  const ran: string[] = [];
  click("refreshSheet");
  excel.pressKey("refreshSelection");
  click("showHelp");
  await soon();
  expect(completed).toEqual([]);
  queue.open(async (id) => void ran.push(id));
  excel.pressKey("refreshWorkbook");
  await soon();
  expect(ran).toEqual(["refreshSheet", "refreshSelection", "showHelp", "refreshWorkbook"]);
  expect(completed).toEqual(["refreshSheet", "showHelp"]);
});

test("a command ends if the host passes arguments that can't be completed", async () => {
  const { queue, mappings } = await loading();
  const rejected: unknown[] = [];
  const record = (reason: unknown): void => void rejected.push(reason);
  process.on("unhandledRejection", record);
  mappings["REFRESHSHEET"]?.({});
  const ran: string[] = [];
  queue.open(async (id) => void ran.push(id));
  await soon();
  process.off("unhandledRejection", record);
  expect(ran).toEqual(["refreshSheet"]);
  expect(rejected).toEqual([]);
});

test("releases the button if INV can't be loaded", async () => {
  const { queue, click, completed } = await loading();
  click("refreshSheet");
  queue.close();
  click("showHelp");
  await soon();
  expect(completed).toEqual(["refreshSheet", "showHelp"]);
});

test("does nothing in an Excel without commands, or on a page outside Excel", () => {
  const queue = createCommandQueue();
  expect(() => associateCommands(queue, { browserHost: null, office: {} })).not.toThrow();
  expect(() => associateCommands(queue, { browserHost: null, office: null })).not.toThrow();
});
