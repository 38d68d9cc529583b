/** Returns the faults of the metadata as sentences. */
export function metadataProblems(metadata: object): string[];
