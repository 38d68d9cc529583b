/** Environments for the connection's tests. */
import type { Environment, EnvironmentKind, UnconfiguredEnvironment } from "../../src/domain/environment";

export function anEnvironment(id: string, kind: EnvironmentKind): Environment {
  return {
    id,
    label: id,
    kind,
    tokenUrl: `https://inv.example/relay/${id}/token`,
    searchUrl: `https://inv.example/relay/${id}/search-items`,
    eventsUrl: `https://inv.example/relay/${id}/events`,
    quota: { search: 600, events: 600 },
    credentials: "user",
    ...(kind === "demo"
      ? {
          accounts: [
            { name: "demo", supplierName: "Demo Foods", consumerId: "demo-id", clientSecret: "demo-secret" },
            {
              name: "rival",
              supplierName: "Rival Foods",
              consumerId: "rival-id",
              clientSecret: "rival-secret",
            },
          ],
        }
      : {}),
  };
}

export function notSetUp(id: string, kind: EnvironmentKind): UnconfiguredEnvironment {
  return { id, label: id, kind, configured: false, missing: "Ask your administrator." };
}
