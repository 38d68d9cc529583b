export function reportRendered(elements: readonly string[]): Promise<void>;
