/** The help in the pane: a search over functions and topics, and the chosen entry. The build writes the text. */
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { LoadStatus } from "../parts/load-status";
import { Button } from "../parts/parts";
import type { PaneServices } from "../services";
import { useLoaded } from "../parts/use-source";
import { findHelp, type HelpEntry, type HelpPart, readHelp } from "./entries";

export function HelpPanel(props: {
  services: PaneServices;
  /** The entry to show. Each request is a new object, so that the same entry can be shown again. */
  wanted: { readonly help: string | null };
  onClose: () => void;
}) {
  const { services, wanted, onClose } = props;
  const help = useLoaded(async () => readHelp(await services.readJson("help/help.json")), []);
  const [query, setQuery] = useState("");
  const [chosenId, setChosenId] = useState(wanted.help);
  const start = useRef<HTMLElement>(null);
  const entries = help.value;
  const chosen = entries?.find(({ id }) => id === chosenId) ?? null;

  useEffect(() => setChosenId(wanted.help), [wanted]);
  // Focus moves to where reading starts: the heading of an entry, or the search.
  useEffect(() => start.current?.focus(), [entries, chosen, wanted]);

  return (
    <div
      class="panel help"
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
      }}
    >
      <div class="help-line">
        {chosen ? <Button onClick={() => setChosenId(null)}>All help</Button> : null}
        <Button onClick={onClose}>Close help</Button>
      </div>
      <LoadStatus loaded={help} />
      {chosen ? <EntryText entry={chosen} heading={start} /> : null}
      {entries !== null && chosen === null ? (
        <>
          <label class="help-search">
            Search help
            <input
              class="control"
              type="search"
              value={query}
              ref={(element) => void (start.current = element)}
              onInput={(event) => setQuery(event.currentTarget.value)}
            />
          </label>
          <Found entries={findHelp(entries, query)} query={query} onChoose={setChosenId} />
        </>
      ) : null}
    </div>
  );
}

function Found(props: { entries: readonly HelpEntry[]; query: string; onChoose: (id: string) => void }) {
  const { entries, query, onChoose } = props;
  return (
    <>
      <p class="spoken" role="status">
        {query === "" ? "" : `${entries.length} found`}
      </p>
      {entries.length === 0 ? <p class="empty">No help contains all of these words. Try fewer.</p> : null}
      <ul class="links">
        {entries.map(({ id, title }) => (
          <li key={id}>
            <button type="button" class="link" onClick={() => onChoose(id)}>
              {title}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

function EntryText(props: { entry: HelpEntry; heading: RefObject<HTMLElement | null> }) {
  const { entry, heading } = props;
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

function marked(text: string) {
  return text.split("`").map((piece, index) => (index % 2 === 0 ? piece : <code key={index}>{piece}</code>));
}
