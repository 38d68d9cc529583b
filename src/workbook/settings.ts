/** The names of what INV stores in a workbook: nothing secret, because workbooks are mailed around. */

/** Id of the environment that the workbook's values come from. */
export const environmentSetting = "inv.environment";
