// A list of all versions of the site, above the navigation, to switch between them.
const root = document.documentElement.dataset.content_root;
const here = new URL(root, location.href);

function showVersions(versions) {
  const now = decodeURIComponent(here.pathname.split("/").at(-2));
  const page = decodeURIComponent(location.pathname.slice(here.pathname.length)) || "index.html";
  const list = document.createElement("select");
  list.setAttribute("aria-label", "version of these pages");
  for (const name of Object.keys(versions)) list.add(new Option(name, name, name === now, name === now));
  list.addEventListener("change", () => {
    const known = versions[list.value].includes(page) ? page : "index.html";
    location.href = new URL(`../${list.value}/${known}${known === page ? location.hash : ""}`, here).href;
  });
  const place = document.createElement("div");
  place.className = "versions";
  place.append("version ", list);
  document.querySelector(".sidebar-brand")?.after(place);
}

addEventListener("DOMContentLoaded", () => {
  const list = document.createElement("script");
  list.src = `${root}../versions.js`;
  document.head.append(list);
});
