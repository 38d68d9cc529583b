/** One entry of the help, as text: the same as its page says. */
import type { RefObject } from "preact";
import type { HelpEntry, HelpPart } from "./entries";

interface EntryTextProps {
  entry: HelpEntry;
  /** Takes the keyboard when the entry comes into view. */
  heading: RefObject<HTMLElement | null>;
}

export function EntryText({ entry, heading }: EntryTextProps) {
  const { id, title, lead, sections } = entry;
  return (
    <article>
      <h2 tabIndex={-1} ref={(element) => void (heading.current = element)}>
        {title}
      </h2>
      {lead === "" ? null : <p>{marked(lead)}</p>}
      {sections.map((section) => (
        <section key={section.heading}>
          {section.heading === "" ? null : <h3>{section.heading}</h3>}
          {section.parts.map((part, index) => (
            <Part key={index} part={part} />
          ))}
        </section>
      ))}
      <p>
        <a href={`/help/${id}.html`} target="_blank" rel="noopener">
          As a page of its own
        </a>
      </p>
    </article>
  );
}

function Part({ part }: { part: HelpPart }) {
  if (typeof part === "string") return <p>{marked(part)}</p>;
  return (
    <dl>
      {part.pairs.map(([term, text]) => (
        <div key={term}>
          <dt>{marked(term)}</dt>
          <dd>{marked(text)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What stands in backticks is code. */
function marked(text: string) {
  return text.split("`").map((piece, index) => (index % 2 === 0 ? piece : <code key={index}>{piece}</code>));
}
