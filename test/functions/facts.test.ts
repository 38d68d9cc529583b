/** The facts that are listed by a function's name agree with its own comment: arguments, times, and existence. */
import fs from "node:fs";
import { catalogueFiles, namespace } from "../../src/build/functions-metadata.cjs";
import { readCatalogue } from "../../src/build/help/read-catalogue.cjs";
import { functionsById } from "../../src/functions/preview";
import { functionFacts } from "../../src/domain/functions";

const functions = readCatalogue(
  catalogueFiles.map((file) => fs.readFileSync(file, "utf8")),
  namespace,
);

it.each([
  ["facts", functionFacts],
  ["preview", functionsById],
])("every function has its %s, and no other", (_, byId) => {
  expect(Object.keys(byId).sort()).toEqual(functions.map(({ id }) => id).sort());
});

it.each(functions.map((each) => [each.id, each] as const))(
  "%s asks as its arguments say",
  (id, described) => {
    const item = described.arguments[1]?.name ?? null;
    expect(functionFacts[id]!.asks).toBe(item === "gtin" ? "history" : item);
  },
);

it.each(functions.map((each) => [each.id, each] as const))(
  "%s is a table where its comment says so",
  (id, described) => {
    expect(functionFacts[id]!.isTable === true).toBe(described.examples[0]?.result === "a table");
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
