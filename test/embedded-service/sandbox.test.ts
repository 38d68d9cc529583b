/** The sandbox's designated pairs: in the list, and in the answers. */
import { listSampleStock } from "../../src/embedded-service/sample-stock/sample-service";
import { sandboxWorld } from "../../src/embedded-service/sample-stock/worlds";
import { createCaller } from "../contract/caller";

const list = listSampleStock(sandboxWorld, 1);

describe("the sandbox's designated pairs", () => {
  it("agree with the listed stores without data", () => {
    for (const { gtin, stores_without_data: without } of list.items) {
      const designated = list.designated_pairs!.filter((pair) => pair.gtin === gtin);
      expect(designated.map(({ store_nbr: store }) => store)).toEqual(
        list.stores.filter((store) => !without.includes(store)),
      );
    }
  });

  it("keep their values beside other pairs, which have their own errors", async () => {
    const caller = createCaller({ world: sandboxWorld });
    const search = (store: number, values: readonly string[]) =>
      caller.search({ item_type: "gtin", store_nbr: store, item_type_values: values });
    const [designated, elsewhere, undesignated] = ["00012345678905", "00012345678943", "00012345679902"];
    const { status, body } = await search(12, [elsewhere, designated, undesignated, "00000000000017"]);
    expect(status).toBe(200);
    const failed = (gtin: string, reason: string) => ({ gtin, data_retrieval_status: "ERROR", reason });
    expect(body.items).toEqual([
      failed(elsewhere, "No data found"),
      expect.objectContaining({ gtin: designated, data_retrieval_status: "SUCCESS" }),
      failed(undesignated, "No data found"),
      failed("00000000000017", "GTIN not mapped to the supplier"),
    ]);
    const onlyUndesignated = await search(12, [elsewhere]);
    expect([onlyUndesignated.status, onlyUndesignated.body.detail]).toEqual([404, "No data found"]);
  });
});
