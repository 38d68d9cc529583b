/** Text as wide as Excel's own at 11 points, for which column widths are given. */
export const cellStyle = { ff: "Arial", fs: 10 };
