/**
 * The team's templates: a folder of files the administrator fills. It is looked at again when somebody asks
 * and it has changed; a file that is no good is left out, and the log says why, once for each change of it.
 * Invariant: whatever stands in the folder, everybody is answered in time, and no thread or memory is lost to it: only
 * regular files are opened, no more of one is read than a template may have, and one look serves all who ask meanwhile.
 */
import { constants } from "node:fs";
import { type FileHandle, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { readTemplateText } from "../domain/templates/read-template";
import { mostTemplateCharacters, type Template, templateEnding } from "../domain/templates/template";
import type { SteadyClock } from "./shared-quota/clock";
import type { Log } from "./operations/log";

export interface TeamTemplates {
  /** By file name; empty without a folder, and where it cannot be read. */
  list(): Promise<readonly Template[]>;
}

const mostFiles = 100;
/** Four bytes are the longest character; one more byte tells that there would be more. */
const mostBytes = mostTemplateCharacters * 4 + 1;
/** A folder on a network may never answer; the next look finds what came later. */
const longestLookMs = 5_000;
/** A pipe would otherwise wait for somebody to write into it. Windows has neither. */
const openFlags = constants.O_RDONLY | constants.O_NONBLOCK;

interface Known {
  /** Size and time of the file when it was read. */
  readonly stamp: string;
  readonly template: Template | null;
}

export interface TeamTemplatesOptions {
  /** Null where there is none. */
  readonly folder: string | null;
  readonly log: Pick<Log, "warn">;
  readonly clock: Pick<SteadyClock, "setTimeout" | "clearTimeout">;
}

export function createTeamTemplates({ folder, log, clock }: TeamTemplatesOptions): TeamTemplates {
  let known = new Map<string, Known>();
  let look: Promise<readonly Template[]> | null = null;
  let latest: readonly Template[] = [];
  let complaint = "";

  function complain(fields: Readonly<Record<string, unknown>>, message: string): void {
    const text = `${message} ${JSON.stringify(fields)}`;
    if (text !== complaint) log.warn(fields, message);
    complaint = text;
  }

  async function read(path: string, file: string): Promise<Known> {
    const handle = await open(path, openFlags);
    try {
      const stats = await handle.stat();
      const isFile = stats.isFile();
      const stamp = isFile ? `${stats.mtimeMs} ${stats.size}` : "no file";
      const before = known.get(file);
      if (before?.stamp === stamp) return before;
      const { template, faults } = isFile
        ? readTemplateText(await readBounded(handle))
        : { template: null, faults: ["It is no regular file."] };
      if (faults !== null) log.warn({ file, faults }, "A template was left out.");
      return { stamp, template };
    } finally {
      await handle.close();
    }
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

  async function lookAt(path: string): Promise<readonly Template[]> {
    try {
      return await listFolder(path);
    } catch {
      complain({ folder }, "The folder of templates cannot be read.");
      return [];
    }
  }

  /** What the look finds, or what the one before found when it takes too long. */
  function inTime(found: Promise<readonly Template[]>): Promise<readonly Template[]> {
    return new Promise((resolve) => {
      const timer = clock.setTimeout(() => {
        complain({ folder }, "The folder of templates does not answer.");
        resolve(latest);
      }, longestLookMs);
      void found.then((templates) => {
        clock.clearTimeout(timer);
        resolve(templates);
      });
    });
  }

  return {
    list() {
      if (folder === null) return Promise.resolve([]);
      look ??= lookAt(folder).then((templates) => {
        look = null;
        return (latest = templates);
      });
      return inTime(look);
    },
  };
}

async function readBounded(handle: FileHandle): Promise<string> {
  const buffer = Buffer.alloc(mostBytes);
  let bytes = 0;
  for (;;) {
    const { bytesRead } = await handle.read(buffer, bytes, mostBytes - bytes, bytes);
    bytes += bytesRead;
    if (bytesRead === 0 || bytes === mostBytes) return buffer.toString("utf8", 0, bytes);
  }
}

/** Of two files with one id the first holds. */
function uniqueById(templates: readonly Template[]): readonly Template[] {
  const ids = new Set<string>();
  return templates.filter(({ id }) => !ids.has(id) && ids.add(id));
}
