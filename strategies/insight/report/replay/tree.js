// Paints a state on the tree: who is visited, with which window and value, and what became of it.

class Tree {
  constructor(stage, side, signs) {
    [this.stage, this.side, this.signs] = [stage, side, signs];
    this.svg = stage.querySelector("svg");
    this.marks = [...this.svg.querySelectorAll(".mark")];
    this.kinds = this.marks.map((mark) => mark.dataset.kind);
    this.parts = this.marks.map((mark) => ({
      sign: mark.querySelector(".sign"), value: mark.querySelector(".value"), bounds: mark.querySelector(".bounds"),
    }));
    this.branches = new Map([...this.svg.querySelectorAll(".branch")].map((b) => [Number(b.dataset.n), b]));
    titles(this.svg);
  }

  // Fits the tree to its stage if its texts stay large enough; else the stage scrolls.
  fit() {
    const { width, height } = this.svg.viewBox.baseVal;
    const [least, scrolled] = this.svg.querySelector(".tree.small") ? [0.35, 0.6] : [0.62, 0.8];
    const across = (this.stage.clientWidth - 4) / width;
    const fits = across >= least;
    const tall = Math.max((innerHeight * 0.5 - 4) / height, fits ? least : scrolled);
    const scale = Math.min(1.7, fits ? across : scrolled, tall);
    this.svg.setAttribute("width", Math.round(width * scale));
    this.svg.setAttribute("height", Math.round(height * scale));
  }

  paint() {
    const { side } = this;
    const line = side.line();
    const here = new Set(side.now.map((row) => row.n));
    side.nodes.forEach((node, n) => {
      const fate = node.fate && !(node.fate === "created" && node.seen) ? node.fate : "";
      const spark = !["", "cut", "inlined"].includes(fate);
      this.marks[n].setAttribute("class", ["mark", this.kinds[n], node.seen ? "" : "pruned",
        node.open ? "open" : "", here.has(n) ? "here" : "", fate && "fate-" + fate,
        this.lit?.has(n) ? "lit" : ""].filter(Boolean).join(" "));
      const parts = this.parts[n];
      set(parts.sign, this.signs[fate] ?? "");
      set(parts.value, node.seen && !node.open ? node.value : node.best && this.kinds[n] === "chance" ? "…" + node.best[1] : "");
      set(parts.bounds, node.seen && node.window ? "(" + side.window(n, this.kinds[n]).map((end) => end[1]).join(", ") + ")" : "");
      this.branches.get(n)?.setAttribute("class", ["branch", spark ? "spark" : "", node.seen ? "" : "unread",
        line.has(n) ? "line" : ""].filter(Boolean).join(" "));
    });
    this.follow(side.row?.n ?? 0);
  }

  light(nodes) {
    this.lit = nodes;
    this.marks.forEach((mark, n) => mark.classList.toggle("lit", Boolean(nodes?.has(n))));
  }

  // Scrolls the stage, not the page, so that a mark is in view.
  follow(n) {
    const [mark, stage] = [this.marks[n].getBoundingClientRect(), this.stage.getBoundingClientRect()];
    const off = (a, b, from, to) => (a < from + 30 ? a - from - 60 : b > to - 60 ? b - to + 90 : 0);
    this.stage.scrollLeft += off(mark.left, mark.right, stage.left, stage.right);
    this.stage.scrollTop += off(mark.top, mark.bottom, stage.top, stage.bottom);
  }
}

function set(element, text) {
  if (element && element.textContent !== text) element.textContent = text;
}

// The steps of a run as an ordered list, with the current ones marked.

class Trace {
  constructor(list, side, go) {
    [this.list, this.side, this.shown] = [list, side, []];
    this.items = side.rows.map((row, i) => {
      const item = element("li", row.s, { class: row.l ? "line" : "" });
      item.addEventListener("click", () => go(i));
      return item;
    });
    list.replaceChildren(...this.items);
  }

  paint() {
    const { at, now } = this.side;
    for (const item of this.shown) item.removeAttribute("aria-current");
    this.shown = at < 0 ? [] : this.items.slice(at - now.length + 1, at + 1);
    for (const item of this.shown) item.setAttribute("aria-current", "step");
    const last = this.items[Math.max(at, 0)];
    const [first] = this.shown;
    if (first) this.list.scrollTop = Math.max(Math.min(this.list.scrollTop, first.offsetTop - 40),
      last.offsetTop + last.offsetHeight - this.list.clientHeight + 30);
  }
}
