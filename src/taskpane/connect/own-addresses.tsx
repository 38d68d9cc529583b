/** How a server gets an environment of a person's own: the one command, for whoever runs the server. */
export function OwnAddresses() {
  return (
    <>
      on the server, run <code>npm run --silent serve -- --example &gt; inv.json</code>, put in your portal's
      addresses, then start <code>npm run serve -- --config inv.json</code>.
    </>
  );
}
