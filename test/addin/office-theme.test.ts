/** Excel's theme as light or dark. */
import { themeOf } from "../../src/addin/host";

describe("Excel's theme", () => {
  it.each([
    ["says so itself", { isDarkTheme: true, bodyBackgroundColor: "#FFFFFF" }, "dark"],
    ["says it is light", { isDarkTheme: false, bodyBackgroundColor: "#000000" }, "light"],
    ["has a dark grey background", { bodyBackgroundColor: "#444444" }, "dark"],
    ["has a black background, without #", { bodyBackgroundColor: "262626" }, "dark"],
    ["is colourful on white", { bodyBackgroundColor: "#FFFFFF" }, "light"],
    ["has an unknown colour", { bodyBackgroundColor: "window" }, "light"],
    ["is not given at all", undefined, "light"],
  ])("that %s", (_, theme, expected) => {
    expect(themeOf(theme)).toBe(expected);
  });
});
