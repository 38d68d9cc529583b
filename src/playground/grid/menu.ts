/**
 * What the grid's menus do not offer here: what needs Univer's own server (protection, permissions),
 * and looks that a stock workbook does not need. Keys are the grid's command ids.
 */

const hiddenCommands: readonly string[] = [];

export const hiddenMenuItems = Object.fromEntries(hiddenCommands.map((id) => [id, { hidden: true }]));
