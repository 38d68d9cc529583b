/** Frames a line so that it stands out in the terminal, for example about fault switches. */
export function banner(line: string): string {
  const rule = "!".repeat(Math.min(100, line.length + 8));
  return `\n${rule}\n!!  ${line}\n${rule}\n`;
}
