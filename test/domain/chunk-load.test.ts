/** Loading a chunk: again after a failure, and what people read when the server doesn't have it. */
import { createChunkLoad } from "../../src/domain/chunk-load";

const failed = (address: string) => Object.assign(new Error("Loading failed"), { request: address });

function bed(outcomes: readonly (Error | string)[], status: number | Error) {
  const asked: string[] = [];
  const load = createChunkLoad(
    (id) => {
      asked.push(`load ${id}`);
      const outcome = outcomes[asked.length - 1];
      return outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome);
    },
    (address) => {
      asked.push(address);
      return status instanceof Error ? Promise.reject(status) : Promise.resolve({ status });
    },
  );
  return { load, asked };
}

it("asks once for a chunk that is there", async () => {
  const { load, asked } = bed(["code"], 200);
  expect(await load("pane")).toBe("code");
  expect(asked).toEqual(["load pane"]);
});

it("asks again after a failure, because another server may have it", async () => {
  const { load, asked } = bed([failed("/a.js"), "code"], 404);
  expect(await load("pane")).toBe("code");
  expect(asked).toEqual(["load pane", "load pane"]);
});

it("says that INV was updated if the server doesn't have it", async () => {
  const { load, asked } = bed([failed("/a.js"), failed("/a.js")], 404);
  await expect(load("pane")).rejects.toMatchObject({
    code: "unreachable",
    message: "INV was updated. Close the workbook and open it again.",
  });
  expect(asked).toEqual(["load pane", "load pane", "/a.js"]);
});

it.each([
  ["the server answers 503", 503],
  ["the server has it after all", 200],
  ["nobody answers", new Error("offline")],
])("says to check the network if %s", async (_how, status) => {
  const error = failed("/a.js");
  const { load } = bed([failed("/a.js"), error], status);
  await expect(load("pane")).rejects.toMatchObject({
    code: "unreachable",
    message: expect.stringMatching(/^INV couldn't load a part of itself\. .* network connection/) as string,
    cause: error,
  });
});
