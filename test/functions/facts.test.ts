/** What is known of a function by its name alone agrees with its own comment: arguments, times, and that it is there. */
import fs from "node:fs";
import { catalogueFiles, namespace } from "../../src/build/functions-metadata.cjs";
import { readCatalogue } from "../../src/build/help/read-catalogue.cjs";
import { functionFacts } from "../../src/domain/functions";

const functions = readCatalogue(
  catalogueFiles.map((file) => fs.readFileSync(file, "utf8")),
  namespace,
);

it("is there for every function, and for no other", () => {
  expect(Object.keys(functionFacts).sort()).toEqual(functions.map(({ id }) => id).sort());
});

it.each(functions.map((each) => [each.id, each] as const))(
  "%s asks as its arguments say",
  (id, described) => {
    const [, item, ...rest] = described.arguments.map(({ name }) => name);
    const { asks, narrowedBy } = functionFacts[id]!;
    expect(asks).toBe(item === "gtin" ? "history" : (item ?? null));
    expect(narrowedBy).toEqual(asks === "history" ? rest.filter((name) => name !== "headers") : undefined);
  },
);

it.each(functions.map((each) => [each.id, each] as const))(
  "%s has times where its comment says so",
  (id, described) => {
    const { times } = functionFacts[id]!;
    const shows = described.examples[0]?.result;
    expect(times === "everywhere").toBe(shows === "a date and time");
    if (typeof times === "number") expect(shows).toBe("a table");
  },
);
