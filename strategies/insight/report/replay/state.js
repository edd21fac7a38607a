// One replayed run after some of its rows, from the data alone.

const IDLE = ["cut", "fizzled", "known"]; // what becomes of branches that nothing is searched of

class Side {
  constructor(data, up, names) {
    Object.assign(this, data);
    [this.up, this.names] = [up, names];
    this.reset();
  }

  reset() {
    this.at = -1;
    this.time = 0;
    this.ended = new Set();
    this.nodes = this.up.map(() => ({ seen: false, open: false, value: "", fate: "" }));
    this.counts = Object.fromEntries(this.names.map((name) => [name, 0]));
    this.now = [];
  }

  // Goes to the state after row k at a time; `now` has the rows of this step, from row `first` on.
  go(k, first, time) {
    if (k < this.at) this.reset();
    while (this.at < k) this.apply(this.rows[++this.at]);
    this.now = this.rows.slice(Math.min(first, k), k + 1);
    this.time = time;
  }

  // Work and span: those of the tasks that have ended, and of the running ones up to now.
  get spent() {
    let { work, span } = this.counts;
    this.tasks.forEach(([, start, end, , , , , before], i) => {
      if (start >= this.time || this.ended.has(i)) return;
      const ran = Math.min(this.time, end) - start;
      work += ran;
      span = Math.max(span, before + ran);
    });
    return { work, span };
  }

  apply(row) {
    const node = this.nodes[row.n];
    if ("e" in row) this.ended.add(row.e);
    for (const [i, n] of row.a ?? []) {
      const name = this.names[i];
      this.counts[name] = name === "span" ? Math.max(this.counts.span, n) : this.counts[name] + n;
    }
    if (row.k === "enter" && IDLE.includes(node.fate)) node.fate = "";
    if (row.k === "enter")
      Object.assign(node, { seen: true, open: true, value: "", window: row.w, best: null, lead: -1, range: null });
    else if (row.k === "leaf") node.value = row.v;
    else if (row.k === "return") Object.assign(node, { open: false, value: row.v });
    else if (row.k === "lead") Object.assign(node, { best: row.w, lead: row.b[0] ?? -1, range: row.r });
    else if (row.k === "cut") {
      for (const n of row.b) if (!this.nodes[n].seen && ["", "inlined"].includes(this.nodes[n].fate)) this.nodes[n].fate = "cut";
    } else if (row.k !== "end")
      for (const n of row.b) this.fated(n, row);
  }

  // Paints what becomes of a branch; a task that is no spark has no fate.
  fated(n, row) {
    if (row.k === "inside") Object.assign(this.nodes[n], { seen: true });
    else if (row.k === "done" || (row.k === "started" && !row.p)) return;
    else {
      const node = this.nodes[n];
      if (["converted", "aborted"].includes(row.k)) node.searched = row.k;
      // A spark that fizzles changes nothing where an earlier one has searched.
      node.fate = IDLE.includes(row.k) && node.seen ? node.searched ?? "" : row.k;
    }
  }

  // The window at a node, narrowed by its best so far, from the side of who moves there.
  window(n, kind) {
    const { window, best } = this.nodes[n];
    if (!window || kind === "leaf" || !best || best[0] === null) return window;
    const [lo, hi] = window;
    if (kind === "max") return [lo[0] === null || best[0] >= lo[0] ? best : lo, hi];
    if (kind === "min") return [lo, hi[0] === null || best[0] <= hi[0] ? best : hi];
    return window;
  }

  // The numbers of the positions on the best line so far.
  line() {
    const found = new Set();
    for (let n = 0; n >= 0 && this.nodes[n].seen && !found.has(n); n = this.nodes[n].lead ?? -1) found.add(n);
    return found;
  }

  get row() { return this.rows[this.at]; }
}

// The steps of the page: for each, the row that each side has reached.  Alone, a step is a row; of
// two sides, a step is a time of their common clock.
function steps(sides) {
  if (sides.length === 1) return sides[0].rows.map((row, i) => ({ time: row.t, at: [i] }));
  const times = [...new Set(sides.flatMap((side) => side.rows.map((row) => row.t)))].sort((a, b) => a - b);
  const at = sides.map(() => -1);
  return times.map((time) => {
    sides.forEach((side, s) => {
      while (at[s] + 1 < side.rows.length && side.rows[at[s] + 1].t <= time) at[s]++;
    });
    return { time, at: [...at] };
  });
}
