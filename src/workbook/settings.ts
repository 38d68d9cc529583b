/** Names of the settings that INV stores in a workbook. They contain no secrets, because people send workbooks. */

export const environmentSetting = "inv.environment";

/** As-of time of the oldest value in the workbook, ISO 8601 in UTC. */
export const asOfSetting = "inv.as-of";

/**
 * A random ID. Under this ID, a device remembers that this workbook may use the remembered credentials. Templates don't contain it.
 */
export const consentIdSetting = "inv.mark";

/**
 * A random ID. Under this ID, a device remembers how often this workbook refreshes automatically. It is a separate ID, because INV
 * replaces the other one when a person allows somebody else's workbook.
 */
export const autoRefreshIdSetting = "inv.auto-refresh";
