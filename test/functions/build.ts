/** Builds the catalogue as the add-in's build does, into memory: what it writes, and what its code associates. */
import path from "node:path";
import vm from "node:vm";
import CustomFunctionsMetadataPlugin from "custom-functions-metadata-plugin";
import webpack from "webpack";
import { catalogueFiles, FunctionsMetadataPlugin } from "../../src/functions/metadata-plugin.cjs";

export interface BuiltCatalogue {
  readonly errors: readonly string[];
  /** Emitted files by name. */
  readonly files: ReadonlyMap<string, string>;
  /** Ids the code associated when it ran, with their functions. */
  readonly associated: ReadonlyMap<string, unknown>;
}

export const publicUrl = "https://inv.example/addin/";

export async function buildCatalogue(): Promise<BuiltCatalogue> {
  const compiler = webpack({
    mode: "none",
    target: "web",
    context: path.resolve(__dirname, "../.."),
    entry: { functions: [...catalogueFiles] },
    resolve: { extensions: [".ts", ".js"] },
    module: { rules: [{ test: /\.ts$/, loader: "ts-loader", options: { transpileOnly: true } }] },
    plugins: [
      new CustomFunctionsMetadataPlugin({ output: "functions.json", input: [...catalogueFiles] }),
      new FunctionsMetadataPlugin({ publicUrl }),
    ],
  });
  const files = new Map<string, string>();
  compiler.hooks.emit.tap("KeepInMemory", (compilation) => {
    for (const { name, source } of compilation.getAssets()) {
      files.set(name, source.source().toString());
      compilation.deleteAsset(name);
    }
  });
  const stats = await new Promise<webpack.Stats>((resolve, reject) => {
    compiler.run((error, result) =>
      result === undefined ? reject(error ?? new Error("no result")) : resolve(result),
    );
  });
  const associated = new Map<string, unknown>();
  const associate = (id: string, implementation: unknown): void => void associated.set(id, implementation);
  vm.runInNewContext(files.get("functions.js") ?? "", { CustomFunctions: { associate } });
  return { errors: stats.compilation.errors.map(({ message }) => message), files, associated };
}
