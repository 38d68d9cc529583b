/** Returns what is wrong with the metadata, as sentences. */
export function metadataProblems(metadata: object): string[];
