/**
 * `--check`: finds settings that the server would refuse at startup, or that would make it useless. Secrets
 * that can't be read are only warnings, because an administrator who runs the check by hand lacks the secrets
 * of the systemd unit.
 */
import { X509Certificate } from "node:crypto";
import { everyAddress } from "../edge/hosts";
import { ConfigError } from "./faults";
import { readSettings, type ServerConfig, type SettingsSource } from "./read";

export interface Checked {
  readonly config: ServerConfig;
  readonly warnings: readonly string[];
}

/** Throws a `ConfigError` that names every mistake. */
export function checkSettings(source: Omit<SettingsSource, "missing">, nowMs: number): Checked {
  const warnings: string[] = [];
  const config = readSettings({ ...source, missing: (fault) => void warnings.push(fault) });
  const faults: string[] = [];
  if (everyAddress.has(config.host) && config.hosts.length === 0) {
    faults.push(
      `hosts is empty, and host is "${config.host}": INV would answer only to this machine's own names.`,
    );
  }
  if (config.tls !== null) {
    const { validTo } = new X509Certificate(config.tls.cert);
    if (Date.parse(validTo) <= nowMs) faults.push(`tls.cert expired on ${validTo}.`);
  }
  if (faults.length > 0) throw new ConfigError(faults.join("\n"));
  return { config, warnings };
}
