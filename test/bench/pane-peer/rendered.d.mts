export function reportRendered(): void;
