/** Credentials of this session and of the device: forgotten ones do not return. */
import { createCredentialKeeper } from "../../src/connection/credential-keeper";
import type { Credentials } from "../../src/domain/environment";
import { anEnvironment } from "./environments";

it("a secret that is forgotten during a lookup isn't kept", async () => {
  let give: (stored: Credentials) => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    const load = () => {
      resolve();
      return new Promise<Credentials>((found) => (give = found));
    };
    const nothing = async () => undefined;
    keeper = createCredentialKeeper({
      ...{ load, save: nothing, forget: nothing },
      ids: async () => [],
      canKeep: async () => true,
    });
  });
  const found = keeper.find(anEnvironment("production", "production"));
  await asked;
  const forgotten = keeper.forget("production");
  give({ consumerId: "my-id", clientSecret: "my-secret" });
  expect(await found).toBeNull();
  expect(keeper.inMemory()).toEqual([]);
  await forgotten;
});

let keeper: ReturnType<typeof createCredentialKeeper>;
