/**
 * The help within the pane: a search over functions and topics, and the entry that was chosen or asked for. It
 * stands in place of the tabs until it is closed. A chunk of its own; what it says comes from the build.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { toInvError } from "../../domain/errors";
import { Button, Message } from "../parts/parts";
import type { PaneServices } from "../services";
import { useAlive } from "../parts/use-source";
import { findHelp, type HelpEntry, readHelp } from "./entries";
import { EntryText } from "./entry-text";

interface HelpPanelProps {
  services: PaneServices;
  /** What is asked for: another object each time, so that the same is shown again. */
  wanted: { readonly help: string | null };
  onClose: () => void;
}

export function HelpPanel({ services, wanted, onClose }: HelpPanelProps) {
  const [entries, setEntries] = useState<readonly HelpEntry[] | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [query, setQuery] = useState("");
  const [chosenId, setChosenId] = useState(wanted.help);
  const alive = useAlive();
  const start = useRef<HTMLElement>(null);
  const chosen = entries?.find(({ id }) => id === chosenId) ?? null;

  function load(): void {
    setFailure(null);
    services
      .readJson("help/help.json")
      .then(readHelp)
      .then(
        (read) => alive.current && setEntries(read),
        (error: unknown) => alive.current && setFailure(toInvError(error).message),
      );
  }

  useEffect(load, []);
  useEffect(() => setChosenId(wanted.help), [wanted]);
  // The keyboard goes where reading begins: the heading of an entry, or the search.
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
      {failure === null ? null : (
        <div role="alert">
          <Message intent="error" actions={<Button onClick={load}>Try again</Button>}>
            {failure}
          </Message>
        </div>
      )}
      {entries === null && failure === null ? <p role="status">Loading…</p> : null}
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

interface FoundProps {
  entries: readonly HelpEntry[];
  query: string;
  onChoose: (id: string) => void;
}

function Found({ entries, query, onChoose }: FoundProps) {
  return (
    <>
      <p class="spoken" role="status">
        {query === "" ? "" : `${entries.length} found`}
      </p>
      {entries.length === 0 ? <p class="empty">Nothing holds all of these words. Try fewer.</p> : null}
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
