/** Native controls with their labels: a text field, a check box, a list, and radio buttons. */
import type { ComponentChildren, InputHTMLAttributes } from "preact";

/** A label above a native control whose id is `id`; the hint is tied to it by `<id>-hint`. */
export function Field(props: { id: string; label: string; children: ComponentChildren; hint?: string }) {
  const { id, hint } = props;
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      {props.children}
      {hint ? (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
    </div>
  );
}

type TextAttribute = "value" | "placeholder" | "maxLength" | "aria-describedby" | "aria-invalid";

export function TextField({
  id,
  label,
  isSecret = false,
  onText,
  children,
  ...input
}: Pick<InputHTMLAttributes, TextAttribute> & {
  id: string;
  label: string;
  isSecret?: boolean;
  onText: (text: string) => void;
  children?: ComponentChildren;
}) {
  return (
    <Field id={id} label={label}>
      <input
        {...input}
        {...(isSecret ? { type: "password" as const } : { type: "text" as const })}
        id={id}
        class="control"
        spellcheck={false}
        autocomplete="off"
        onInput={(event) => onText(event.currentTarget.value)}
      />
      {children}
    </Field>
  );
}

export function CheckBox(props: {
  label: string;
  hint?: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={props.checked}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
      <span>
        {props.label}
        {props.hint ? <span class="hint">{props.hint}</span> : null}
      </span>
    </label>
  );
}

export function Select<T extends string>(props: {
  id: string;
  label: string;
  value: T;
  options: readonly { value: T; label: string }[];
  onChange: (value: T) => void;
  hint?: string;
}) {
  const { id, label, value, options, hint } = props;
  return (
    <Field id={id} label={label} {...(hint ? { hint } : {})}>
      <select
        id={id}
        class="control"
        value={value}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => props.onChange(event.currentTarget.value as T)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.label}
          </option>
        ))}
      </select>
    </Field>
  );
}

export function Choice<T extends string>(props: {
  name: string;
  legend: ComponentChildren;
  value: T;
  options: readonly { value: T; label: string; hint?: string }[];
  onChange: (value: T) => void;
}) {
  return (
    <fieldset class="choice">
      <legend>{props.legend}</legend>
      {props.options.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            name={props.name}
            value={option.value}
            checked={option.value === props.value}
            onChange={() => props.onChange(option.value)}
          />
          <span>
            {option.label}
            {option.hint ? <span class="hint"> {option.hint}</span> : null}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
