/**
 * The Fluent components the pane uses, registered one by one so that only these are in the bundle, and
 * their types for JSX. Selects, check boxes, radio buttons and number fields are the browser's own,
 * coloured by the same tokens: Fluent's drop-down fails the accessibility rules.
 */
import "@fluentui/web-components/button/define.js";
import "@fluentui/web-components/message-bar/define.js";
import "@fluentui/web-components/progress-bar/define.js";
import "@fluentui/web-components/tab/define.js";
import "@fluentui/web-components/tablist/define.js";
import "@fluentui/web-components/text-input/define.js";
import type { HTMLAttributes } from "preact";

interface ButtonProps extends HTMLAttributes {
  appearance?: "primary" | "outline" | "subtle" | "transparent";
  size?: "small" | "medium" | "large";
  type?: "button" | "submit";
  disabled?: boolean;
}

interface MessageBarProps extends HTMLAttributes {
  intent?: "info" | "success" | "warning" | "error";
  layout?: "singleline" | "multiline";
}

interface ProgressBarProps extends HTMLAttributes {
  value?: number;
  max?: number;
  thickness?: "medium" | "large";
  "validation-state"?: "success" | "warning" | "error";
}

interface TablistProps extends HTMLAttributes {
  activeid?: string;
  size?: "small" | "medium" | "large";
  appearance?: "subtle" | "transparent";
}

interface TextInputProps extends Omit<HTMLAttributes, "spellcheck"> {
  type?: "text" | "password";
  value?: string;
  required?: boolean;
  disabled?: boolean;
  autocomplete?: string;
  /** As text: given the boolean, Fluent's field throws while it is drawn. */
  spellcheck?: "false";
}

declare module "preact" {
  // The one way to tell JSX about custom elements is to add to its namespace.
  // eslint-disable-next-line @typescript-eslint/no-namespace
  namespace JSX {
    interface IntrinsicElements {
      "fluent-button": ButtonProps;
      "fluent-message-bar": MessageBarProps;
      "fluent-progress-bar": ProgressBarProps;
      "fluent-tab": HTMLAttributes;
      "fluent-tablist": TablistProps;
      "fluent-text-input": TextInputProps;
    }
  }
}
