/** The templates as cards: a picture, the title and what it is for. A click opens the form of the template. */
import type { Template } from "../../domain/templates/template";
import { TemplatePicture } from "./template-picture";

export function Gallery(props: {
  templates: readonly Template[];
  onChoose: (template: Template) => void;
  note?: (template: Template) => string | null;
}) {
  return (
    <ul class="gallery">
      {props.templates.map((template) => (
        <li key={template.id}>
          <button type="button" class="template-card" onClick={() => props.onChoose(template)}>
            <TemplatePicture template={template} />
            <span>
              <span class="template-title">{template.title}</span>
              <span class="hint">{template.summary}</span>
              {props.note ? <span class="hint">{props.note(template)}</span> : null}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
