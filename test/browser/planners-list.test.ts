/**
 * A planner's list in the browser workbook, on systems in three languages: pasted, checked, corrected, built with the names of its stores
 * and items, and refreshed.
 */
import { button, openTab, unfold } from "./pane-parts";
import { isCutOff, problemsInBothThemes } from "./support";
import { narrow, openScratch, scratch, type WorkbookPage } from "./workbook-page";

const gtins = ["00012345678905", "00012345678912", "00012345679100"];

const systems = [
  {
    locale: "en-US",
    headings: ["Store", "Store name", "On hand", "Price", "UPC", "Item name"],
    numbers: ["1,250", "2.49"],
    names: ["North", "South", "Oats 500 g", "Milk 1 l", "Rice, long grain"],
  },
  {
    locale: "de-DE",
    headings: ["Filiale", "Filialname", "Bestand", "Preis", "EAN", "Artikel"],
    numbers: ["1.250", "2,49"],
    names: ["Nord", "Süd", "Hafer 500 g", "Milch 1 l", "Reis, Langkorn"],
  },
  {
    locale: "es-ES",
    headings: ["Tienda", "Nombre de tienda", "Existencia", "Precio", "Código de barras", "Descripción"],
    numbers: ["1.250", "2,49"],
    names: ["Norte", "Sur", "Avena 500 g", "Leche 1 l", "Arroz, grano largo"],
  },
] as const;

/** The list as another program copies it, with a store, a scanned item and a mistyped item that are wrong. */
function copiedList({ headings, numbers, names }: (typeof systems)[number]): string {
  const [north, south, ...items] = names;
  const lines = [
    ["1234", north, gtins[0]],
    ["057", south, `]C101${gtins[1]}`],
    ["1234", north, "00012345679109"],
  ];
  const rows = lines.map(([store, name, item], at) => [store, name, ...numbers, item, items[at]]);
  return [headings, ...rows].map((row) => row.join("\t")).join("\r\n");
}

test.each(systems.map((system) => [system.locale, system] as const))(
  "a list is pasted, checked, built with names and refreshed on a system in %s",
  async (locale, system) => {
    const workbook = await openScratch({ locale, height: 1500 });
    const answers = await followAnswers(workbook);
    await workbook.select(scratch, 0, 0);
    await workbook.paste({ text: copiedList(system) });
    await workbook.until(async () => (await workbook.values(scratch, 3, 5))[0]?.[0] === system.names[4]);
    expect(await workbook.values(scratch, 1, 2, 1, 2)).toEqual([[1250, 2.49]]);

    await check(workbook, system.headings);
    await build(workbook, system.names);

    const [north, south, ...items] = system.names;
    const expectAnswers = async (): Promise<void> => {
      await workbook.settled();
      expect(await workbook.values("Planning", 1, 0, 3, 5)).toEqual([
        [1234, gtins[0], north, items[0], answers.shelf.get(`1234 ${gtins[0]}`)],
        [57, gtins[1], south, items[1], answers.shelf.get(`57 ${gtins[1]}`)],
        [1234, gtins[2], north, items[2], answers.shelf.get(`1234 ${gtins[2]}`)],
      ]);
    };
    await expectAnswers();
    expect(answers.shelf.size).toBe(3);

    answers.raisedBy = 7_000;
    const pane = workbook.pane();
    await openTab(pane, "Refresh");
    await pane.getByRole("button", { name: "Refresh", exact: true }).click();
    await pane
      .getByText(/ cells refreshed/)
      .first()
      .waitFor();
    await expectAnswers();
    expect(answers.shelf.get(`57 ${gtins[1]}`)).toBeGreaterThanOrEqual(7_000);
    expect(workbook.complaints).toEqual([]);
  },
);

interface Answers {
  /** Added to every quantity from now on. */
  raisedBy: number;
  /** The last shelf quantity in an answer, by store and GTIN. */
  readonly shelf: Map<string, number>;
}

interface SearchAnswer {
  readonly items: readonly {
    readonly gtin: string;
    readonly inventory_locations: { location_area: string; state: string; quantity: string }[];
  }[];
}

async function followAnswers({ page }: WorkbookPage): Promise<Answers> {
  const answers: Answers = { raisedBy: 0, shelf: new Map() };
  await page.route("**/search-items", async (route) => {
    const { store_nbr: store } = route.request().postDataJSON() as { store_nbr: number };
    const response = await route.fetch();
    const json = (await response.json()) as SearchAnswer;
    for (const { gtin, inventory_locations } of json.items) {
      for (const place of inventory_locations) {
        const quantity = Number(place.quantity) + answers.raisedBy;
        place.quantity = String(quantity);
        const isShelf = place.location_area === "STORE" && place.state === "AVAILABLE";
        if (isShelf) answers.shelf.set(`${store} ${gtin}`, quantity);
      }
    }
    await route.fulfill({ response, json });
  });
  return answers;
}

/** Checks the list, corrects it, and checks it again, without a request. */
async function check(workbook: WorkbookPage, headings: readonly string[]): Promise<void> {
  const pane = workbook.pane();
  await narrow(pane, 350);
  await openTab(pane, "Templates");
  await unfold(pane, "Check a list");
  await button(pane, "Use the selected cells").click();
  const chosen = (label: string) =>
    pane
      .getByLabel(label, { exact: true })
      .evaluate((list) => (list as HTMLSelectElement).selectedOptions[0]?.label);
  await pane.locator(".rows li", { hasText: `1234 ${gtins[0]}` }).waitFor();
  expect(await chosen("Stores")).toBe(`A, ${headings[0]}`);
  expect(await chosen("Items")).toBe(`E, ${headings[4]}`);
  await button(pane, /^Check$/).click();
  await pane.getByText("3 stores and 3 items checked. 3 findings.").waitFor();
  for (const [kind, place, found] of [
    ["Written by a scanner", "E3", `"]C101${gtins[1]}"`],
    ["The check digit doesn't fit", "E4", '"00012345679109"'],
    ["A store with zeros or blanks", "A3", '"057"'],
  ] as const) {
    await unfold(pane, kind);
    await pane.locator(".rows li", { hasText: found }).getByRole("button", { name: place }).waitFor();
  }
  expect(await problemsInBothThemes(pane)).toEqual([]);
  expect(await isCutOff(pane)).toBe(false);
  await workbook.write([scratch, 2, 0], [[57]]);
  await workbook.write([scratch, 2, 4], [[gtins[1]!]]);
  await workbook.write([scratch, 3, 4], [[gtins[2]!]]);
  await button(pane, "Check again").click();
  await pane.getByText("3 stores and 3 items checked. Nothing is wrong.").waitFor();
  expect(workbook.searches).toEqual([]);
}

async function build(workbook: WorkbookPage, names: readonly string[]): Promise<void> {
  const pane = workbook.pane();
  await pane.getByRole("button", { name: /^Planning sheet/ }).click();
  await button(pane, "Use the selected cells").click();
  await pane.getByText("3 rows of store and GTIN.").waitFor();
  await pane.locator(".rows li", { hasText: `1234 ${gtins[0]} ${names[0]} ${names[2]}` }).waitFor();
  expect(await problemsInBothThemes(pane)).toEqual([]);
  expect(await isCutOff(pane)).toBe(false);
  await button(pane, "Build the sheet").click();
  await pane.getByText('The sheet "Planning" is built').waitFor();
}
