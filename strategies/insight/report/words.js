// Numbers for people, and one tooltip for all figures.

const tip = document.getElementById("tip");

function show(text, event) {
  tip.textContent = text;
  tip.hidden = !text;
  if (!text) return;
  const right = event.clientX + 16 + tip.offsetWidth > innerWidth;
  const low = event.clientY + 16 + tip.offsetHeight > innerHeight;
  tip.style.left = Math.max(4, event.clientX + (right ? -12 - tip.offsetWidth : 14)) + "px";
  tip.style.top = Math.max(4, event.clientY + (low ? -12 - tip.offsetHeight : 14)) + "px";
}

// Shows the meaning of a name that a finger taps; for a mouse, the browser does so.
let meant = false;
addEventListener("pointerdown", (event) => {
  if (event.pointerType === "mouse") return;
  const named = event.target.closest("main [title]:not(button)");
  if (named || meant) show(named?.title ?? "", event);
  meant = Boolean(named);
});

function duration(nanos) {
  for (const [size, unit] of [[1e9, "s"], [1e6, "ms"], [1e3, "µs"]])
    if (nanos >= size * 0.9995) return Number((nanos / size).toPrecision(3)) + " " + unit;
  return nanos ? Math.round(nanos) + " ns" : "0";
}

const amount = (n) => n.toLocaleString("en");
const average = (n) => (n < 10 ? n.toPrecision(2) : amount(Math.round(n)));
const counted = (n, name) => amount(n) + " " + name + (n === 1 ? "" : "s");

function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}
