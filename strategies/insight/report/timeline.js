// The timeline on one canvas, over one time axis: iterations, busy workers, one lane per worker,
// strips of sparks.  Drag to pan or to select a box; click a task to highlight its inputs.

const [LEFT, TOP, LANE, BAND, BUSY, STRIP, RIGHT] = [84, 26, 34, 20, 40, 34, 8];
const CROWDED = 3; // tasks per pixel; if there are more, pixels are painted in place of tasks
const MANY_TASKS = 50_000;
// Returns the fill, edge and dashes of a kind of task, those of the legend.
function look(kind) {
  const bar = document.querySelector(`.key .bar.${kind}`);
  if (!bar) return ["", "", []]; // no task is of this kind
  const { fill, stroke, strokeDasharray } = getComputedStyle(bar);
  const dashes = strokeDasharray === "none" ? [] : strokeDasharray.split(",").map(parseFloat);
  return [fill, stroke === "none" ? fill : stroke, dashes];
}

class Timeline extends Painted {
  constructor(figure, tasks, bands) {
    super();
    Object.assign(this, { figure, tasks, bands, end: tasks.end, lanes: tasks.lanes });
    Object.assign(this, { chosen: null, pinned: -1, told: -1, lit: [], selecting: false, from: 0, to: tasks.end });
    this.canvas = figure.querySelector("canvas");
    this.density = new Density(tasks);
    this.hasSparks = tasks.kind.some((kind) => tasks.spark[kind]);
    this.BANDS = TOP;
    this.BUSY = TOP + (bands.length ? BAND + 4 : 0);
    this.LANES = this.BUSY + BUSY + 6;
    this.STRIPS = this.LANES + LANE * this.lanes.length;
    this.tall = this.STRIPS + (this.hasSparks ? 3 * STRIP : 0) + 6;
    this.keys = { n: () => this.tell(this.told + 1), p: () => this.tell(this.told - 1),
      Enter: () => this.pin(this.told), s: () => this.choose(this.seen()),
      Escape: () => { show("", null); this.pin(-1); this.choose(null); } };
    this.acts = { select: () => this.select(!this.selecting), all: () => this.choose(this.seen()),
      clear: () => this.choose(null) };
    steer(figure, this.canvas, this);
    addEventListener("resize", () => this.draw());
    const hover = (event) => {
      const [x, y] = [event.offsetX / this.scale, event.offsetY / this.scale];
      const i = this.at(x, y);
      show(lossAt(this, x, y) || (i >= 0 ? tasks.told(i) : "") || this.band(x, y) || this.strip(x, y), event);
    };
    this.canvas.addEventListener("pointermove", hover);
    this.canvas.addEventListener("pointerdown", hover); // a tap sends no moves
    this.canvas.addEventListener("pointerleave", (event) => {
      if (event.pointerType === "mouse") show("", event);
    });
    this.canvas.addEventListener("blur", (event) => show("", event));
    this.draw();
  }
  get across() { return Math.max(Math.floor(this.canvas.clientWidth / this.scale) - LEFT - RIGHT, 1); }
  x(time) { return LEFT + (time - this.from) / (this.to - this.from) * this.across; }
  y(i) { return this.LANES + (this.tasks.lane[i] + 0.5) * LANE; }
  time(x) { return this.from + (x - LEFT) / this.across * (this.to - this.from); }
  // Strips of many tasks are stretched during a zoom, and counted again after it.
  moved() {
    const count = () => { this.sums = null; this.draw(); };
    clearTimeout(this.late);
    if (this.tasks.count > MANY_TASKS) this.late = setTimeout(count, 100); else count();
    this.draw();
    this.onmove?.();
  }
  fit() { [this.from, this.to] = [0, this.end]; this.moved(); }
  pan(dx) {
    const dt = -dx / this.scale / this.across * (this.to - this.from);
    const step = Math.max(-this.from, Math.min(this.end - this.to, dt));
    [this.from, this.to] = [this.from + step, this.to + step];
    this.moved();
  }
  zoom(factor, x) {
    const t = this.time(Math.max(x / this.scale, LEFT));
    const wide = Math.min(this.end, Math.max((this.to - this.from) / factor, 1000));
    const share = (t - this.from) / (this.to - this.from);
    this.from = Math.max(0, Math.min(this.end - wide, t - share * wide));
    this.to = this.from + wide;
    this.moved();
  }
  reveal(i) { // bring the start of a task into view
    const start = this.tasks.start[i];
    if (start < this.from || start > this.to)
      this.pan((this.x((this.from + this.to) / 2) - this.x(start)) * this.scale);
  }
  tell(k) { // bring the k-th task to start into view, and show its record
    if (!this.tasks.count) return;
    const i = this.told = Math.max(0, Math.min(k, this.tasks.count - 1));
    this.reveal(i);
    const box = this.canvas.getBoundingClientRect();
    show(this.tasks.told(i), {
      clientX: box.left + this.scale * Math.max(LEFT, this.x(this.tasks.start[i])),
      clientY: box.top + this.scale * this.y(i) });
    this.draw();
  }
  // Everything in view, as a box of time and workers.
  seen() { return { from: this.from, to: this.to, top: 0, bottom: this.lanes.length - 1 }; }
  select(on) {
    this.selecting = on;
    this.canvas.classList.toggle("selecting", on);
    this.figure.querySelector("[data-do=select]").setAttribute("aria-pressed", String(on));
  }
  box([x0, y0], [x1, y1], done) {
    const time = (x) => Math.max(0, Math.min(this.end, this.time(x / this.scale)));
    const last = this.lanes.length - 1;
    const lane = (y) => Math.max(0, Math.min(last, Math.floor((y / this.scale - this.LANES) / LANE)));
    this.choose({ from: time(Math.min(x0, x1)), to: time(Math.max(x0, x1)),
      top: lane(Math.min(y0, y1)), bottom: lane(Math.max(y0, y1)) });
    if (done) this.select(false);
  }
  choose(box) { this.chosen = box; this.draw(); this.onmove?.(); }
  tap(x, y) { this.pin(this.at(x / this.scale, y / this.scale)); }
  pin(i) { this.pinned = i === this.pinned ? -1 : i; this.draw(); this.onpin?.(this.pinned); }
  paint() {
    const { tasks } = this;
    const { c, ink } = this.sheet(this.tall, 11);
    const across = this.across; // each access lays the page out again
    const x = (time) => LEFT + (time - this.from) / (this.to - this.from) * across;
    const field = (y, high, name, more) => {
      c.fillStyle = ink("field");
      c.fillRect(LEFT, y, across, high);
      c.fillStyle = ink("soft");
      c.textAlign = "right";
      c.fillText(name, LEFT - 8, y + high / 2 + (more ? -2 : 4));
      if (more) c.fillText(more, LEFT - 8, y + high / 2 + 11, LEFT - 16);
    };
    const looks = tasks.kinds.map(look);
    const paints = { c, x, ink, across, field, looks };
    this.ruler(paints);
    if (!this.sums || this.sums.across !== across)
      this.sums = { across, from: this.from, to: this.to, ...strips(tasks, this.from, this.to, across) };
    this.areas(paints);
    this.lanes.forEach((lane, row) => {
      const y = this.LANES + row * LANE;
      field(y, LANE - 6, "worker " + (row + 1), tasks.processes.find((one) => one.first === row)?.name);
      clipped(c, LEFT, y, across, LANE - 6);
      const [first, last] = [tasks.first(lane, this.from), tasks.first(lane, this.to)];
      const crowded = last - first > CROWDED * across && (this.to - this.from) / across > this.density.each;
      if (crowded) this.pixels(paints, row, y); else this.bars(paints, lane, y);
      c.restore();
    });
    critical(this, paints);
    this.processes(paints);
    this.iterations(paints);
    losses(this, paints);
    if (this.lit.length) lightFound(this, paints);
    if (this.pinned >= 0) lightInputs(this, paints);
    if (this.told >= 0) outline(this, paints, this.told);
    if (this.chosen) frame(this, paints);
  }
  bars({ c, x, ink, looks }, lane, y) {
    const { tasks } = this;
    const FIZZLED = tasks.kinds.indexOf("fizzled");
    let free = -Infinity;
    const drawn = tasks.kinds.map(() => -9); // the end of the last bar of each kind, in pixels
    for (let k = Math.max(tasks.first(lane, this.from) - 1, 0); k < lane.length; k++) {
      const i = lane[k];
      const [start, kind] = [tasks.start[i], tasks.kind[i]];
      if (start > this.to && free > this.to) break;
      const wait = Math.max(tasks.ready[i], free, 0);
      if (start > wait && x(start) - x(wait) > 0.5) {
        c.fillStyle = ink(tasks.sent[i] ? "stepped" : "wait");
        const [high, y0] = tasks.sent[i] ? [2, -1] : [4, -2];
        c.fillRect(x(wait), y + (LANE - 6) / 2 + y0, x(start) - x(wait), high);
      }
      free = Math.max(free, start + tasks.took[i]);
      const [a, b] = [x(start), x(start + tasks.took[i])];
      if (b <= drawn[kind] + 0.35) continue; // its pixel is full already
      drawn[kind] = b;
      const inset = kind === tasks.FOLD ? 8 : 3;
      c.fillStyle = looks[kind][0];
      const thin = b - a < 1; // one whole pixel, in the bar's own colour
      c.fillRect(thin ? Math.floor(a) : a, y + inset, thin ? 1 : b - a, LANE - 6 - 2 * inset);
      if (b - a > 3) {
        c.strokeStyle = looks[kind][1];
        c.setLineDash(looks[kind][2]);
        c.strokeRect(a + 0.5, y + inset + 0.5, b - a - 1, LANE - 7 - 2 * inset);
      }
      if (tasks.lost[i]) flag(c, ink("ink"), a, y + inset);
      if (b - a > 14 && kind !== tasks.FOLD) this.label(c, ink(kind === FIZZLED ? "reply" : "ink"), i, Math.max(a, LEFT), b, y);
    }
  }
  pixels({ c, looks, across }, row, y) { // folds last: they are lower than the other kinds
    const { tasks, density } = this;
    const each = (this.to - this.from) / across;
    const seen = Array.from({ length: across }, (_, k) =>
      density.seen(row, this.from + k * each, this.from + (k + 1) * each));
    const order = ["step", "join", "known", "converted", "aborted", "fizzled", "fold"].map((name) => tasks.kinds.indexOf(name));
    for (const kind of order) {
      const inset = kind === tasks.FOLD ? 8 : 3;
      c.fillStyle = looks[kind][0];
      for (let k = 0; k < across; k++) {
        const begin = k;
        while (k < across && seen[k] >> kind & 1) k++;
        if (k > begin) c.fillRect(LEFT + begin, y + inset, k - begin, LANE - 6 - 2 * inset);
      }
    }
  }
  label(c, colour, i, a, b, y) {
    const sign = this.tasks.signs[this.tasks.kind[i]];
    const text = (sign && sign + " ") + this.tasks.way(this.tasks.place[i]);
    c.fillStyle = colour;
    c.textAlign = "left";
    const fits = text.length < (b - a) / 3 && c.measureText(text).width < b - a - 10;
    c.fillText(fits ? text : sign, a + (fits ? 5 : 2), y + LANE / 2 + 1);
  }
  ruler({ c, x, ink, across }) {
    const about = Math.max(2, Math.min(10, Math.floor(across / 90)));
    const rough = (this.to - this.from) / about;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough);
    c.textAlign = "center";
    for (let t = Math.ceil(this.from / step) * step; t <= this.to; t += step) {
      c.fillStyle = ink("rule");
      c.fillRect(x(t), TOP - 8, 1, this.tall);
      c.fillStyle = ink("soft");
      if (x(t) < LEFT + across - 16) c.fillText(duration(t), x(t), TOP - 12);
    }
  }
  areas({ c, x, ink, across, field, looks }) {
    const { sums, tasks } = this;
    const left = x(sums.from);
    const whole = x(sums.to) - left;
    const area = (y, high, name, layers, most) => {
      field(y, high, name, "0 to " + amount(most));
      const base = new Float64Array(layers[0][1].length);
      clipped(c, LEFT, y, across, high);
      for (const [colour, row] of layers) {
        c.fillStyle = colour;
        const each = whole / row.length;
        row.forEach((n, k) => {
          if (n > 0) c.fillRect(left + k * each, y + high * (1 - (base[k] + n) / most), each + 0.4, high * n / most);
          base[k] += n;
        });
      }
      c.restore();
    };
    const top = (row) => row.reduce((a, b) => Math.max(a, b), 0);
    area(this.BUSY, BUSY, "busy", [[ink("stepped"), sums.busy]], this.lanes.length);
    if (!this.hasSparks) return;
    const begun = SPARKS.map((name) => tasks.kinds.indexOf(name)).map((kind) => [looks[kind][0], sums.begun[kind]]);
    const together = sums.ready.map((_, k) => begun.reduce((n, [, row]) => n + row[k], 0));
    const most = (row) => Math.max(1, Math.ceil(top(row) - 1e-6)); // running sums are not exact
    area(this.STRIPS, STRIP - 6, "sparks ready", [[ink("window"), sums.ready]], most(sums.ready));
    area(this.STRIPS + STRIP, STRIP - 6, "started", begun, most(together));
    area(this.STRIPS + 2 * STRIP, STRIP - 6, "pool", [[ink("fold"), sums.pool]], most(sums.pool));
  }
  processes({ c, ink }) { // a bracket beside the lanes of each
    c.strokeStyle = ink("line");
    c.setLineDash([]);
    for (const { first, last } of this.tasks.processes) {
      const [high, low] = [this.LANES + first * LANE + 0.5, this.LANES + last * LANE + LANE - 6.5];
      c.beginPath();
      c.moveTo(6, high); c.lineTo(2.5, high); c.lineTo(2.5, low); c.lineTo(6, low);
      c.stroke();
    }
  }
  iterations({ c, x, ink, across }) {
    clipped(c, LEFT, 0, across, this.tall);
    c.textAlign = "center";
    for (const band of this.bands) {
      const [a, b] = [x(band.start), x(band.end)];
      if (b < LEFT || a > LEFT + across) continue;
      const [left, right] = [Math.max(a, LEFT), Math.min(b, LEFT + across)];
      c.fillStyle = ink("panel");
      c.fillRect(a, this.BANDS, Math.max(b - a, 1), BAND);
      c.strokeStyle = ink("line");
      c.setLineDash([]);
      c.strokeRect(a + 0.5, this.BANDS + 0.5, Math.max(b - a - 1, 0.5), BAND - 1);
      c.setLineDash([2, 3]);
      c.beginPath();
      c.moveTo(a, this.BANDS + BAND);
      c.lineTo(a, this.STRIPS - 6);
      c.stroke();
      c.fillStyle = ink("ink");
      const name = band.names.find((form) => c.measureText(form).width < right - left - 6);
      if (name) c.fillText(name, (left + right) / 2, this.BANDS + BAND / 2 + 4);
    }
    c.restore();
    c.setLineDash([]);
    c.fillStyle = ink("soft");
    c.textAlign = "right";
    if (this.bands.length) c.fillText("iterations", LEFT - 8, this.BANDS + BAND / 2 + 4);
  }
  // Returns the bar under a point, or within two pixels of it; sparks and steps before folds.
  at(x, y) {
    const { tasks } = this;
    const lane = this.lanes[Math.floor((y - this.LANES) / LANE)];
    if (!lane || x < LEFT) return -1;
    const [low, high] = [this.time(x - 2), this.time(x + 2)];
    const t = this.time(x);
    let [best, nearest] = [-1, Infinity];
    for (let k = tasks.first(lane, low); k < lane.length; k++) {
      const i = lane[k];
      const start = tasks.start[i];
      if (start > high) break;
      const away = Math.max(start - t, t - tasks.stop(i), 0);
      const far = away + (tasks.kind[i] === tasks.FOLD ? this.time(2) - this.time(0) : 0);
      if (far < nearest) [best, nearest] = [i, far];
    }
    return best;
  }
  band(x, y) {
    if (y < this.BANDS || y >= this.BANDS + BAND || x < LEFT) return "";
    const t = this.time(x);
    const band = this.bands.find((b) => b.start <= t && t <= b.end);
    return band ? band.names[0] + ": " + band.says : "";
  }
  strip(x, y) {
    const { sums } = this;
    const share = sums ? (this.time(x) - sums.from) / (sums.to - sums.from) : -1;
    if (x < LEFT || share < 0 || share >= 1) return "";
    const of = (row) => row[Math.floor(share * row.length)];
    const when = " around " + duration(this.time(x));
    if (y >= this.BUSY && y < this.BUSY + BUSY) return average(of(sums.busy)) + " workers busy" + when;
    const row = this.hasSparks ? Math.floor((y - this.STRIPS) / STRIP) : -1;
    const within = " in " + duration(sums.part) + when;
    if (row === 0) return counted(of(sums.ready), "spark") + " became ready" + within;
    if (row === 1) return SPARKS.map((name) => amount(of(sums.begun[this.tasks.kinds.indexOf(name)])) + " " + name)
      .filter((text) => !text.startsWith("0 ")).join(", ") + (" of the sparks started" + within);
    return row === 2 ? average(of(sums.pool)) + " sparks ready and not started" + when : "";
  }
}
