/**
 * The pane's controls in React and Fluent 9: what its first render is measured against. All four tabs, as in
 * the pane; the refresh tab is the one that is drawn.
 */
/* global document */
import {
  Accordion,
  AccordionHeader,
  AccordionItem,
  AccordionPanel,
  Button,
  Checkbox,
  Field,
  FluentProvider,
  Input,
  Link,
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
import { createElement as h, useLayoutEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { reportRendered } from "./rendered.mjs";

function section(title, ...children) {
  return h("section", { className: "section", key: title }, h("h2", null, title), ...children);
}

function meter(name, value) {
  return h(Field, { key: name, label: name }, h(ProgressBar, { value, max: 600 }));
}

function radios(label, choices) {
  return h(
    Field,
    { label },
    h(
      RadioGroup,
      { defaultValue: choices[0] },
      ...choices.map((choice) => h(Radio, { key: choice, value: choice, label: choice })),
    ),
  );
}

function select(label, choices) {
  return h(
    Field,
    { label },
    h(Select, null, ...choices.map((choice) => h("option", { key: choice }, choice))),
  );
}

function message(text) {
  return h(MessageBar, { intent: "success" }, h(MessageBarBody, null, text));
}

function Connect() {
  return section(
    "Where the numbers come from",
    select("Environment", ["Demo", "Sandbox", "Production"]),
    h(Field, { label: "Consumer ID (client ID)" }, h(Input)),
    h(Field, { label: "Client secret" }, h(Input, { type: "password" })),
    h(Checkbox, { label: "Remember on this device" }),
    h(Button, { appearance: "primary" }, "Connect"),
    h(Button, null, "Test connection"),
    message("The connection works."),
  );
}

function Refresh() {
  return [
    section(
      "Refresh",
      radios("What to refresh", [
        "Whole workbook",
        "Selected cells",
        "This sheet",
        "Only values older than 15 min",
      ]),
      h("p", null, "2,034 cells: 412 calls, 0.7 of a minute's quota, done about 14:03."),
      h(Button, { appearance: "primary" }, "Refresh"),
      message("2,000 cells refreshed in 9 s."),
    ),
    section("Values in this workbook", h("dl", null, h("dt", null, "INV cells"), h("dd", null, "2,034"))),
    section("Quota", meter("Inventory", 412), meter("Events", 3)),
    section("Automatic refresh", select("Refresh the whole workbook", ["Off", "Every 5 minutes"])),
  ];
}

function Activity() {
  return section(
    "Cells without a value",
    h(
      Accordion,
      { collapsible: true },
      h(
        AccordionItem,
        { value: 1 },
        h(AccordionHeader, null, "214 cells"),
        h(AccordionPanel, null, "Not mapped"),
      ),
    ),
    h(Button, null, "Copy diagnostics"),
  );
}

function Settings() {
  return section(
    "Values",
    h(Field, { label: "Freshness, in minutes" }, h(Input, { type: "number" })),
    radios("When the service cannot answer, a cell shows", ["its last known value", "the error"]),
    h(Button, null, "Clear cached values"),
    h(Link, { href: "/help" }, "Help"),
  );
}

const tabs = { connect: Connect, refresh: Refresh, activity: Activity, settings: Settings };

function Page() {
  const [tab, setTab] = useState("refresh");
  useLayoutEffect(() => void reportRendered([]), []);
  return h(
    FluentProvider,
    { theme: webLightTheme },
    h(
      "main",
      null,
      h("div", { className: "band" }, h("strong", null, "Demo"), " made-up data, not real stock"),
      h(
        TabList,
        { selectedValue: tab, onTabSelect: (_event, { value }) => setTab(value), size: "small" },
        ...Object.keys(tabs).map((name) => h(Tab, { key: name, value: name }, name)),
      ),
      h(tabs[tab]),
    ),
  );
}

createRoot(document.getElementById("root")).render(h(Page));
