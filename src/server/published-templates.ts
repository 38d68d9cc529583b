/**
 * Templates that people publish from the pane, separately for each environment. Each version is a file with
 * the template and its author, and the previous version is kept. Reading and writing require a session of the
 * environment. Writing also requires the role for templates, which the provider confirms each time.
 * Invariant: a version's file is complete, and only one publisher gets a version number, even if several
 * servers share the folder. For this, a finished file is hard-linked to its name, which fails if the name
 * exists.
 */
import { link, mkdir, open, readdir, readFile, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { whyUnpublishable } from "../domain/templates/constants";
import { readTemplate } from "../domain/templates/read-template";
import { mostTemplateCharacters, type Template } from "../domain/templates/template";
import { jsonAnswer, refusal, type RelayedAnswer, sendAnswer } from "./answer";
import { unguessable } from "./digest";
import { requireOwnPage } from "./edge/own-page";
import type { Log } from "./operations/log";
import { awayRefusal, sessionEnded } from "./relay/own-refusals";
import type { SignIn, Who } from "./sign-in/sign-in";

export interface PublishedTemplatesOptions {
  /** Null if publishing is off. */
  readonly folder: string | null;
  readonly environments: readonly string[];
  readonly who: SignIn["who"];
  /** The administrators' templates, whose IDs people can't publish under. */
  readonly administrators: { list(): Promise<readonly Template[]> };
  readonly log: Pick<Log, "info">;
  readonly audit: boolean;
}

interface Version {
  readonly author: { readonly name: string; readonly subject: string };
  readonly publishedAt: string;
  /** Null if the template was removed. */
  readonly template: Template | null;
}

type Numbered = Version & { readonly number: number };
type Publisher = Extract<Who, { kind: "in" }>;

const mostPublished = 100;
/** A character has at most four bytes. The rest is for the session and JSON escapes. */
const maxBodyBytes = mostTemplateCharacters * 4 + 4_096;
const fileShape = /^template-([a-z][a-z0-9-]{0,39})\.(\d{1,9})\.json$/;

const session = z.string().max(100);
/**
 * The version that the person saw, or 0 for a new template. It keeps people from replacing a version that
 * they haven't seen.
 */
const seenVersion = z.int().min(0);

export async function publishedTemplates(
  fastify: FastifyInstance,
  options: PublishedTemplatesOptions,
): Promise<void> {
  const { folder, environments, who, administrators, log, audit } = options;
  /** Cached versions by path. Files never change, so each is read only once. */
  const known = new Map<string, Version>();

  async function read(path: string): Promise<Version | null> {
    const before = known.get(path);
    if (before !== undefined) return before;
    // Since the folder was read, the file may have been replaced twice or removed. It may also be too large.
    const size = await stat(path).then(
      ({ size }) => size,
      () => Infinity,
    );
    const text = size > maxBodyBytes ? null : await readFile(path, "utf8").catch(() => null);
    const found = text === null ? null : versionIn(text);
    if (found !== null) known.set(path, found);
    return found;
  }

  /** Returns the latest version of each template, including removed ones. */
  async function latest(environment: string): Promise<ReadonlyMap<string, Numbered>> {
    const own = join(folder ?? "", environment);
    const numbers = new Map<string, number>();
    for (const file of folder === null ? [] : await readdir(own).catch(() => [])) {
      const [, id, number] = fileShape.exec(file) ?? [];
      if (id !== undefined) numbers.set(id, Math.max(numbers.get(id) ?? 0, Number(number)));
    }
    const found = new Map<string, Numbered>();
    for (const [id, number] of [...numbers].sort(([one], [other]) => (one < other ? -1 : 1))) {
      const version = await read(join(own, fileOf(id, number)));
      if (version !== null) found.set(id, { ...version, number });
    }
    return found;
  }

  /** Returns false if another publisher has just taken this number. */
  async function write(environment: string, id: string, { number, ...content }: Numbered): Promise<boolean> {
    const own = join(folder ?? "", environment);
    await mkdir(own, { recursive: true });
    const draft = join(own, `.${unguessable()}`);
    const handle = await open(draft, "wx");
    try {
      await handle.writeFile(JSON.stringify(content));
      await handle.sync();
      await link(draft, join(own, fileOf(id, number)));
    } catch (error) {
      if (Reflect.get(Object(error) as object, "code") === "EEXIST") return false;
      throw error;
    } finally {
      await handle.close();
      await unlink(draft);
    }
    const older = join(own, fileOf(id, number - 2));
    known.delete(older);
    await unlink(older).catch(() => undefined);
    return true;
  }

  async function change(
    environment: string,
    { name, subject }: Publisher,
    {
      id,
      seen,
      template,
    }: { readonly id: string; readonly seen: number; readonly template: Template | null },
  ): Promise<RelayedAnswer> {
    const all = await latest(environment);
    const before = all.get(id);
    const shown = before === undefined || before.template === null ? 0 : before.number;
    if (seen !== shown) return outdated(before);
    if (template === null && shown === 0) return refusal(404, `There is no published template "${id}".`);
    const published = [...all.values()].filter((each) => each.template !== null).length;
    if (shown === 0 && published >= mostPublished) {
      return refusal(409, `${mostPublished} templates are published already. Remove one first.`);
    }
    const number = (before?.number ?? 0) + 1;
    const content = { author: { name, subject }, publishedAt: new Date().toISOString(), template };
    if (!(await write(environment, id, { ...content, number }))) {
      return outdated((await latest(environment)).get(id));
    }
    const person = audit ? { name, subject } : {};
    log.info(
      { environment, template: id, version: number, ...person },
      template === null ? "removed a template" : "published a template",
    );
    return jsonAnswer(200, { id, version: number });
  }

  function route<Form extends { readonly session: string }>(
    what: "list" | "publish" | "remove",
    form: z.ZodType<Form>,
    act: (environment: string, person: Publisher, form: Form) => Promise<RelayedAnswer>,
  ): void {
    const isWriting = what !== "list";
    fastify.post<{ Params: { environment: string } }>(
      `/published-templates/${what}/:environment`,
      { bodyLimit: maxBodyBytes, onRequest: requireOwnPage },
      async ({ params: { environment }, body }, reply) => {
        const read = form.safeParse(body);
        if (!read.success || !environments.includes(environment)) {
          return sendAnswer(
            reply,
            refusal(400, "The request must contain a session and the template to publish or remove."),
          );
        }
        const person = await who(environment, read.data.session, { isAskedNow: isWriting });
        if (person.kind === "away") return sendAnswer(reply, awayRefusal());
        if (person.kind === "out") return sendAnswer(reply, sessionEnded());
        if (isWriting && (folder === null || !person.mayPublish)) {
          return sendAnswer(
            reply,
            refusal(403, "Only people with the role for templates may publish or remove them."),
          );
        }
        return sendAnswer(reply, await act(environment, person, read.data));
      },
    );
  }

  route("list", z.strictObject({ session }), async (environment, { mayPublish }) => {
    const templates = [...(await latest(environment)).values()].flatMap(({ template, number, author }) =>
      template === null ? [] : [{ template, version: number, author: author.name }],
    );
    return jsonAnswer(200, { templates, mayPublish: folder !== null && mayPublish });
  });

  route(
    "publish",
    z.strictObject({ session, version: seenVersion, template: z.unknown() }),
    async (environment, person, form) => {
      const { template, faults } = readTemplate(form.template);
      if (template === null) return refusal(400, `This can't be a template. ${faults.join(" ")}`);
      if (JSON.stringify(template).length > mostTemplateCharacters) {
        return refusal(400, `The template is longer than ${mostTemplateCharacters} characters.`);
      }
      const fault = whyUnpublishable(template);
      if (fault !== null) return refusal(400, fault);
      const { id } = template;
      if ((await administrators.list()).some((each) => each.id === id)) {
        return refusal(409, `The administrator has a template "${id}". Choose another title.`);
      }
      return change(environment, person, { id, seen: form.version, template });
    },
  );

  route(
    "remove",
    z.strictObject({ session, version: seenVersion, id: z.string().max(40) }),
    (environment, person, { id, version: seen }) => change(environment, person, { id, seen, template: null }),
  );
  await Promise.resolve();
}

function fileOf(id: string, number: number): string {
  return `template-${id}.${number}.json`;
}

/** Validates the file again, because people with write access to the folder may have changed it. */
function versionIn(text: string): Version | null {
  try {
    const { author, publishedAt, template } = JSON.parse(text) as Version;
    const checked = template === null ? null : readTemplate(template).template;
    if (template !== null && checked === null) return null;
    return {
      author: { name: author.name, subject: author.subject },
      publishedAt,
      template: checked,
    };
  } catch {
    return null;
  }
}

function outdated(now: Numbered | undefined): RelayedAnswer {
  const change =
    now === undefined || now.template === null
      ? "was removed meanwhile"
      : `was published by ${now.author.name} meanwhile`;
  return refusal(409, `This template ${change}. Look at the list, then decide again.`);
}
