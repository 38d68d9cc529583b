/** The plug-in of a team's templates: the administrators' folder, and those that people publish from the pane. */
import type { FastifyInstance } from "fastify";
import { notCached } from "../answer";
import { publishedTemplates } from "./published-templates";
import { createTeamTemplates } from "./team-templates";

export async function templates(fastify: FastifyInstance): Promise<void> {
  const { signIn } = fastify;
  const { config, log, clock } = fastify.core;
  const administrators = createTeamTemplates({ folder: config.templates ?? null, log, clock });
  fastify.get("/templates.json", notCached, async () => ({ templates: await administrators.list() }));
  if (signIn === undefined) return;
  await fastify.register(publishedTemplates, {
    folder: config.signIn?.templates?.folder ?? null,
    environments: config.environments.map(({ id }) => id),
    who: signIn.who,
    administrators,
    log,
    audit: config.signIn?.audit ?? false,
  });
}
