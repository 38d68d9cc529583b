/** The refresh tab's controls in React and Fluent 9: what the pane's first render is measured against. */
/* global document */
import {
  Button,
  Field,
  FluentProvider,
  MessageBar,
  MessageBarBody,
  ProgressBar,
  Radio,
  RadioGroup,
  Select,
  Tab,
  TabList,
  webLightTheme,
} from "@fluentui/react-components";
import { createElement as h, useEffect } from "react";
import { createRoot } from "react-dom/client";
import { reportRendered } from "./rendered.mjs";

function section(title, ...children) {
  return h("section", { className: "section", key: title }, h("h2", null, title), ...children);
}

function meter(name, value) {
  return h(Field, { key: name, label: name }, h(ProgressBar, { value, max: 600 }));
}

function Page() {
  useEffect(reportRendered, []);
  return h(
    FluentProvider,
    { theme: webLightTheme },
    h(
      "main",
      null,
      h("div", { className: "band" }, h("strong", null, "Demo"), " made-up data, not real stock"),
      h(
        TabList,
        { defaultSelectedValue: "refresh", size: "small" },
        ...["connect", "refresh", "activity", "settings"].map((name) =>
          h(Tab, { key: name, value: name }, name),
        ),
      ),
      section(
        "Refresh",
        h(
          Field,
          { label: "What to refresh" },
          h(
            RadioGroup,
            { defaultValue: "workbook" },
            ...["Selected cells", "This sheet", "Whole workbook", "Only values older than 15 min"].map(
              (label) => h(Radio, { key: label, value: label, label }),
            ),
          ),
        ),
        h("p", null, "2,034 cells: 412 calls, 0.7 of a minute's quota, done about 14:03."),
        h(Button, { appearance: "primary" }, "Refresh"),
        h(MessageBar, { intent: "success" }, h(MessageBarBody, null, "2,000 cells refreshed in 9 s.")),
      ),
      section("Values in this workbook", h("dl", null, h("dt", null, "INV cells"), h("dd", null, "2,034"))),
      section("Quota", meter("Inventory", 412), meter("Events", 3)),
      section(
        "Automatic refresh",
        h(
          Field,
          { label: "Refresh the whole workbook" },
          h(Select, null, ...["Off", "Every 5 minutes"].map((label) => h("option", { key: label }, label))),
        ),
      ),
    ),
  );
}

createRoot(document.getElementById("root")).render(h(Page));
