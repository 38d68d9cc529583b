/** Lines that nobody can overlook in a log: the fault switches are on, or were turned off. */
export function banner(line: string): string {
  const rule = "!".repeat(Math.min(100, line.length + 8));
  return `\n${rule}\n!!  ${line}\n${rule}\n`;
}
