/** Opens a template file that somebody has sent, checked as a published one is. */
import { InvError } from "../../domain/errors";
import { readTemplateText } from "../../domain/templates/read-template";
import { mostTemplateCharacters, type Template, templateEnding } from "../../domain/templates/template";
import { ActionStatus, useAction } from "../parts/action";
import { Field } from "../parts/fields";

export function OpenTemplate({ onChoose }: { readonly onChoose: (template: Template) => void }) {
  const opening = useAction();

  async function open(file: File): Promise<null> {
    // A letter takes up to four bytes. What is longer isn't read at all.
    const text = await file.slice(0, 4 * mostTemplateCharacters + 1).text();
    const { template, faults } = readTemplateText(text);
    if (template === null) {
      throw new InvError(
        "not-possible",
        `INV can't use "${file.name.slice(0, 60)}": ${faults[0].slice(0, 150)}`,
      );
    }
    onChoose(template);
    return null;
  }

  return (
    <>
      <Field id="inv-open-template" label={`A file that ends with ${templateEnding}`}>
        <input
          id="inv-open-template"
          class="control"
          type="file"
          accept=".json,application/json"
          onChange={({ currentTarget }) => {
            const file = currentTarget.files?.[0];
            // The same file can be chosen again after it was corrected.
            currentTarget.value = "";
            if (file !== undefined) opening.run(() => open(file));
          }}
        />
      </Field>
      <ActionStatus action={opening} />
    </>
  );
}
