/** Creates a temporary folder for a test file and removes it after the last test. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface OwnFolder {
  readonly path: string;
  /** Writes a string as it is, and any other value as JSON. Returns the file's path. */
  write(name: string, content: unknown): string;
}

export function ownFolder(): OwnFolder {
  const path = mkdtempSync(join(tmpdir(), "inv-test-"));
  afterAll(() => rmSync(path, { recursive: true, force: true }));
  return {
    path,
    write(name, content) {
      const file = join(path, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(
        file,
        typeof content === "string" || Buffer.isBuffer(content) ? content : JSON.stringify(content),
      );
      return file;
    },
  };
}
