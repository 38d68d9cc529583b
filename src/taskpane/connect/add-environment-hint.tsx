export function AddEnvironmentHint() {
  return (
    <>
      on the server, run <code>npm run --silent serve -- --example &gt; inv.json</code>, put in your portal's
      addresses, then start <code>npm run serve -- --config inv.json</code>.
    </>
  );
}
