/**
 * The environment of a supplier's own figures: the files that the command line names, for everybody who works on this machine. Its
 * credentials are public, so INV serves it to no other machine.
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
import { type FigureFiles, readFigures } from "./read-figures";

export interface OwnFigures extends FigureFiles {
  readonly id: string;
  readonly label: string;
}

/** For the person who starts the server. */
export interface FiguresReport {
  readonly contents: string;
  readonly warnings: readonly string[];
}

export interface FiguresWorld {
  readonly environment: EmbeddedEnvironment;
  readonly service: Service;
  readonly report: FiguresReport;
}

/** @throws ConfigError if other machines reach the server */
export function chooseFigures(
  { stock, events }: { readonly stock: string | null; readonly events: string | null },
  config: Pick<ServerConfig, "host" | "hosts" | "trustProxy">,
): OwnFigures | null {
  if (stock === null) return null;
  if (!isLoopback(config.host) || config.hosts.length > 0 || config.trustProxy.length > 0) {
    throw new ConfigError(
      "--stock works only on this machine, because everybody who reaches the server can read its figures. " +
        "Leave host, hosts and trustProxy out of the configuration.",
    );
  }
  // A workbook never shows one file's figures as another's.
  const digest = digestOf(resolve(stock))
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "")
    .slice(0, 8);
  return { id: `file-${digest}`, label: basename(stock).slice(0, 60), stock, events };
}

/** @throws ConfigError if a file can't be read */
export async function openFigures(
  ownFigures: OwnFigures,
  options: Omit<ServiceOptions, "backend" | "list" | "environment">,
): Promise<FiguresWorld> {
  const { id, label } = ownFigures;
  const { figures, latestMs, warnings } = await readFigures(ownFigures, options.now());
  const supplier = { id, name: label };
  const account = { name: id, consumerId: id, clientSecret: `${id}-secret`, supplierName: label };
  const accounts: Accounts = {
    find: (consumerId) =>
      Promise.resolve(consumerId === id ? { consumerId, subscribed: true, supplier } : null),
    checkSecret: (consumerId, given) => Promise.resolve(consumerId === id && given === account.clientSecret),
  };
  const service = createService({
    ...options,
    backend: figures.backend(accounts, options.now),
    list: () => Promise.resolve(figures.list(supplier)),
    environment: "file",
  });
  return {
    environment: { id, label, kind: "file", accounts: [account] },
    service,
    report: {
      contents: `${label}: ${figures.items.length} items, ${figures.stores.size} stores, the latest figure of ${utcMinute(latestMs)} UTC.`,
      warnings,
    },
  };
}
