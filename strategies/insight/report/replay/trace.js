// The steps of a run as an ordered list, with the current ones marked.

class Trace {
  constructor(list, side, go) {
    [this.list, this.side, this.shown] = [list, side, []];
    this.items = side.rows.map((row, i) => {
      const item = element("li", row.s, { class: (row.l ? "line " : "") + "is-" + row.k });
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
