/** Text in this style is as wide as in Excel's default style at 11 points, for which column widths are given. */
export const cellStyle = { ff: "Arial", fs: 10 };
