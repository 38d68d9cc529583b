export function checkManifest(
  manifest: string,
  facts: {
    readonly production: boolean;
    readonly read: (path: string) => Buffer | null;
    readonly bundle: string;
  },
): string[];
