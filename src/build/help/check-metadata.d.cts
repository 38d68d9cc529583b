/** What is wrong with the metadata, in sentences; nothing when Excel will take it. */
export function metadataProblems(metadata: object): string[];
