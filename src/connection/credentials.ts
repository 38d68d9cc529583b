/** Cleans and compares credentials. */
import { type Credentials, isSession } from "../domain/environment";
import type { Connection } from "../engine/types";

/** Copied text often has blanks around it. */
export function withoutBlanks(typed: Credentials): Credentials {
  if (isSession(typed)) return typed;
  return { consumerId: typed.consumerId.trim(), clientSecret: typed.clientSecret.trim() };
}

/** The same environment, and the same credentials for it. */
export function isSameConnection(current: Connection | null, next: Connection): boolean {
  return (
    current?.environment.id === next.environment.id &&
    JSON.stringify(current.credentials) === JSON.stringify(next.credentials)
  );
}
