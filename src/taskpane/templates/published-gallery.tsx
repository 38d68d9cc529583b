/** Templates that colleagues have published, with who did and when. People with the role `templates` can remove them. */
import { useState } from "preact/hooks";
import type { Template } from "../../domain/templates/template";
import type { PublishedTemplate } from "../../connection/published-templates";
import { ActionStatus, useAction } from "../parts/action";
import { Buttons, Message, Section } from "../parts/parts";
import { timeOfDay } from "../parts/words";
import { useLoaded } from "../parts/use-observable";
import type { PaneServices } from "../services";
import { Gallery } from "./gallery";

export function PublishedGallery(props: {
  services: PaneServices;
  /** When this value changes, the component reads the list again. */
  round: unknown;
  onChoose: (template: Template) => void;
}) {
  const { services, round, onChoose } = props;
  const { published, clock } = services;
  const list = useLoaded(async () => (await published()).list(), [published, round]);
  /** The template that the person is asked about. */
  const [toRemove, setToRemove] = useState<PublishedTemplate | null>(null);
  const removing = useAction();

  function remove({ template, version }: PublishedTemplate): void {
    setToRemove(null);
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
              const published = templates.find((each) => each.template === template);
              if (published === undefined) return null;
              return `Published by ${published.author}, ${timeOfDay(published.publishedAtMs, clock.now())}.`;
            }}
          />
          {mayPublish ? (
            // The question has buttons of its own: a key that repeats on a button before must not answer it.
            <Buttons
              key={toRemove?.template.id}
              quiet
              isBusy={removing.busyText !== null}
              actions={
                toRemove === null
                  ? Object.fromEntries(
                      templates.map((each) => [`Remove ${each.template.title}`, () => setToRemove(each)]),
                    )
                  : {
                      "Keep it": () => setToRemove(null),
                      [`Remove ${toRemove.template.title} for everybody`]: () => remove(toRemove),
                    }
              }
            />
          ) : null}
        </Section>
      )}
      <ActionStatus action={removing} />
    </>
  );
}
