/** Cleans and compares credentials. */
import { type Credentials, isSession } from "../domain/environment";
import type { Connection } from "../engine/types";

/** Removes surrounding spaces, which copied text often has. */
export function withoutBlanks(typed: Credentials): Credentials {
  if (isSession(typed)) return typed;
  return { consumerId: typed.consumerId.trim(), clientSecret: typed.clientSecret.trim() };
}

export function isSameConnection(current: Connection | null, next: Connection): boolean {
  return (
    current?.environment.id === next.environment.id &&
    JSON.stringify(current.credentials) === JSON.stringify(next.credentials)
  );
}
