/**
 * Writes the texts of the notices and the bill of materials. The same packages give the same bytes, because
 * the texts contain no date and no random number. Throws for a package without a licence, so that none is
 * included unnoticed.
 */
"use strict";

const iscText = `Copyright (c) <holder>

Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby
granted, provided that the above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING
ALL IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL,
DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS,
WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE
USE OR PERFORMANCE OF THIS SOFTWARE.`;

const mitText = `Copyright (c) <holder>

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation
the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and
to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of
the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO
THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF
CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS
IN THE SOFTWARE.`;

/** Texts of licences that some packages name without including the text. */
const short = { ISC: iscText, MIT: mitText };

/** Returns one part for each package: its name, its licence and its texts. */
exports.noticesOf = (packages) =>
  [
    "INV contains or uses the work of others, under the licences below. INV's own licence is in LICENSE.txt.",
    "",
    ...packages.map(
      (one) =>
        `${"-".repeat(80)}\n${one.name} ${one.version}\nLicence: ${licenceOf(one)}\n\n${textOf(one, packages)}\n`,
    ),
  ].join("\n");

exports.bomOf = (own, packages) => {
  const bom = {
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: {
      component: {
        type: "application",
        "bom-ref": `${own.name}@${own.version}`,
        name: own.name,
        version: own.version,
        licenses: [{ expression: own.license }],
      },
    },
    components: packages.map((one) => {
      const purl = `pkg:npm/${one.name.replace("@", "%40")}@${one.version}`;
      const { name, version } = one;
      return {
        type: "library",
        "bom-ref": purl,
        name,
        version,
        licenses: [{ expression: licenceOf(one) }],
        purl,
      };
    }),
  };
  return `${JSON.stringify(bom, null, 2)}\n`;
};

function licenceOf({ name, license, texts }) {
  if (license === "" && /^\s*Apache License\s+Version 2\.0/.test(texts[0] ?? "")) return "Apache-2.0";
  if (license === "") {
    throw new Error(`The package ${name} has no licence. Check it before you distribute it.`);
  }
  return license;
}

function textOf({ name, license, by, texts }, packages) {
  if (texts.length > 0) return texts.join("\n\n");
  const own = short[license];
  if (own !== undefined) return own.replace("<holder>", by === "" ? `the authors of ${name}` : by);
  // Apache's text is the same in every package.
  const apache = packages.find((one) => one.license === "Apache-2.0" && one.texts.length > 0);
  if (license === "Apache-2.0" && apache !== undefined) return apache.texts[0];
  throw new Error(`The package ${name} has no text of its licence ${license}.`);
}
