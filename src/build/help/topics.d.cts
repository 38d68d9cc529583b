export interface HelpTopic {
  readonly id: string;
  readonly title: string;
  readonly parts: readonly unknown[];
}

export interface Shortcuts {
  readonly shortcuts: readonly { readonly action: string; readonly key: { readonly default: string } }[];
}

export function helpTopics(
  shortcuts: Shortcuts,
  names: Readonly<Record<string, { readonly value: string }>>,
): HelpTopic[];
