/** How an administrator adds the supplier portal's environments: one sentence for Settings and for the first page. */
export function AddEnvironmentHint() {
  return (
    <>
      on the server, run <code>npm run --silent serve -- --example &gt; inv.json</code>, put in your portal's
      addresses, then start <code>npm run serve -- --config inv.json</code>.
    </>
  );
}
