/**
 * The team's templates: a folder of files the administrator fills. It is looked at again when somebody asks
 * and it has changed; a file that is no good is left out, and the log says why, once for each change of it.
 */
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { readTemplateText } from "../domain/templates/read-template";
import { mostTemplateCharacters, type Template, templateEnding } from "../domain/templates/template";
import type { Log } from "./log";

export interface TeamTemplates {
  /** By file name; empty without a folder, and where it cannot be read. */
  list(): Promise<readonly Template[]>;
}

const mostFiles = 100;

interface Known {
  /** Size and time of the file when it was read. */
  readonly stamp: string;
  readonly template: Template | null;
}

export function createTeamTemplates(folder: string | null, log: Pick<Log, "warn">): TeamTemplates {
  let known = new Map<string, Known>();
  let complaint = "";

  function complain(fields: Readonly<Record<string, unknown>>, message: string): void {
    const text = `${message} ${JSON.stringify(fields)}`;
    if (text !== complaint) log.warn(fields, message);
    complaint = text;
  }

  async function read(path: string, file: string): Promise<Known> {
    const { mtimeMs, size } = await stat(path);
    const stamp = `${mtimeMs} ${size}`;
    const before = known.get(file);
    if (before?.stamp === stamp) return before;
    // Four bytes are the longest character.
    const text =
      size > mostTemplateCharacters * 4
        ? " ".repeat(mostTemplateCharacters + 1)
        : await readFile(path, "utf8");
    const { template, faults } = readTemplateText(text);
    if (faults !== null) log.warn({ file, faults }, "A template was left out.");
    return { stamp, template };
  }

  async function listFolder(path: string): Promise<readonly Template[]> {
    const files = (await readdir(path)).filter((file) => file.endsWith(templateEnding)).sort();
    if (files.length > mostFiles) {
      complain({ files: files.length, most: mostFiles }, "The folder of templates holds too many files.");
    }
    const next = new Map<string, Known>();
    for (const file of files.slice(0, mostFiles)) {
      try {
        next.set(file, await read(join(path, file), file));
      } catch {
        // Taken away or being written while the folder is looked at: it is there next time, or not.
      }
    }
    known = next;
    return uniqueById([...next.values()].flatMap(({ template }) => template ?? []));
  }

  return {
    async list() {
      if (folder === null) return [];
      try {
        return await listFolder(folder);
      } catch {
        complain({ folder }, "The folder of templates cannot be read.");
        return [];
      }
    },
  };
}

/** Of two files with one id the first holds. */
function uniqueById(templates: readonly Template[]): readonly Template[] {
  const ids = new Set<string>();
  return templates.filter(({ id }) => !ids.has(id) && ids.add(id));
}
