/**
 * The environment of a supplier's own figures: which files the command line or the settings name, and who may read them. Files of the
 * command line are a trial on this machine, open to everybody who works on it. Those of the settings are open only with a secret.
 */
import { basename, resolve } from "node:path";
import { utcMinute } from "../../domain/dates";
import type { Accounts } from "../../embedded-service/backend";
import { createService, type Service, type ServiceOptions } from "../../embedded-service/service";
import { digestOf } from "../digest";
import { isLoopback } from "../edge/hosts";
import type { EmbeddedEnvironment } from "../environments";
import { ConfigError } from "../settings/config-error";
import type { ServerConfig } from "../settings/read";
import { createSecret } from "../sign-in/secret";
import { type FigureFiles, readFigures } from "./read-figures";

export interface OwnFigures extends FigureFiles {
  readonly id: string;
  readonly label: string;
  readonly clientId: string;
  /** The place of the client secret, or null for a trial, whose secret is public. */
  readonly secret: string | null;
}

/** For the administrator. */
export interface FiguresReport {
  readonly contents: string;
  readonly warnings: readonly string[];
}

export interface FiguresWorld {
  readonly environment: EmbeddedEnvironment;
  readonly service: Service;
  readonly report: FiguresReport;
}

/** @throws ConfigError if other machines reach a trial */
export function chooseFigures(
  { stock, events }: { readonly stock: string | null; readonly events: string | null },
  config: Pick<ServerConfig, "host" | "hosts" | "trustProxy" | "figures">,
): OwnFigures | null {
  if (stock === null) {
    const { figures } = config;
    return figures === undefined ? null : { ...figures, events: figures.events ?? null };
  }
  if (!isLoopback(config.host) || config.hosts.length > 0 || config.trustProxy.length > 0) {
    throw new ConfigError(
      "--stock is a trial on this machine: everybody who reaches the server can read its figures. " +
        'For a team, name the files in the configuration, under "figures".',
    );
  }
  // A workbook never shows one file's figures as another's.
  const digest = digestOf(resolve(stock))
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "")
    .slice(0, 8);
  const id = `file-${digest}`;
  return { id, label: basename(stock).slice(0, 60), clientId: id, secret: null, stock, events };
}

/** @throws ConfigError if a file can't be read */
export async function openFigures(
  own: OwnFigures,
  options: Omit<ServiceOptions, "backend" | "list" | "environment">,
): Promise<FiguresWorld> {
  const { id, label, clientId, secret: place } = own;
  const { figures, latestMs, warnings } = await readFigures(own, options.now());
  const publicSecret = `${id}-secret`;
  const readSecret = place === null ? async () => Promise.resolve(publicSecret) : createSecret(place);
  const supplier = { id, name: label };
  const accounts: Accounts = {
    find: (consumerId) =>
      Promise.resolve(consumerId === clientId ? { consumerId, subscribed: true, supplier } : null),
    checkSecret: async (consumerId, given) =>
      consumerId === clientId && digestOf(given) === digestOf(await readSecret()),
  };
  const service = createService({
    ...options,
    // Servers with one Redis accept each other's tokens, which nobody can make without the secret.
    ...(place !== null && { sealedWith: `${id} ${await readSecret()}` }),
    backend: figures.backend(accounts, options.now),
    list: () => Promise.resolve(figures.list(supplier)),
    environment: "file",
  });
  const account = { name: id, consumerId: clientId, clientSecret: publicSecret, supplierName: label };
  return {
    environment: {
      ...{ id, label, kind: "file" },
      ...(place === null && { accounts: [account] }),
    },
    service,
    report: {
      contents: `${label}: ${figures.items.length} items, ${figures.stores.size} stores, the latest figure of ${utcMinute(latestMs)} UTC.`,
      warnings,
    },
  };
}
