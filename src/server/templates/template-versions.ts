/**
 * The files of published templates: each version is a file with the template, its author and the time, and the
 * previous version is kept.
 * Invariant: a version's file is complete, and only one publisher gets a version number, even if several
 * servers share the folder. For this, a finished file is hard-linked to its name, which fails if the name
 * exists.
 */
import { access, link, mkdir, readdir, readFile, stat, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { readTemplate } from "../../domain/templates/read-template";
import { mostTemplateCharacters, type Template } from "../../domain/templates/template";
import { unguessable } from "../digest";
import type { Log } from "../monitoring/log";
import { codeOf, whyUnusable } from "../system-error";

const person = z.object({ name: z.string(), subject: z.string() });
/** As in the file. The time is in it, and not the file's own, so that a restored copy has the time of its publication. */
const stored = z.object({ author: person, publishedAt: z.iso.datetime(), template: z.unknown() });

interface Version extends Omit<z.infer<typeof stored>, "template"> {
  /** Null if the template was removed, or if its file can't be read. */
  readonly template: Template | null;
}

export type Numbered = Version & { readonly number: number };
export interface TemplateVersions {
  /** Returns the latest version of each template, including removed ones. Rejects if the folder can't be read. */
  latest(environment: string): Promise<ReadonlyMap<string, Numbered>>;
  /** Returns "taken" if another publisher has just taken this number, and "failed" if the folder can't be written, such as a full one. */
  write(environment: string, id: string, version: Numbered): Promise<"written" | "taken" | "failed">;
}

/** A character has at most four bytes. The rest is for the author, the session and JSON escapes. */
export const maxVersionBytes = mostTemplateCharacters * 4 + 4_096;
const fileShape = /^template-([a-z][a-z0-9-]{0,39})\.(\d{1,9})\.json$/;

const missing: Version = { author: { name: "", subject: "" }, publishedAt: "", template: null };

export function createTemplateVersions(folder: string, log: Pick<Log, "warn">): TemplateVersions {
  /** Cached versions by path. Files never change, so each is read only once. */
  const known = new Map<string, Version>();
  const reported = new Set<string>();

  async function read(path: string): Promise<Version> {
    const before = known.get(path);
    if (before !== undefined) return before;
    try {
      const { size } = await stat(path);
      const found = size > maxVersionBytes ? null : versionIn(await readFile(path, "utf8"));
      if (found === null) report(path, "It isn't a valid template.");
      known.set(path, found ?? missing);
    } catch (error) {
      // Since the folder was read, the file may have been replaced twice.
      if (codeOf(error) !== "ENOENT") report(path, `It can't be read: ${whyUnusable(error)}.`);
    }
    return known.get(path) ?? missing;
  }

  function report(file: string, reason: string): void {
    if (reported.has(file)) return;
    reported.add(file);
    log.warn({ file, reason }, "A published template was left out.");
  }

  async function filesOf(environmentFolder: string): Promise<readonly string[]> {
    try {
      return await readdir(environmentFolder);
    } catch (error) {
      if (codeOf(error) !== "ENOENT") throw error;
      // Nobody has published in this environment yet, unless the whole folder is missing.
      await access(folder);
      return [];
    }
  }

  async function latest(environment: string): Promise<ReadonlyMap<string, Numbered>> {
    const environmentFolder = join(folder, environment);
    const numbers = new Map<string, number>();
    for (const file of await filesOf(environmentFolder)) {
      const [, id, number] = fileShape.exec(file) ?? [];
      if (id !== undefined) numbers.set(id, Math.max(numbers.get(id) ?? 0, Number(number)));
    }
    const found = new Map<string, Numbered>();
    for (const [id, number] of [...numbers].sort(([one], [other]) => (one < other ? -1 : 1))) {
      found.set(id, { ...(await read(join(environmentFolder, fileOf(id, number)))), number });
    }
    return found;
  }

  async function write(environment: string, id: string, { number, ...content }: Numbered) {
    const environmentFolder = join(folder, environment);
    const draft = join(environmentFolder, `.${unguessable()}`);
    try {
      await mkdir(environmentFolder, { recursive: true });
      await writeFile(draft, JSON.stringify(content), { flag: "wx", flush: true });
    } catch (error) {
      await unlink(draft).catch(() => undefined);
      log.warn({ reason: whyUnusable(error) }, "A template couldn't be published.");
      return "failed";
    }
    try {
      await link(draft, join(environmentFolder, fileOf(id, number)));
    } catch (error) {
      if (codeOf(error) === "EEXIST") return "taken";
      log.warn({ reason: whyUnusable(error) }, "A template couldn't be published.");
      return "failed";
    } finally {
      await unlink(draft);
    }
    const older = join(environmentFolder, fileOf(id, number - 2));
    known.delete(older);
    await unlink(older).catch(() => undefined);
    return "written";
  }

  return { latest, write };
}

function fileOf(id: string, number: number): string {
  return `template-${id}.${number}.json`;
}

/** Validates the file again, because people with write access to the folder may have changed it. */
function versionIn(text: string): Version | null {
  try {
    const { template, ...facts } = stored.parse(JSON.parse(text));
    const checked = template === null ? null : readTemplate(template).template;
    return template !== null && checked === null ? null : { ...facts, template: checked };
  } catch {
    return null;
  }
}
