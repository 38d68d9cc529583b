/** Every link and picture in the README, .github and docs leads to a file, and to a heading if it names one. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const root = join(__dirname, "..", "..");
const pages = [
  "README.md",
  ".github/SECURITY.md",
  ".github/CONTRIBUTING.md",
  ...readdirSync(join(root, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

/** Returns the anchors that a hosting site generates from headings. */
function anchorsOf(file: string): string[] {
  const headings = [...readFileSync(file, "utf8").matchAll(/^#+ (.+)$/gm)].map(([, words = ""]) => words);
  return headings.map((words) =>
    words
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

it.each(pages)("%s", (page) => {
  const text = readFileSync(join(root, page), "utf8").replace(/^```[\s\S]*?^```/gm, "");
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
  const dead = links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [path = "", anchor] = link.split("#");
    const file = path === "" ? join(root, page) : join(root, dirname(page), path);
    return !existsSync(file) || (anchor !== undefined && !anchorsOf(file).includes(anchor));
  });
  expect(dead).toEqual([]);
});

it("every picture is used", () => {
  const all = pages.map((page) => readFileSync(join(root, page), "utf8")).join("\n");
  const pictures = readdirSync(join(root, "docs", "images"));
  expect(pictures.filter((name) => !all.includes(`images/${name})`))).toEqual([]);
});
