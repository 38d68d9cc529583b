/** The names of what INV stores in a workbook: nothing secret, because workbooks are mailed around. */

/** Id of the environment that the workbook's values come from. */
export const environmentSetting = "inv.environment";

/** As-of time of the oldest value in the workbook, ISO 8601 in UTC. */
export const asOfSetting = "inv.as-of";

/** `offer` in a workbook that was prepared to mail: whoever opens it is asked once whether to thaw. */
export const mailedSetting = "inv.mailed";

/**
 * The random mark under which a device keeps that this workbook may use remembered credentials. It belongs to
 * this one workbook: templates do not carry it.
 */
export const markSetting = "inv.mark";

/**
 * The random mark under which a device keeps how often this workbook is refreshed by itself. Of its own, because
 * the other is replaced when somebody else's workbook is allowed.
 */
export const autoRefreshSetting = "inv.auto-refresh";
