/** The notices and the bill of materials contain every package that INV distributes, and no other. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(__dirname, "..", "..");
const app = join(root, "dist", "app");
const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
  packages: Record<
    string,
    { name?: string; version?: string; dev?: boolean; devOptional?: boolean; hasInstallScript?: boolean }
  >;
};

interface Component {
  readonly "bom-ref": string;
  readonly type: string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses: readonly [{ readonly expression: string }];
}
const readNotices = () => readFileSync(join(app, "third-party-notices.txt"), "utf8");
const readBom = () =>
  JSON.parse(readFileSync(join(app, "sbom.cdx.json"), "utf8")) as {
    bomFormat: string;
    specVersion: string;
    version: number;
    metadata: { component: { name: string } };
    components: Component[];
  };

/** Returns name and version of a package of the lock file. */
const idOf = (place: string) =>
  `${place.slice(place.lastIndexOf("node_modules/") + "node_modules/".length)}@${lock.packages[place]?.version ?? ""}`;
const idsOfLock = (isListed: (entry: { dev?: boolean; devOptional?: boolean }) => boolean) =>
  Object.entries(lock.packages)
    .filter(
      ([place, entry]) => place.includes("node_modules/") && isListed(entry) && existsSync(join(root, place)),
    )
    .map(([place]) => idOf(place));

describe("the bill of materials", () => {
  it("is CycloneDX, and lists each package once, with version, licence and address", () => {
    const { bomFormat, specVersion, version, metadata, components } = readBom();
    expect([bomFormat, specVersion, version, metadata.component.name]).toEqual([
      "CycloneDX",
      "1.5",
      1,
      "inv",
    ]);
    expect(new Set(components.map((each) => each["bom-ref"])).size).toBe(components.length);
    for (const { type, name, version: packageVersion, purl, licenses } of components) {
      expect(type).toBe("library");
      expect(purl).toBe(`pkg:npm/${name.replace("@", "%40")}@${packageVersion}`);
      expect(licenses[0].expression).toMatch(/^[\w.()+ -]+$/);
    }
  });

  it("contains every package that a server installs, and none outside the lock file", () => {
    const listed = readBom().components.map(({ name, version }) => `${name}@${version}`);
    const installed = idsOfLock(({ dev, devOptional }) => !dev && !devOptional);
    expect(installed.length).toBeGreaterThan(50);
    expect(listed).toEqual(expect.arrayContaining(installed));
    const known = new Set(idsOfLock(() => true));
    expect(listed.filter((id) => !known.has(id))).toEqual([]);
  });

  it.each(["@univerjs/core", "@univerjs/sheets", "preact", "react", "rxjs", "zod"])(
    "contains %s, which the pages' scripts contain",
    (name) => {
      expect(readBom().components.map(({ name: listed }) => listed)).toContain(name);
    },
  );

  it.each(["jest", "webpack", "typescript", "eslint", "playwright-core", "bottleneck"])(
    "doesn't contain %s, which INV doesn't distribute",
    (name) => {
      expect(readBom().components.map(({ name: listed }) => listed)).not.toContain(name);
    },
  );
});

describe("the notices", () => {
  it("contain each package of the bill with its licence and its text", () => {
    const parts = new Map(
      readNotices()
        .split(/^-{80}$/m)
        .slice(1)
        .map((part) => [part.trim().split("\n")[0], part]),
    );
    const { components } = readBom();
    expect(parts.size).toBe(components.length);
    for (const { name, version, licenses } of components) {
      const part = parts.get(`${name} ${version}`) ?? "";
      expect([name, part.includes(`Licence: ${licenses[0].expression}`), part.length > 400]).toEqual([
        name,
        true,
        true,
      ]);
    }
  });
});

describe("a server's installation", () => {
  it("contains nothing that only the pages need", () => {
    const installed = idsOfLock(({ dev, devOptional }) => !dev && !devOptional).join("\n");
    expect(installed).not.toMatch(/univerjs|fluentui|react|preact|office-js|excelts|uplot/);
  });

  it("runs no script of a package", () => {
    expect(readFileSync(join(root, ".npmrc"), "utf8")).toMatch(/^ignore-scripts=true$/m);
    const setting = execFileSync("npm", ["config", "get", "ignore-scripts"], { cwd: root, encoding: "utf8" });
    expect(setting.trim()).toBe("true");
  });

  it("has no package with a script for npm to run; five for builds and checks have one, and do without it", () => {
    const withScript = Object.entries(lock.packages).filter(([, entry]) => entry.hasInstallScript);
    expect(withScript.map(([place, { dev = false }]) => [place, dev])).toEqual([
      ["node_modules/@parcel/watcher", true],
      ["node_modules/@swc/core", true],
      ["node_modules/core-js-pure", true],
      ["node_modules/protobufjs", true],
      ["node_modules/unrs-resolver", true],
    ]);
  });

  it("contains no development paths and nothing of `npm run dev` in the pages' scripts", () => {
    const scripts = readdirSync(app).filter((file) => file.endsWith(".js"));
    expect(scripts.length).toBeGreaterThan(2);
    for (const file of scripts) {
      const script = readFileSync(join(app, file), "utf8");
      expect(script).not.toContain(root);
      expect(script).not.toContain("built.txt");
    }
  });
});
