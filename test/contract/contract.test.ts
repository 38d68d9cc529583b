/** What the service answers, by the document's tables, in each environment and over CSV files. */
import { accessCases } from "./cases-access";
import { eventsCases } from "./cases-events";
import { searchCases } from "./cases-search";
import { contractServices, describeEach } from "./worlds";

describeEach(contractServices, (service) => {
  accessCases();
  searchCases(service);
  eventsCases();
});
