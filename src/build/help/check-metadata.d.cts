export function metadataProblems(metadata: object): string[];
