/**
 * The commands over Microsoft's own `Office.actions`, its keys and its buttons: ids are found in any letter case, and
 * what is not associated when it is pressed is lost (office-js 5176).
 */
import {
  associateCommands,
  type CommandId,
  commandIds,
  createCommandDesk,
  type OfficeActions,
} from "../../src/addin/command-desk";
import { type NodeExcel, openExcel } from "../excel/excel-in-node";

const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface MicrosoftActions extends Required<OfficeActions> {
  readonly actions: Required<OfficeActions>["actions"] & {
    readonly _association: { readonly mappings: Record<string, (event: object | null) => void> };
  };
}

/** Excel with the add-in's first script in its page; the rest of INV is still on its way. */
function loading() {
  const excel = openExcel("Plan");
  const office = excel.office as unknown as MicrosoftActions;
  const desk = createCommandDesk();
  const associate = () => associateCommands(desk, { browserHost: null, office });
  const completed: string[] = [];
  /** As the ribbon finds a button's function (read in Microsoft's AppCommandManager). */
  const click = (id: CommandId): void =>
    office.actions._association.mappings[id.toUpperCase()]?.({ completed: () => void completed.push(id) });
  const ran: string[] = [];
  const open = () => desk.open(async (id) => void ran.push(id));
  return { excel, associate, click, open, ran, completed };
}

/** The bridge is there once the runtime has used it. */
async function use(excel: NodeExcel): Promise<void> {
  await excel.excel.run(async (context) => context.sync());
}

test("buttons and keys pressed before INV is there run when it opens, in their order", async () => {
  const { excel, associate, click, open, ran, completed } = loading();
  await use(excel);
  associate();
  click("refreshSheet");
  excel.pressKey("freezeSelection");
  click("showHelp");
  await soon();
  expect(ran).toEqual([]);
  open();
  await soon();
  expect(ran).toEqual(["refreshSheet", "freezeSelection", "showHelp"]);
  expect(completed).toEqual(["refreshSheet", "showHelp"]);
  excel.pressKey("thawSelection");
  await soon();
  expect(ran.at(-1)).toBe("thawSelection");
});

test("Microsoft's runtime knows every command, once", async () => {
  const { excel, associate } = loading();
  associate();
  const { mappings } = (excel.office as unknown as MicrosoftActions).actions._association;
  expect(Object.keys(mappings)).toEqual(commandIds.map((id) => id.toUpperCase()));
});
