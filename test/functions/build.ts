/** Builds the catalogue as the add-in's build does, into a temporary folder. Returns the files and the associated functions. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import vm from "node:vm";
import CustomFunctionsMetadataPlugin from "custom-functions-metadata-plugin";
import webpack from "webpack";
import { catalogueFiles, FunctionsMetadataPlugin } from "../../src/build/functions-metadata.cjs";

export interface BuiltCatalogue {
  readonly errors: readonly string[];
  /** Emitted files by name. */
  readonly files: ReadonlyMap<string, string>;
  /** Functions that the code associated when it ran, by id. */
  readonly associated: ReadonlyMap<string, unknown>;
}

export async function buildCatalogue({ argumentLists = true } = {}): Promise<BuiltCatalogue> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "inv-catalogue-"));
  const compiler = webpack({
    mode: "none",
    target: "web",
    output: { path: folder },
    context: path.resolve(__dirname, "../.."),
    entry: { functions: [...catalogueFiles] },
    resolve: { extensions: [".ts", ".js"] },
    module: { rules: [{ test: /\.ts$/, loader: "ts-loader", options: { transpileOnly: true } }] },
    plugins: [
      // The plugin's types allow only one file, but it accepts a list.
      new CustomFunctionsMetadataPlugin({ output: "functions.json", input: [...catalogueFiles] as never }),
      new FunctionsMetadataPlugin({ argumentLists }),
    ],
  });
  const stats = await new Promise<webpack.Stats>((resolve, reject) => {
    compiler.run((error, result) =>
      result === undefined ? reject(error ?? new Error("no result")) : resolve(result),
    );
  });
  const names = fs.readdirSync(folder, { recursive: true, encoding: "utf8" });
  const files = new Map(
    names
      .filter((name) => path.extname(name) !== "")
      .map((name) => [name.replaceAll("\\", "/"), fs.readFileSync(path.join(folder, name), "utf8")]),
  );
  fs.rmSync(folder, { recursive: true });
  const associated = new Map<string, unknown>();
  const associate = (id: string, implementation: unknown): void => void associated.set(id, implementation);
  vm.runInNewContext(files.get("functions.js") ?? "", { CustomFunctions: { associate } });
  return { errors: stats.compilation.errors.map(({ message }) => message), files, associated };
}
