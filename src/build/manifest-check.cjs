/**
 * Checks a manifest for mistakes that Microsoft's schema can't find: in addresses, resources, the shared
 * runtime, lengths, icon sizes and commands. office-addin-manifest needs Microsoft's server for this, and
 * doesn't look into the bundle. Returns each fault as a sentence.
 */
"use strict";

const longest = { id: 32, ShortStrings: 125, LongStrings: 250, url: 2048 };

/**
 * @param {string} manifest the manifest's text
 * @param {{
 *   production: boolean,
 *   read: (path: string) => Buffer | null,
 *   bundle: string,
 * }} facts `read` returns a served file (`/assets/icon-16.png`), or null; `bundle` is the add-in's script
 * @returns {string[]} the faults
 */
exports.checkManifest = function checkManifest(manifest, { production, read, bundle }) {
  const text = manifest.replace(/^\uFEFF/, "").replace(/<!--[^]*?-->/g, "");
  return [
    ...addressFaults(text, production),
    ...resourceFaults(text),
    ...runtimeFaults(text),
    ...iconFaults(text, read),
    ...commandFaults(text, { read, bundle }),
  ];
};

function resourcesOf(text) {
  const found = text.matchAll(/<bt:(?:Image|Url|String) id="([^"]+)" DefaultValue="([^"]*)"/g);
  return new Map([...found].map(([, id, value]) => [id, value]));
}

function addressFaults(text, production) {
  const found = text.matchAll(/(?:DefaultValue|Url|ResourcesUrl)="(\w+:[^"]*)"|<AppDomain>([^<]*)</g);
  const addresses = [...found].map(([, attribute, domain]) => attribute ?? domain);
  const faults = [];
  for (const address of new Set(addresses)) {
    if (!address.startsWith("https://")) faults.push(`The address ${address} isn't https.`);
    if (address.length > longest.url) faults.push(`The address ${address.slice(0, 60)}… is too long.`);
    if (production && /\/\/(?:localhost|127\.|\[::1\])/.test(address)) {
      faults.push(`A production manifest must not name this machine: ${address}. Set INV_PUBLIC_URL.`);
    }
  }
  return faults;
}

function resourceFaults(text) {
  const resources = resourcesOf(text);
  const asked = new Set([...text.matchAll(/resid="([^"]+)"/g)].map(([, id]) => id));
  const faults = [];
  for (const id of asked) {
    if (!resources.has(id)) faults.push(`The resource "${id}" is missing.`);
  }
  for (const id of resources.keys()) {
    if (!asked.has(id)) faults.push(`The resource "${id}" isn't used.`);
    if (id.length > longest.id) {
      faults.push(`The resource id "${id}" is longer than ${longest.id} characters.`);
    }
  }
  for (const kind of ["ShortStrings", "LongStrings"]) {
    const [, strings = ""] = new RegExp(`<bt:${kind}>([^]*?)</bt:${kind}>`).exec(text) ?? [];
    for (const [, id, value] of strings.matchAll(/id="([^"]+)" DefaultValue="([^"]*)"/g)) {
      if (value.length > longest[kind]) {
        faults.push(`The text "${id}" is longer than ${longest[kind]} characters.`);
      }
    }
  }
  return faults;
}

function runtimeFaults(text) {
  const [, runtime = ""] = /<Runtime resid="([^"]+)"/.exec(text) ?? [];
  const places = [
    ["the functions' page", /<Page>\s*<SourceLocation resid="([^"]+)"/],
    ["the commands' page", /<FunctionFile resid="([^"]+)"/],
    ["the pane", /<Action xsi:type="ShowTaskpane">\s*<SourceLocation resid="([^"]+)"/],
  ];
  return places
    .filter(([, pattern]) => pattern.exec(text)?.[1] !== runtime)
    .map(([place]) => `The page of the shared runtime, "${runtime}", isn't that of ${place}.`);
}

function iconFaults(text, read) {
  const resources = resourcesOf(text);
  const asked = [...text.matchAll(/<bt:Image size="(\d+)" resid="([^"]+)"/g)].map(([, size, id]) => [
    Number(size),
    resources.get(id) ?? "",
  ]);
  const listed = [
    ["IconUrl", 32],
    ["HighResolutionIconUrl", 64],
  ].map(([element, size]) => [size, new RegExp(`<${element} DefaultValue="([^"]+)"`).exec(text)?.[1] ?? ""]);
  const wanted = new Map(
    [...asked, ...listed].map(([size, address]) => [`${size} ${address}`, { size, address }]),
  );
  return [...wanted.values()].flatMap(({ size, address }) => {
    const file = read(pathOf(address));
    if (file === null) return [`The icon ${address} isn't served.`];
    const drawn = file.subarray(12, 16).toString("latin1") === "IHDR" ? file.readUInt32BE(16) : 0;
    return drawn === size ? [] : [`The icon ${address} is ${drawn} pixels wide, not ${size}.`];
  });
}

function commandFaults(text, { read, bundle }) {
  const faults = [];
  const has = (id) => new RegExp(`["'\`]${id}["'\`]`).test(bundle);
  for (const id of new Set([...text.matchAll(/<FunctionName>([^<]+)</g)].map(([, name]) => name))) {
    if (!has(id)) faults.push(`The command "${id}" has no action in the add-in's script.`);
  }
  const ids = [...text.matchAll(/<(?:Control|Item|Group)\b[^>]*\bid="([^"]+)"/g)].map(([, id]) => id);
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
  if (repeated !== undefined) faults.push(`The id "${repeated}" is used twice.`);
  const [, url, resourcesUrl] = /<ExtendedOverrides Url="([^"]+)" ResourcesUrl="([^"]+)"/.exec(text) ?? [];
  if (url === undefined) return faults;
  const [shortcuts, names] = [read(pathOf(url)), read(pathOf(resourcesUrl))];
  if (shortcuts === null || names === null) {
    return [...faults, "The files of keyboard shortcuts aren't served."];
  }
  return [...faults, ...shortcutFaults(JSON.parse(shortcuts), { names: JSON.parse(names), has })];
}

function shortcutFaults({ actions, shortcuts }, { names, has }) {
  const faults = [];
  const ids = new Set(actions.map(({ id }) => id));
  for (const { id, name } of actions) {
    if (!has(id)) faults.push(`The key's action "${id}" has no action in the add-in's script.`);
    const [, resource] = /^\$\{resource\.(\w+)\}$/.exec(name) ?? [];
    if (!names.resources.default[resource]) faults.push(`The key's action "${id}" has no name.`);
  }
  const keys = shortcuts.map(({ key }) => key.default);
  for (const { action } of shortcuts) {
    if (!ids.has(action)) faults.push(`A key runs "${action}", which isn't an action.`);
  }
  for (const key of keys) {
    if (!/^(?:(?:Ctrl|Alt|Shift)\+)+[A-Z0-9]$/.test(key)) {
      faults.push(`The key "${key}" isn't spelled as Excel expects.`);
    }
    if (keys.indexOf(key) !== keys.lastIndexOf(key)) faults.push(`The key "${key}" is used twice.`);
  }
  return [...new Set(faults)];
}

function pathOf(address) {
  return address.replace(/^https?:\/\/[^/]*/, "");
}
