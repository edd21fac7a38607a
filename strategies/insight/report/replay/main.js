// Assembles the page of a replay: one clock for all sides, moved by the slider, buttons and keys.

const REST = 450; // milliseconds between steps while it plays
const signs = Object.fromEntries([...document.querySelectorAll("[data-fate]")].map((e) => [e.dataset.fate, e.dataset.sign]));
const slider = document.getElementById("slider");
let player = null;
themes(document.getElementById("theme"), () => player?.paint());

class Player {
  constructor(data) {
    this.sides = data.sides.map((side) => new Side(side, data.up, data.counts));
    this.steps = steps(this.sides);
    this.boards = data.boards;
    this.step = 0;
    this.ticking = 0;
    const end = Math.max(...this.sides.map((side) => side.end));
    this.views = this.sides.map((side, s) => {
      const panel = document.getElementById("side-" + s);
      const view = {
        panel, tree: new Tree(panel.querySelector(".stage"), side, signs),
        trace: new Trace(panel.querySelector(".trace"), side, (i) => this.to(this.reached(s, i))),
        line: new NumberLine(panel.querySelector(".interval"), panel.querySelector(".window"), this.sides),
        lanes: new Lanes(document.querySelectorAll(".lanes")[s], side, end, signs),
      };
      this.linked(view, side, s);
      return view;
    });
    slider.max = this.steps.length - 1;
    this.known();
    this.fit();
  }

  // Leaves only the signs and the jumps of kinds that occur.
  known() {
    const found = new Set(this.sides.flatMap((side) => side.rows.map((row) => row.k)));
    for (const sign of document.querySelectorAll("[data-fate]")) sign.hidden = !found.has(sign.dataset.fate);
    for (const button of document.querySelectorAll("[data-jump]")) button.disabled = this.sought(button.dataset.jump, 1, -1) < 0;
  }

  fit() {
    for (const view of this.views) { view.tree.fit(); view.lanes.fit(); }
    this.paint();
  }

  to(step) {
    this.step = Math.max(0, Math.min(this.steps.length - 1, Math.trunc(step) || 0));
    this.paint();
  }

  // The first step at which a side has reached a row.
  reached(s, row) { return this.steps.findIndex((step) => step.at[s] >= row); }

  // The next step with a moment of a kind, or -1; the best counts at the root only.
  sought(kind, way, from = this.step) {
    for (let k = from + way; k >= 0 && k < this.steps.length; k += way) {
      const before = this.steps[k - 1]?.at;
      const has = this.sides.some((side, s) => side.rows.slice((before?.[s] ?? -1) + 1, this.steps[k].at[s] + 1)
        .some((row) => row.k === kind && (kind !== "lead" || row.n === 0)));
      if (has) return k;
    }
    return -1;
  }

  jump(kind, way) {
    const found = this.sought(kind, way);
    if (found >= 0) this.to(found);
  }

  play() {
    const button = document.querySelector("[data-do=play]");
    if (this.ticking) clearInterval(this.ticking);
    else if (this.step === this.steps.length - 1) this.to(0);
    this.ticking = this.ticking ? 0 : setInterval(() => {
      this.to(this.step + 1);
      if (this.step === this.steps.length - 1) this.play();
    }, REST);
    button.textContent = button.title = this.ticking ? "stop" : "play";
    button.setAttribute("aria-label", button.title);
  }

  paint() {
    const { time, at } = this.steps[this.step];
    this.views.forEach((view, s) => {
      const side = this.sides[s];
      side.go(at[s], (this.steps[this.step - 1]?.at[s] ?? -1) + 1, time);
      view.tree.paint();
      view.trace.paint();
      view.lanes.paint(time);
      this.told(view, side);
    });
    slider.value = this.step;
    slider.setAttribute("aria-valuetext", this.sides.map((side) => side.row?.s ?? "").join(" | "));
    const clock = this.sides[0].ticks ? "time " + amount(time) : duration(time * 1e9);
    document.getElementById("clock").textContent = `step ${this.step + 1} of ${this.steps.length}, ${clock}`;
    if (!this.ticking) document.getElementById("told").textContent = slider.getAttribute("aria-valuetext");
  }

  // Says what happens now, and what it has cost so far.
  told(view, side) {
    const row = side.row;
    const says = view.panel.querySelector(".says");
    says.textContent = row?.s ?? "";
    says.className = "says" + (row?.l ? " line" : "");
    const n = row?.n ?? 0;
    view.line.paint(side.window(n, view.tree.kinds[n]), side.nodes[n], view.tree.kinds[n]);
    const board = view.panel.querySelector(".board");
    board.hidden = !this.boards.length;
    board.innerHTML = this.boards[n] ?? "";
    const [c, spent] = [side.counts, side.spent];
    const time = (x) => (side.ticks ? amount(x) : duration(x * 1e9));
    const best = side.nodes[0].best ? side.nodes[0].best[1] : "none yet";
    const told = { "best so far": best, positions: amount(c.nodes), work: time(spent.work), span: time(spent.span),
      sparks: amount(c.attempts + c.opened) };
    for (const place of view.panel.querySelectorAll("[data-count]")) {
      const name = place.dataset.count;
      set(place, told[name] ?? amount(c[name]));
      place.parentNode.hidden = !(name in told || name === "leaves" || this.ever(side, name));
    }
  }

  // Whether a count is ever above 0.
  ever(side, name) {
    side.some ??= new Set(side.rows.flatMap((row) => (row.a ?? []).map(([i]) => side.names[i])));
    return side.some.has(name);
  }

  // A bar shows its positions, a position the bars of its tasks; a click goes to where it starts.
  linked(view, side, s) {
    const above = (n) => { const found = new Set([n]); while (n) found.add((n = side.up[n])); return found; };
    view.tree.svg.addEventListener("pointermove", (event) => {
      const mark = event.target.closest(".mark");
      view.lanes.light(mark && above(Number(mark.dataset.n)));
    });
    view.tree.svg.addEventListener("pointerleave", () => view.lanes.light(null));
    view.tree.svg.addEventListener("click", (event) => {
      const n = Number(event.target.closest(".mark")?.dataset.n ?? -1);
      const row = side.rows.findIndex((found) => found.k === "enter" && found.n === n);
      if (row >= 0) this.to(this.reached(s, row));
    });
    const { svg } = view.lanes;
    const bar = (event) => view.lanes.bars.find((found) => found.group === event.target.closest(".task"));
    svg.addEventListener("pointermove", (event) => {
      view.tree.light(bar(event)?.nodes ?? null);
      show(bar(event)?.group.dataset.tip ?? "", event);
    });
    svg.addEventListener("pointerleave", (event) => { view.tree.light(null); show("", event); });
    svg.addEventListener("click", (event) => {
      const found = bar(event);
      if (found) this.to(this.steps.findIndex((step) => step.time >= found.start));
    });
  }
}

const acts = {
  first: () => player.to(0), back: () => player.to(player.step - 1), play: () => player.play(),
  next: () => player.to(player.step + 1), last: () => player.to(player.steps.length - 1),
};
const keys = { ArrowRight: acts.next, ArrowLeft: acts.back, Home: acts.first, End: acts.last, " ": acts.play };
const jumps = { c: "cut", a: "aborted", b: "lead" };

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const kind = jumps[event.key.toLowerCase()];
  const onButton = event.target.closest("button, summary") && event.key === " ";
  if (!(kind || keys[event.key]) || onButton) return;
  event.preventDefault();
  if (kind) player.jump(kind, event.shiftKey ? -1 : 1);
  else keys[event.key]();
});
for (const button of document.querySelectorAll("[data-do]")) button.addEventListener("click", () => acts[button.dataset.do]());
for (const button of document.querySelectorAll("[data-jump]"))
  button.addEventListener("click", (event) => player.jump(button.dataset.jump, event.shiftKey ? -1 : 1));
slider.addEventListener("input", () => player.to(Number(slider.value)));

function begin(read) {
  player = new Player(read);
  const asked = Number(location.hash.slice(1));
  if (asked) player.to(asked - 1);
  addEventListener("hashchange", () => player.to(Number(location.hash.slice(1)) - 1));
  let late = 0;
  addEventListener("resize", () => { clearTimeout(late); late = setTimeout(() => player.fit(), 100); });
}

unpacked(begin);
