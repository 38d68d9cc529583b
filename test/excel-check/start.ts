/**
 * The add-in's start in a development build (webpack.config.js replaces `src/addin/start.ts` with it). It starts INV as
 * usual and offers the check of this Excel below the pane. In the browser workbook it does so at `/?check=excel`.
 */
import { createElement, render } from "preact";
import type { CommandQueue } from "../../src/addin/command-queue";
import { start as startAddin } from "../../src/addin/start";
import { createOfficeProbes } from "./office-probes";
import { CheckExcelSection } from "./section";

export async function start(desk: CommandQueue): Promise<void> {
  const services = await startAddin(desk);
  const isExcel = services.host.kind === "excel";
  const isAsked = new URLSearchParams(window.top?.location.search ?? "").get("check") === "excel";
  if (!isExcel && !isAsked) return;
  const place = document.createElement("div");
  place.className = "panel";
  document.body.append(place);
  const probes = isExcel ? createOfficeProbes({ excel: Excel, office: Office }) : null;
  render(createElement(CheckExcelSection, { services, probes }), place);
}
