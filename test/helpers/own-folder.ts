/** A folder of a test file's own, made at once and gone after its last test. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface OwnFolder {
  readonly path: string;
  /** Text as it is, all else as JSON; gives the file's path. */
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
      writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
      return file;
    },
  };
}
