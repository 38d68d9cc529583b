/**
 * The small pieces that every tab uses: messages, buttons, sections, folds and facts. None keeps state of the add-in. Messages
 * show their kind by icon and words, not by colour alone.
 */
import type { ComponentChildren, TargetedMouseEvent } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { count } from "../../domain/number-words";

export type Intent = "info" | "success" | "warning" | "error";

const iconPaths: Record<Intent, string> = {
  info: "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1Zm-.75 6h1.5v5h-1.5V7Zm0-3h1.5v1.6h-1.5V4Z",
  success: "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1Zm3.6 5.1-4.3 4.6-2.7-2.7 1-1 1.6 1.6 3.4-3.5 1 1Z",
  warning: "M8 1.5 15.2 14H.8L8 1.5ZM7.25 6v4h1.5V6h-1.5Zm0 5v1.5h1.5V11h-1.5Z",
  error:
    "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1ZM5.5 4.5 8 7l2.5-2.5 1 1L9 8l2.5 2.5-1 1L8 9l-2.5 2.5-1-1L7 8 4.5 5.5l1-1Z",
};

const spoken: Record<Intent, string> = { info: "", success: "", warning: "Warning: ", error: "Error: " };

function Icon({ intent }: { intent: Intent }) {
  return (
    <svg class={`icon icon-${intent}`} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={iconPaths[intent]} fill-rule="evenodd" fill="currentColor" />
    </svg>
  );
}

/** What a person can do, keyed by the label of the button; null omits a button. */
export type Actions = Readonly<Record<string, (() => void) | null>>;

export interface ActionsProps {
  actions: Actions;
  disabled?: boolean;
  /** While the work of a button runs. The buttons keep the focus, and ignore clicks. */
  isBusy?: boolean;
  /** Highlights the first button, the one that a person probably wants. */
  primary?: boolean;
  quiet?: boolean;
}

/** A message in the pane. The live region around it announces it to screen readers. */
export function Message({
  intent,
  children,
  actions,
  ...how
}: Omit<ActionsProps, "actions"> & { actions?: Actions; intent: Intent; children: ComponentChildren }) {
  return (
    <div class={`message message-${intent}`}>
      <Icon intent={intent} />
      <span>
        <span class="spoken">{spoken[intent]}</span>
        {children}
      </span>
      {actions && Object.values(actions).some((act) => act !== null) ? (
        <span class="actions">
          <ButtonRow {...how} actions={actions} quiet />
        </span>
      ) : null}
    </div>
  );
}

export function Buttons(props: ActionsProps) {
  return (
    <div class="buttons">
      <ButtonRow {...props} />
    </div>
  );
}

/** The key is the position in the row, so that a button keeps the focus when its label changes. */
function ButtonRow({ actions, primary, ...how }: ActionsProps) {
  const entries = Object.entries(actions);
  const first = entries.findIndex(([, act]) => act !== null);
  return (
    <>
      {entries.map(([words, act], index) =>
        act === null ? null : (
          <Button key={index} {...how} primary={primary === true && index === first} onClick={act}>
            {words}
          </Button>
        ),
      )}
    </>
  );
}

/** Fields and, below them, the button that Enter presses. Its work and its status belong to the caller. */
export function Form(
  props: Omit<ActionsProps, "actions"> & {
    submit: string;
    onSubmit: () => void;
    /** Ends what runs, so it works meanwhile. */
    onCancel?: () => void;
    children: ComponentChildren;
  },
) {
  const { submit, onSubmit, onCancel, children, primary = false, ...how } = props;
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
      <div class="buttons">
        <Button {...how} primary={primary} submit>
          {submit}
        </Button>
        {onCancel === undefined ? null : (
          <Button quiet onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  );
}

/** A progress bar. It has no value while the total is unknown, and is `held` while nothing moves. */
export function ProgressBar({
  label,
  max,
  value,
  held,
}: {
  label: string;
  max: number;
  value?: number;
  held?: boolean;
}) {
  return <progress class={held ? "bar bar-held" : "bar"} aria-label={label} max={max} value={value} />;
}

/** A part of a panel. It omits the title if the name of the view already says what it is. */
export function Section({ title, children }: { title?: string; children: ComponentChildren }) {
  return (
    <section class="section">
      {title === undefined ? null : <h2>{title}</h2>}
      {children}
    </section>
  );
}

/**
 * A heading that opens to its contents, which are drawn only while it is open, or from the first opening on if it `keeps` them.
 * Each new object in `openRequest` opens it and gives it the focus, once its tab is visible.
 */
export function Fold({
  title,
  children,
  openRequest = null,
  active = true,
  keeps = false,
}: {
  title: ComponentChildren;
  children: () => ComponentChildren;
  openRequest?: object | null;
  active?: boolean;
  /** For contents with typed text, or with work that continues while the fold is closed. */
  keeps?: boolean;
}) {
  const [open, setOpen] = useState(false);
  const summary = useRef<HTMLElement>(null);
  const served = useRef<object | null>(null);
  const wasOpen = useRef(false);
  if (open) wasOpen.current = true;
  useEffect(() => {
    if (openRequest === null || !active || served.current === openRequest) return;
    served.current = openRequest;
    setOpen(true);
    summary.current?.scrollIntoView({ block: "start" });
    summary.current?.focus();
  }, [openRequest, active]);
  return (
    <details class="fold" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary ref={summary}>{title}</summary>
      {(open && active) || (keeps && wasOpen.current) ? <div class="fold-content">{children()}</div> : null}
    </details>
  );
}

export function Button(props: {
  onClick?: (() => void) | undefined;
  children: ComponentChildren;
  primary?: boolean;
  quiet?: boolean;
  disabled?: boolean | undefined;
  isBusy?: boolean;
  submit?: boolean;
}) {
  const pressedText = useRef<string | null>(null);

  function press(event: TargetedMouseEvent<HTMLButtonElement>): void {
    const text = event.currentTarget.textContent;
    // The second click of a double-click must not press what the button has turned into, such as Cancel.
    const isUnseen = event.detail > 1 && text !== pressedText.current;
    pressedText.current = text;
    if (props.isBusy || isUnseen) event.preventDefault();
    else props.onClick?.();
  }

  return (
    <button
      type={props.submit ? "submit" : "button"}
      class={`button${props.primary ? " button-primary" : ""}${props.quiet ? " button-small" : ""}`}
      disabled={props.disabled}
      aria-disabled={props.isBusy ? true : undefined}
      onClick={press}
    >
      {props.children}
    </button>
  );
}

export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export interface Row {
  readonly key: string;
  readonly line: ComponentChildren;
}

/** The pane's list: its lines, and below them the number of those that it doesn't show. */
export function Rows(props: {
  rows: readonly Row[];
  all: number;
  label?: string | undefined;
  /** Lines without buttons: then the list itself can be focused, so that the keyboard scrolls it. */
  isText?: boolean;
}) {
  const { rows, all, label, isText = false } = props;
  return (
    <>
      <ul class="rows" aria-label={label} tabIndex={isText ? 0 : undefined}>
        {rows.map(({ key, line }) => (
          <li key={key}>{line}</li>
        ))}
      </ul>
      {all > rows.length ? <p class="hint">and {count(all - rows.length)} more</p> : null}
    </>
  );
}
