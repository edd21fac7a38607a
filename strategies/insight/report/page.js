"use strict";
// One page about one run: the timeline on a canvas, pictures that zoom, one tooltip for all.

const SPARKS = ["converted", "aborted", "fizzled", "known"];
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

// Light or dark: the desktop's theme until a person chooses; the choice is kept, if it may be.
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

function duration(nanos) {
  for (const [size, unit] of [[1e9, "s"], [1e6, "ms"], [1e3, "µs"]])
    if (nanos >= size * 0.9995) return Number((nanos / size).toPrecision(3)) + " " + unit;
  return nanos ? Math.round(nanos) + " ns" : "0";
}

// Buttons, keys, wheel and pointer of a figure that has zoom(factor, x, y), pan(dx, dy) and fit().
function steer(figure, surface, view) {
  const middle = () => [surface.clientWidth / 2, surface.clientHeight / 2];
  const acts = {
    in: () => view.zoom(1.5, ...middle()),
    out: () => view.zoom(1 / 1.5, ...middle()),
    fit: () => view.fit(),
  };
  const keys = { "+": acts.in, "=": acts.in, "-": acts.out, 0: acts.fit,
    ArrowLeft: () => view.pan(60, 0), ArrowRight: () => view.pan(-60, 0),
    ArrowUp: () => view.pan(0, 60), ArrowDown: () => view.pan(0, -60) };
  for (const button of figure.querySelectorAll("button"))
    button.addEventListener("click", acts[button.dataset.do]);
  figure.addEventListener("keydown", (event) => {
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    act();
  });
  surface.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return; // the page scrolls
    event.preventDefault();
    const box = surface.getBoundingClientRect();
    view.zoom(Math.exp(-event.deltaY / 200), event.clientX - box.left, event.clientY - box.top);
  }, { passive: false });
  let held = null;
  surface.addEventListener("pointerdown", (event) => {
    held = [event.clientX, event.clientY];
    surface.setPointerCapture(event.pointerId);
  });
  surface.addEventListener("pointerup", () => { held = null; });
  surface.addEventListener("pointercancel", () => { held = null; });
  surface.addEventListener("pointermove", (event) => {
    if (!held) return;
    view.pan(event.clientX - held[0], event.clientY - held[1]);
    held = [event.clientX, event.clientY];
  });
  surface.addEventListener("dblclick", (event) => {
    const box = surface.getBoundingClientRect();
    view.zoom(2, event.clientX - box.left, event.clientY - box.top);
  });
}

// A picture: its view box is what is seen.
function picture(figure) {
  const svg = figure.querySelector("svg");
  const whole = svg.viewBox.baseVal;
  const [width, height] = [whole.width, whole.height];
  svg.removeAttribute("width");
  svg.removeAttribute("height");
  svg.setAttribute("preserveAspectRatio", "xMinYMin meet");
  const tall = Math.min(600, height * Math.min(1, svg.clientWidth / width));
  svg.style.height = Math.max(tall, Math.min(600, height)) + "px";
  let box = [0, 0, 1, 1];
  const set = (x, y, w, h) => {
    box = [x, y, w, h];
    svg.setAttribute("viewBox", box.join(" "));
  };
  const natural = () => set(0, 0, Math.max(svg.clientWidth, 1), Math.max(svg.clientHeight, 1));
  const scale = () => Math.max(box[2] / svg.clientWidth, box[3] / svg.clientHeight);
  const view = {
    fit: () => set(0, 0, width, height),
    pan: (dx, dy) => set(box[0] - dx * scale(), box[1] - dy * scale(), box[2], box[3]),
    zoom: (factor, x, y) => {
      const s = scale();
      set(box[0] + x * s * (1 - 1 / factor), box[1] + y * s * (1 - 1 / factor),
        box[2] / factor, box[3] / factor);
    },
  };
  natural();
  steer(figure, svg, view);
}

// Tooltips of pictures: the title of the innermost group that has one.
function titles(svg) {
  for (const title of svg.querySelectorAll("title")) {
    if (title.parentNode === svg) continue;
    title.parentNode.dataset.tip = title.textContent;
    title.remove(); // so that the browser does not show it a second time
  }
  svg.addEventListener("pointermove", (event) => {
    const mark = event.target.closest("[data-tip]");
    show(mark ? mark.dataset.tip : "", event);
  });
  svg.addEventListener("pointerleave", (event) => show("", event));
}

class Timeline {
  constructor(figure, data) {
    this.data = data;
    this.canvas = figure.querySelector("canvas");
    this.end = data.seconds * 1e9 || 1;
    this.LEFT = 76; this.TOP = 26; this.LANE = 34;
    this.lanes = Array.from({ length: data.workers }, () => []);
    data.start.forEach((_, i) => this.lanes[data.lane[i]].push(i));
    this.fit();
    steer(figure, this.canvas, this);
    addEventListener("resize", () => this.draw());
    const tell = (event) => {
      const i = this.at(event.offsetX, event.offsetY);
      show(i < 0 ? "" : this.words(i), event);
    };
    this.canvas.addEventListener("pointermove", tell);
    this.canvas.addEventListener("pointerdown", tell); // a finger that taps moves over nothing
    this.canvas.addEventListener("pointerleave", (event) => {
      if (event.pointerType === "mouse") show("", event);
    });
    this.order = data.start.map((_, i) => i).sort((a, b) => data.start[a] - data.start[b]);
    this.told = -1;
    this.canvas.addEventListener("keydown", (event) => {
      const step = { n: 1, p: -1 }[event.key];
      if (step) this.tell(this.told + step);
      if (event.key === "Escape") show("", event);
    });
    this.canvas.addEventListener("blur", (event) => show("", event));
  }
  get across() { return Math.max(this.canvas.clientWidth - this.LEFT - 8, 1); }
  x(time) { return this.LEFT + (time - this.from) / (this.to - this.from) * this.across; }
  time(x) { return this.from + (x - this.LEFT) / this.across * (this.to - this.from); }
  fit() { this.from = 0; this.to = this.end; this.draw(); }
  tell(k) { // the bar that is k-th to start, brought into view, and what it did
    this.told = Math.max(0, Math.min(k, this.order.length - 1));
    const i = this.order[this.told];
    if (i === undefined) return;
    const start = this.data.start[i];
    if (start < this.from || start > this.to) this.pan(this.x((this.from + this.to) / 2) - this.x(start));
    const box = this.canvas.getBoundingClientRect();
    const y = this.TOP + (this.data.lane[i] + 0.5) * this.LANE;
    show(this.words(i), { clientX: box.left + this.x(start), clientY: box.top + y });
  }
  pan(dx) {
    const dt = -dx / this.across * (this.to - this.from);
    const step = Math.max(-this.from, Math.min(this.end - this.to, dt));
    this.from += step;
    this.to += step;
    this.draw();
  }
  zoom(factor, x) {
    const t = this.time(Math.max(x, this.LEFT));
    const wide = Math.min(this.end, Math.max((this.to - this.from) / factor, 1000));
    const share = (t - this.from) / (this.to - this.from);
    this.from = Math.max(0, Math.min(this.end - wide, t - share * wide));
    this.to = this.from + wide;
    this.draw();
  }
  // The first bar of a lane that ends at or after a time.
  first(lane, time) {
    let [low, high] = [0, lane.length];
    while (low < high) {
      const mid = (low + high) >> 1;
      const i = lane[mid];
      if (this.data.start[i] + this.data.took[i] < time) low = mid + 1; else high = mid;
    }
    return low;
  }
  draw() { // once a frame, however often it is asked for
    this.asked ??= requestAnimationFrame(() => { this.asked = null; this.paint(); });
  }
  paint() {
    const { canvas, data } = this;
    const ratio = devicePixelRatio || 1;
    const [wide, tall] = [canvas.clientWidth, this.TOP + this.LANE * this.lanes.length + 8];
    canvas.style.height = tall + "px";
    canvas.width = wide * ratio;
    canvas.height = tall * ratio;
    const style = getComputedStyle(canvas);
    const ink = (name) => style.getPropertyValue("--" + name).trim();
    const looks = { // fill, edge and its dashes
      converted: ["spark", "sparked", []], aborted: ["aborted", "bad", [4, 2]],
      fizzled: ["bad", "bad", []], known: ["known", "line", [1, 2]],
      step: ["step", "stepped", []], fold: ["fold", "fold", []],
    };
    const seen = data.kinds.map((name) => looks[name]);
    const [colours, edges] = [0, 1].map((part) => seen.map((look) => ink(look[part])));
    const FOLD = data.kinds.indexOf("fold");
    const across = this.across; // asking for it again would lay the page out again
    const x = (time) => this.LEFT + (time - this.from) / (this.to - this.from) * across;
    const [waiting, text] = [ink("wait"), ink("ink")];
    const c = canvas.getContext("2d");
    c.scale(ratio, ratio);
    c.font = "11px system-ui, sans-serif";
    this.ruler(c, x, ink("rule"), ink("soft"), tall);
    this.lanes.forEach((lane, row) => {
      const y = this.TOP + row * this.LANE;
      c.fillStyle = ink("soft");
      c.textAlign = "right";
      c.fillText("worker " + (row + 1), this.LEFT - 10, y + this.LANE / 2 + 1);
      c.fillStyle = ink("field");
      c.fillRect(this.LEFT, y, across, this.LANE - 6);
      c.save();
      c.beginPath();
      c.rect(this.LEFT, y, across, this.LANE - 6);
      c.clip();
      let free = -Infinity;
      const drawn = data.kinds.map(() => -9); // where the last bar of each kind ended, in pixels
      for (let k = Math.max(this.first(lane, this.from) - 1, 0); k < lane.length; k++) {
        const i = lane[k];
        const [start, kind] = [data.start[i], data.kind[i]];
        if (start > this.to && free > this.to) break;
        const wait = Math.max(data.ready[i], free, 0);
        if (start > wait && x(start) - x(wait) > 0.5) {
          c.fillStyle = waiting;
          c.fillRect(x(wait), y + (this.LANE - 6) / 2 - 2, x(start) - x(wait), 4);
        }
        free = Math.max(free, start + data.took[i]);
        const [a, b] = [x(start), x(start + data.took[i])];
        if (b <= drawn[kind] + 0.35) continue; // its pixel is full already
        drawn[kind] = b;
        const inset = kind === FOLD ? 8 : 3;
        c.fillStyle = colours[kind];
        const thin = b - a < 1; // one whole pixel, in the bar's own colour
        c.fillRect(thin ? Math.floor(a) : a, y + inset, thin ? 1 : b - a, this.LANE - 6 - 2 * inset);
        if (b - a > 3) {
          c.strokeStyle = edges[kind];
          c.setLineDash(seen[kind][2]);
          c.strokeRect(a + 0.5, y + inset + 0.5, b - a - 1, this.LANE - 7 - 2 * inset);
        }
        if (b - a > 46 && kind !== FOLD) this.label(c, text, i, Math.max(a, this.LEFT), b, y);
      }
      c.restore();
    });
  }
  label(c, colour, i, a, b, y) {
    const text = this.data.words[this.data.at[i]];
    c.fillStyle = colour;
    c.textAlign = "left";
    if (c.measureText(text).width < b - a - 10) c.fillText(text, a + 5, y + this.LANE / 2 + 1);
  }
  ruler(c, x, rule, soft, tall) {
    const rough = (this.to - this.from) / 8;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough);
    c.textAlign = "center";
    for (let t = Math.ceil(this.from / step) * step; t <= this.to; t += step) {
      c.fillStyle = rule;
      c.fillRect(x(t), this.TOP - 8, 1, tall);
      c.fillStyle = soft;
      c.fillText(duration(t), x(t), this.TOP - 12);
    }
  }
  // The bar under a point, or within two pixels of it; sparks and steps before folds.
  at(x, y) {
    const lane = this.lanes[Math.floor((y - this.TOP) / this.LANE)];
    if (!lane || x < this.LEFT) return -1;
    const [low, high] = [this.time(x - 2), this.time(x + 2)];
    let best = -1;
    let nearest = Infinity;
    for (let k = this.first(lane, low); k < lane.length; k++) {
      const i = lane[k];
      const start = this.data.start[i];
      if (start > high) break;
      const t = this.time(x);
      const away = Math.max(start - t, t - start - this.data.took[i], 0);
      const far = away + (this.data.kinds[this.data.kind[i]] === "fold" ? this.time(2) - this.time(0) : 0);
      if (far < nearest) [best, nearest] = [i, far];
    }
    return best;
  }
  words(i) {
    const d = this.data;
    const word = (name) => d.words[d[name][i]];
    const kind = d.kinds[d.kind[i]];
    const lines = [word("name") + " " + word("at")];
    if (kind !== "fold") {
      lines.push("window " + word("window"));
      lines.push(kind === "step" ? "searched in order" : kind + (word("why") && ": " + word("why")));
      if (word("found")) lines.push("found " + word("found"));
      lines.push(d.nodes[i].toLocaleString("en") + " nodes, "
        + d.leaves[i].toLocaleString("en") + " leaves");
    }
    const waited = d.start[i] - d.ready[i];
    lines.push(duration(d.took[i]) + " (" + duration(d.cpu[i]) + " of CPU time), from " + duration(d.start[i])
      + (waited > 0 ? ", " + duration(waited) + " after it was ready" : ""));
    return lines.join("\n");
  }
}

const data = JSON.parse(document.getElementById("data").textContent);
const sparks = data.kind.filter((kind) => SPARKS.includes(data.kinds[kind])).length;
const figure = document.getElementById("timeline-figure");
const timeline = new Timeline(figure, data);
themes(document.getElementById("theme"), () => timeline.draw());
const counted = (n, name) => n.toLocaleString("en") + " " + name + (n === 1 ? "" : "s");
document.getElementById("count").textContent =
  counted(sparks, "spark") + " among " + counted(data.kind.length, "bar");
for (const svg of document.querySelectorAll("svg")) titles(svg);
for (const moving of document.querySelectorAll(".moving")) picture(moving);
