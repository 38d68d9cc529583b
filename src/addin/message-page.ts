/** The page of a message window: shows the title and the text that its address contains behind `#`, as plain text. */
const words = new URLSearchParams(location.hash.slice(1));

for (const part of ["title", "text"]) {
  const element = document.getElementById(`inv-${part}`);
  const given = words.get(part);
  // A host that drops this part of the address leaves the page's own words, which name the pane.
  if (element !== null && given !== null) element.textContent = given;
}
