/** Copies a sheet with values, for people without INV. Says what it did, or why not. */
import { loaded } from "../../workbook/loaded";
import { selectedAreas } from "../../workbook/selected-areas";
import { WorkButtons } from "../parts/action";
import { Section } from "../parts/parts";
import type { ViewProps } from "../parts/tab";

export function Share({ services, workbook }: ViewProps) {
  async function copy(): Promise<string> {
    const [{ sheet }] = await selectedAreas(workbook, services.clock);
    const { waiting } = services.cells.summary();
    // The oldest value may be one that was saved with the workbook.
    const { oldestMs } = services.age.get();
    const environment = services.connection.get().environment?.label ?? "";
    const nowMs = services.clock.now();
    const { shareCopy } = await loaded(
      import(/* webpackChunkName: "share-copy" */ "../../workbook/share/share-copy"),
    );
    const copyName = await shareCopy(workbook, sheet, { environment, oldestMs, nowMs, waiting });
    return `The sheet "${copyName}" contains the values, with their age and environment above them.`;
  }

  return (
    <Section title="Copy with values">
      <WorkButtons actions={{ "Copy values to a new sheet": copy }} />
    </Section>
  );
}
