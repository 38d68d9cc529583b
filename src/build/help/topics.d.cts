export interface HelpTopic {
  readonly id: string;
  readonly title: string;
  /** Words for the search, besides those of the text. */
  readonly words: string;
  readonly parts: readonly unknown[];
}

/** assets/shortcuts.json. */
export interface Shortcuts {
  readonly shortcuts: readonly { readonly action: string; readonly key: { readonly default: string } }[];
}

export function helpTopics(
  shortcuts: Shortcuts,
  names: Readonly<Record<string, { readonly value: string }>>,
): HelpTopic[];
