"use strict";
// Light or dark: the desktop's theme until the reader chooses; the choice is stored if possible.

const root = document.documentElement;
const desktop = matchMedia("(prefers-color-scheme: dark)");
const kept = (act) => { try { return act(localStorage); } catch { return null; } };
const theme = () => root.dataset.theme || (desktop.matches ? "dark" : "light");
const chosen = kept((store) => store.getItem("jamboree-theme"));
if (chosen === "light" || chosen === "dark") root.dataset.theme = chosen;

function themes(button, changed) {
  const other = () => (theme() === "dark" ? "light" : "dark");
  const tell = () => { button.textContent = other(); button.title = "show in " + other(); changed(); };
  button.addEventListener("click", () => {
    root.dataset.theme = other();
    kept((store) => store.setItem("jamboree-theme", root.dataset.theme));
    tell();
  });
  desktop.addEventListener("change", tell);
  tell();
}
