/** What colleagues have published: chosen like any template, and removed by whoever has the role. */
import { useState } from "preact/hooks";
import type { Template } from "../../domain/templates/template";
import type { PublishedTemplate } from "../../connection/published-templates";
import { Told, useAction } from "../parts/action";
import { Button, Message, Section } from "../parts/parts";
import { useLoaded } from "../parts/use-source";
import type { PaneServices } from "../services";
import { Gallery } from "./gallery";

export interface PublishedGalleryProps {
  services: PaneServices;
  /** Read again when it changes. */
  round: unknown;
  onChoose: (template: Template) => void;
}

export function PublishedGallery({ services, round, onChoose }: PublishedGalleryProps) {
  const { published } = services;
  const list = useLoaded(async () => (await published()).list(), [published, round]);
  const [asked, setAsked] = useState<PublishedTemplate | null>(null);
  const removing = useAction();

  function remove({ template, version }: PublishedTemplate): void {
    setAsked(null);
    removing.run(async () => {
      await (await published()).remove(template.id, version).finally(() => list.again());
      return `"${template.title}" is removed for everybody.`;
    });
  }

  const { templates, mayPublish } = list.value ?? { templates: [], mayPublish: false };
  return (
    <>
      {list.error === null ? null : (
        <Message intent="warning">Published templates: {list.error.message}</Message>
      )}
      {templates.length === 0 ? null : (
        <Section title="Published by your team">
          <Gallery
            templates={templates.map(({ template }) => template)}
            onChoose={onChoose}
            note={(template) => {
              const own = templates.find((each) => each.template === template);
              return own === undefined ? null : `Published by ${own.author}.`;
            }}
          />
          {mayPublish ? (
            <div class="buttons">
              {asked === null ? (
                templates.map((each) => (
                  <Button key={each.template.id} quiet onClick={() => setAsked(each)}>
                    Remove {each.template.title}
                  </Button>
                ))
              ) : (
                <>
                  <Button quiet onClick={() => remove(asked)}>
                    Remove {asked.template.title} for everybody
                  </Button>
                  <Button quiet onClick={() => setAsked(null)}>
                    Keep it
                  </Button>
                </>
              )}
            </div>
          ) : null}
        </Section>
      )}
      <Told action={removing} />
    </>
  );
}
