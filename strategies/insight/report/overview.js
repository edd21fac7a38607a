// The tree of tasks, folded to the width of the screen: one row per ply, one box per position, as
// wide as the sum over its subtree.  A click opens a box; the table lists its branches.

const MEASURES = {
  tasks: (tasks, i) => Number(tasks.kinds[tasks.kind[i]] !== "join"), sparks: (tasks, i) => tasks.spark[tasks.kind[i]],
  nodes: (tasks, i) => tasks.nodes[i], time: (tasks, i) => tasks.took[i],
};
const ROW = 30;
const LEAST = 2; // pixels of a box; narrower neighbours share one
const SHOWN = ["step", "join", ...SPARKS];
const BECAME = { step: "searched in order", join: "by workers that joined a running task", converted: "sparks that searched",
  aborted: "sparks that were stopped half-way", fizzled: "sparks whose window was closed",
  known: "sparks whose value was known already", fold: "tasks that pass results on" };
const BELOW = "the sum over the position and its subtree";

class Overview extends Painted {
  constructor(figure, tasks, place) {
    super();
    Object.assign(this, { figure, tasks, place, root: 0, told: "" });
    this.canvas = figure.querySelector("canvas");
    this.measure = figure.querySelector("select");
    this.below = Array.from({ length: tasks.up.length }, () => []);
    for (let p = 1; p < tasks.up.length; p++) this.below[tasks.up[p]].push(p);
    this.sum();
    this.measure.addEventListener("change", () => { this.sum(); this.open(this.root); });
    figure.querySelector("[data-do=up]").addEventListener("click", () => this.open(tasks.up[this.root]));
    this.canvas.addEventListener("pointermove", (event) => show(this.says(this.at(event)), event));
    this.canvas.addEventListener("pointerleave", (event) => show("", event));
    this.canvas.addEventListener("click", (event) => {
      const box = this.at(event);
      if (box) this.open(box.places.length === 1 ? box.places[0] : tasks.up[box.places[0]]);
    });
    addEventListener("resize", () => this.draw());
    this.open(0);
  }
  // Adds up the measure over the subtree of each place, in all and by the outcomes of tasks.
  sum() {
    const { tasks } = this;
    const of = MEASURES[this.measure.value];
    this.total = new Float64Array(tasks.up.length);
    this.kinds = tasks.kinds.map(() => new Float64Array(tasks.up.length));
    for (let i = 0; i < tasks.count; i++) {
      const n = of(tasks, i);
      this.total[tasks.place[i]] += n;
      this.kinds[tasks.kind[i]][tasks.place[i]] += n;
    }
    for (let p = tasks.up.length - 1; p > 0; p--)
      for (const row of [this.total, ...this.kinds]) row[tasks.up[p]] += row[p];
  }
  worded(n) { return this.measure.value === "time" ? duration(n) : counted(n, this.measure.value.slice(0, -1)); }
  says(box) {
    if (!box) return "";
    const sum = (row) => box.places.reduce((n, p) => n + row[p], 0);
    const first = this.tasks.way(box.places[0]);
    const name = box.places.length === 1 ? first : `${amount(box.places.length)} branches from ${first} on`;
    return [name, this.worded(sum(this.total)), ...this.tasks.kinds.map((kind, k) => [kind, sum(this.kinds[k])])
      .filter(([, n]) => n).map(([kind, n]) => kind + ": " + this.worded(n))].join("\n");
  }
  open(place) {
    this.root = place;
    this.figure.querySelector("[data-do=up]").disabled = place === 0;
    this.figure.querySelector("output").textContent = this.tasks.way(place) + ": " + this.worded(this.total[place]);
    this.table();
    this.draw();
  }
  table() {
    const rows = [...this.below[this.root]].sort((a, b) => this.total[b] - this.total[a]).slice(0, MANY);
    const table = element("table", "");
    const sums = (kind) => this.kinds[this.tasks.kinds.indexOf(kind)];
    const shown = [...SHOWN, "fold"].filter((kind) => !["join", "fold"].includes(kind) || sums(kind)[0]);
    table.createTHead().insertRow().append(element("th", "move", { scope: "col" }),
      element("th", this.measure.value, { class: "num", scope: "col", title: BELOW }),
      ...shown.map((kind) => element("th", kind, { class: "num", scope: "col", title: BECAME[kind] })));
    const body = table.createTBody();
    for (const p of rows) {
      const name = this.tasks.words[this.tasks.move[p]];
      const head = element("th", this.below[p].length ? "" : name, { scope: "row" });
      if (this.below[p].length) {
        const button = element("button", name, { type: "button" });
        button.addEventListener("click", () => { this.open(p); this.canvas.scrollIntoView({ block: "nearest" }); });
        head.append(button);
      }
      const cell = (n) => element("td", this.measure.value === "time" ? duration(n) : amount(n), { class: "num" });
      body.insertRow().append(head, cell(this.total[p]),
        ...shown.map((kind) => cell(sums(kind)[p])));
    }
    this.place.replaceChildren(table);
    this.place.hidden = rows.length === 0;
  }
  // Returns the boxes of the open place, row by row: { places, x, wide, row }.
  boxes(across) {
    const found = [];
    const each = across / (this.total[this.root] || 1);
    const add = (places, x, wide, row) => {
      found.push({ places, x, wide, row });
      if (places.length === 1) this.inside(places[0], x, each, row + 1, add);
    };
    add([this.root], 0, across, 0);
    return found;
  }
  inside(place, left, each, row, add) {
    let x = left;
    let narrow = [];
    const flush = () => {
      if (narrow.length) add(narrow, x - narrow.reduce((n, p) => n + this.total[p], 0) * each,
        narrow.reduce((n, p) => n + this.total[p], 0) * each, row);
      narrow = [];
    };
    for (const p of this.below[place]) {
      const wide = this.total[p] * each;
      if (wide >= LEAST) { flush(); add([p], x, wide, row); x += wide; } else { narrow.push(p); x += wide; }
    }
    flush();
  }
  at(event) {
    const [x, y] = [event.offsetX / this.scale, event.offsetY / this.scale];
    const row = Math.floor(y / ROW);
    return this.drawn?.find((b) => b.row === row && b.x <= x && x < b.x + Math.max(b.wide, 1));
  }
  paint() {
    const { tasks } = this;
    this.drawn = this.boxes(this.canvas.clientWidth / this.scale);
    const { c, ink } = this.sheet(ROW * (1 + this.drawn.reduce((n, b) => Math.max(n, b.row), 0)), 12);
    const colours = new Map(SHOWN.map((kind) => [kind, look(kind)[0]]));
    const [fold, text, paper] = [ink("field"), ink("ink"), ink("paper")];
    for (const box of this.drawn) {
      const y = box.row * ROW;
      c.fillStyle = fold;
      c.fillRect(box.x, y, Math.max(box.wide, 0.5), ROW - 1);
      const all = box.places.reduce((n, p) => n + this.total[p], 0) || 1;
      let x = box.x; // the shares of outcomes, as a strip below the name
      for (const kind of SHOWN) {
        const share = box.places.reduce((n, p) => n + this.kinds[tasks.kinds.indexOf(kind)][p], 0) / all;
        c.fillStyle = colours.get(kind);
        c.fillRect(x, y + ROW - 11, box.wide * share, 10);
        x += box.wide * share;
      }
      c.fillStyle = paper;
      c.fillRect(box.x, y, 0.6, ROW); // an edge between neighbours
      const name = box.places.length > 1 ? "…" : box.row ? tasks.words[tasks.move[box.places[0]]] : tasks.way(this.root);
      c.fillStyle = text;
      if (c.measureText(name).width + 6 < box.wide) c.fillText(name, box.x + 3, y + 14);
    }
  }
}
