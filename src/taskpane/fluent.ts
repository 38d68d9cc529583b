/**
 * Registers the Fluent components of the pane, and their types for JSX. Other controls are the browser's own: they need no
 * script, and Fluent's drop-down fails the accessibility rules. Runs after the pane's first frame, which `first-frame.css`
 * draws without it.
 */
import "@fluentui/web-components/button/define.js";
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

interface TablistProps extends HTMLAttributes {
  activeid?: string;
  size?: "small" | "medium" | "large";
  appearance?: "subtle" | "transparent";
}

interface TextInputProps extends HTMLAttributes {
  type?: "text" | "password";
  value?: string;
  required?: boolean;
  disabled?: boolean;
  autocomplete?: string;
}

declare module "preact" {
  // JSX knows custom elements only by its namespace.
  // eslint-disable-next-line @typescript-eslint/no-namespace
  namespace JSX {
    interface IntrinsicElements {
      "fluent-button": ButtonProps;
      "fluent-tab": HTMLAttributes;
      "fluent-tablist": TablistProps;
      "fluent-text-input": TextInputProps;
    }
  }
}
