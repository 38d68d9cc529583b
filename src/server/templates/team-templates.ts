/**
 * The team's templates: a folder of files from the administrator. A request reads a file again if it has
 * changed. An invalid file is left out, and the log says why, once for each change.
 * Invariant: whatever the folder contains, each request is answered in time, without blocked threads or much
 * memory. Only regular files are opened, at most a template's size is read, and concurrent requests share one
 * read of the folder.
 */
import { constants } from "node:fs";
import { type FileHandle, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "../../domain/errors";
import { readTemplateText } from "../../domain/templates/read-template";
import { mostTemplateCharacters, type Template, templateEnding } from "../../domain/templates/template";
import { unawaited } from "../../domain/unawaited";
import type { SteadyClock } from "../steady-clock";
import type { Log } from "../monitoring/log";
import { codeOf } from "../system-error";

export interface TeamTemplates {
  /**
   * Lists the templates in the order of file names. Empty without a folder, or if the folder can't be read.
   */
  list(): Promise<readonly Template[]>;
}

const mostFiles = 100;
const leftOut = "A template was left out.";
/** A character has at most four bytes. One more byte shows that the file is too long. */
const mostBytes = mostTemplateCharacters * 4 + 1;
/** Needed because a network folder may never answer. */
const longestReadMs = 5_000;
/**
 * Without O_NONBLOCK, opening a pipe waits until somebody writes to it. On Windows, the constant is
 * undefined.
 */
const openFlags = constants.O_RDONLY | constants.O_NONBLOCK;

interface CachedFile {
  /** Size and modification time of the file when it was read, or why it couldn't be. */
  readonly stamp: string;
  readonly template: Template | null;
}

export interface TeamTemplatesOptions {
  readonly folder: string | null;
  readonly log: Pick<Log, "warn">;
  readonly clock: Pick<SteadyClock, "setTimeout" | "clearTimeout">;
}

export function createTeamTemplates({ folder, log, clock }: TeamTemplatesOptions): TeamTemplates {
  let cached = new Map<string, CachedFile>();
  let reading: Promise<readonly Template[]> | null = null;
  let latest: readonly Template[] = [];
  let lastComplaint = "";

  function complain(fields: Readonly<Record<string, unknown>>, message: string): void {
    const text = `${message} ${JSON.stringify(fields)}`;
    if (text !== lastComplaint) log.warn(fields, message);
    lastComplaint = text;
  }

  async function read(path: string, file: string): Promise<CachedFile> {
    const handle = await open(path, openFlags);
    try {
      const stats = await handle.stat();
      const isFile = stats.isFile();
      const stamp = isFile ? `${stats.mtimeMs} ${stats.size}` : "no file";
      const before = cached.get(file);
      if (before?.stamp === stamp) return before;
      const { template, faults } = isFile
        ? readTemplateText(await readBounded(handle))
        : { template: null, faults: ["It isn't a regular file."] };
      if (faults !== null) log.warn({ file, faults }, leftOut);
      return { stamp, template };
    } finally {
      await handle.close();
    }
  }

  async function listFolder(path: string): Promise<readonly Template[]> {
    const files = (await readdir(path)).filter((file) => file.endsWith(templateEnding)).sort();
    if (files.length > mostFiles) {
      complain({ files: files.length, limit: mostFiles }, "The folder of templates contains too many files.");
    }
    const next = new Map<string, CachedFile>();
    for (const file of files.slice(0, mostFiles)) {
      try {
        next.set(file, await read(join(path, file), file));
      } catch (error) {
        // The file was removed since the folder was read.
        if (codeOf(error) === "ENOENT") continue;
        const reason = messageOf(error);
        const isNew = cached.get(file)?.stamp !== reason;
        if (isNew) log.warn({ file, faults: [`It can't be read: ${reason}.`] }, leftOut);
        next.set(file, { stamp: reason, template: null });
      }
    }
    cached = next;
    return uniqueById([...next.values()].flatMap(({ template }) => template ?? []));
  }

  async function readFolder(path: string): Promise<readonly Template[]> {
    try {
      return await listFolder(path);
    } catch {
      complain({ folder }, "The folder of templates can't be read.");
      return [];
    }
  }

  /** Resolves to the previous templates if the folder takes too long. */
  function inTime(found: Promise<readonly Template[]>): Promise<readonly Template[]> {
    return new Promise((resolve) => {
      const timer = clock.setTimeout(() => {
        complain({ folder }, "The folder of templates doesn't answer.");
        resolve(latest);
      }, longestReadMs);
      unawaited(
        found.then((templates) => {
          clock.clearTimeout(timer);
          resolve(templates);
        }),
      );
    });
  }

  return {
    list() {
      if (folder === null) return Promise.resolve([]);
      reading ??= readFolder(folder).then((templates) => {
        reading = null;
        return (latest = templates);
      });
      return inTime(reading);
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

function uniqueById(templates: readonly Template[]): readonly Template[] {
  const ids = new Set<string>();
  return templates.filter(({ id }) => !ids.has(id) && ids.add(id));
}
