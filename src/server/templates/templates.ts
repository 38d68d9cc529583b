/**
 * The plug-in of a team's templates: the administrators' folder, and those that people publish from the pane,
 * separately for each environment. Reading and writing those requires a session of the environment. Writing
 * also requires the role for templates, which the provider confirms each time.
 */
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { whyUnpublishable } from "../../domain/templates/constants";
import { readTemplate } from "../../domain/templates/read-template";
import type { Template } from "../../domain/templates/template";
import { jsonAnswer, notCached, refusal, type RelayedAnswer, sendAnswer } from "../answer";
import { requireOwnPage } from "../edge/own-page";
import { awayRefusal, sessionEnded } from "../relay/own-refusals";
import type { Named } from "../sign-in/sessions";
import type { SignIn } from "../sign-in/sign-in";
import { createTeamTemplates } from "./team-templates";
import { createTemplateVersions, maxVersionBytes, type Numbered } from "./template-versions";

export async function templates(fastify: FastifyInstance): Promise<void> {
  const { signIn } = fastify;
  const { config, log, clock } = fastify.core;
  const administrators = createTeamTemplates({ folder: config.templates ?? null, log, clock });
  fastify.get("/templates.json", notCached, async () => ({ templates: await administrators.list() }));
  if (signIn !== undefined) addPublishedTemplates(fastify, signIn.who, administrators);
  await Promise.resolve();
}

interface Change {
  readonly id: string;
  /** The version that the person saw, see `seenVersion`. */
  readonly seen: number;
  /** Null removes the template. */
  readonly template: Template | null;
}

const mostPublished = 100;

const session = z.string().max(100);
/**
 * The version that the person saw, or 0 for a new template. It keeps people from replacing a version that
 * they haven't seen.
 */
const seenVersion = z.int().min(0);

function addPublishedTemplates(
  fastify: FastifyInstance,
  who: SignIn["who"],
  /** Their IDs can't be published under. */
  administrators: { list(): Promise<readonly Template[]> },
): void {
  const { config, log } = fastify.core;
  const environments = config.environments.map(({ id }) => id);
  const audit = config.signIn?.audit ?? false;
  const folder = config.signIn?.templates?.folder ?? null;
  /** Null if publishing is off. */
  const versions = folder === null ? null : createTemplateVersions(folder, log);

  async function change(
    environment: string,
    { name, subject }: Named,
    { id, seen, template }: Change,
  ): Promise<RelayedAnswer> {
    if (versions === null) return forbidden();
    const all = await versions.latest(environment);
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
    const written = await versions.write(environment, id, { ...content, number });
    if (written === "taken") return outdated((await versions.latest(environment)).get(id));
    if (written === "failed") {
      return refusal(
        503,
        "The server couldn't save the template. Nothing has changed. Its administrator finds the reason in the log.",
      );
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
    act: (
      environment: string,
      person: Named & { readonly mayPublish: boolean },
      form: Form,
    ) => Promise<RelayedAnswer>,
  ): void {
    const isWriting = what !== "list";
    fastify.post<{ Params: { environment: string } }>(
      `/published-templates/${what}/:environment`,
      { bodyLimit: maxVersionBytes, onRequest: requireOwnPage },
      async ({ params: { environment }, body }, reply) => {
        const read = form.safeParse(body);
        if (!read.success || !environments.includes(environment)) {
          return sendAnswer(
            reply,
            refusal(400, "The request must contain a session and the template to publish or remove."),
          );
        }
        const admitted = await who(environment, read.data.session, { isAskedNow: isWriting });
        if (admitted.kind === "away") return sendAnswer(reply, awayRefusal());
        if (admitted.kind === "unconfirmed") return sendAnswer(reply, unconfirmed());
        if (admitted.kind === "out") return sendAnswer(reply, sessionEnded());
        if (isWriting && !admitted.session.mayPublish) return sendAnswer(reply, forbidden());
        return sendAnswer(reply, await act(environment, admitted.session, read.data));
      },
    );
  }

  route("list", z.strictObject({ session }), async (environment, { mayPublish }) => {
    const published = versions === null ? [] : [...(await versions.latest(environment)).values()];
    const templates = published.flatMap(({ template, number, author, publishedAt }) =>
      template === null ? [] : [{ template, version: number, author: author.name, publishedAt }],
    );
    return jsonAnswer(200, { templates, mayPublish: versions !== null && mayPublish });
  });

  route(
    "publish",
    z.strictObject({ session, version: seenVersion, template: z.unknown() }),
    async (environment, person, form) => {
      const { template, faults } = readTemplate(form.template);
      if (template === null) return refusal(400, `This can't be a template. ${faults.join(" ")}`);
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
}

/** The person's role may have changed since the provider was last asked. */
function unconfirmed(): RelayedAnswer {
  return refusal(
    503,
    "Your company's sign-in didn't confirm your role. Nothing was changed. Try again in a minute.",
  );
}

function forbidden(): RelayedAnswer {
  return refusal(403, "Only people with the role for templates may publish or remove them.");
}

function outdated(now: Numbered | undefined): RelayedAnswer {
  const change =
    now === undefined || now.template === null
      ? "was removed meanwhile"
      : `was published by ${now.author.name} meanwhile`;
  return refusal(409, `This template ${change}. Look at the list, then decide again.`);
}
