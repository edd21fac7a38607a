// The window of the current node on a number line, with the best so far.

const SPACE = "http://www.w3.org/2000/svg";

function drawn(name, attributes, text = "") {
  const made = document.createElementNS(SPACE, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
}

class NumberLine {
  constructor(svg, words, sides) {
    [this.svg, this.words] = [svg, words];
    const found = sides.flatMap((side) => side.rows.flatMap((row) => [...(row.k === "enter" ? row.w ?? [] : []),
      ...(row.k === "lead" ? [row.w] : [])].map((end) => end[0]).concat(row.k === "leaf" ? [Number(row.v)] : [])));
    this.none = !sides.some((side) => side.rows.some((row) => row.k === "enter" && row.w));
    const plain = found.filter((x) => x !== null && Number.isFinite(x));
    [this.low, this.high] = plain.length ? [Math.min(...plain), Math.max(...plain)] : [0, 0];
    if (this.low === this.high) [this.low, this.high] = [this.low - 1, this.high + 1];
  }

  paint(window, { best, range }, kind) {
    const wide = this.svg.clientWidth || 300;
    const [left, right] = [34, wide - 34];
    const at = (x) => left + 12 + (right - left - 24) * (x - this.low) / (this.high - this.low);
    const parts = [drawn("path", { class: "axis", d: `M${left} 30H${right}` }),
      drawn("text", { class: "clock", x: left - 6, y: 33, "text-anchor": "end" }, "-∞"),
      drawn("text", { class: "clock", x: right + 6, y: 33 }, "∞")];
    for (const x of [this.low, this.high]) parts.push(drawn("path", { class: "axis", d: `M${at(x)} 27v6` }));
    if (window) this.window(parts, window, at, left, right);
    if (range) { // where a mean can still end
      const [from, to] = range.map((x) => at(Math.max(this.low, Math.min(this.high, x))));
      parts.push(drawn("rect", { class: "range", x: from, y: 38, width: Math.max(2, to - from), height: 4 }));
    }
    if (best && best[0] !== null)
      parts.push(drawn("circle", { class: "best", cx: at(best[0]), cy: 30, r: 4.5 }),
        drawn("text", { class: "bestof", x: at(best[0]), y: 52, "text-anchor": "middle" }, (kind === "chance" ? "mean " : "best ") + best[1]));
    this.svg.replaceChildren(...this.none ? [] : parts);
    this.words.textContent = window ? this.told(window) : this.none ? "No window: each player has a value." : "";
  }

  window(parts, [lo, hi], at, left, right) {
    const [a, b] = [lo[0] === null ? (lo[1][0] === "-" || lo[1].startsWith("Minnie") ? left : right) : at(lo[0]),
      hi[0] === null ? (hi[1][0] === "-" || hi[1].startsWith("Minnie") ? left : right) : at(hi[0])];
    const closed = a >= b;
    parts.push(drawn("rect", { class: closed ? "band shut" : "band", x: Math.min(a, b) - (closed ? 2 : 0), y: 24,
      width: Math.abs(b - a) + (closed ? 4 : 0), height: 12, rx: 3 }));
    const near = Math.abs(b - a) < 44;
    parts.push(drawn("text", { class: "end", x: a, y: 16, "text-anchor": near ? "end" : "middle" }, "α " + (lo[0] === null ? "" : lo[1])),
      drawn("text", { class: "end", x: b, y: 16, "text-anchor": near ? "start" : "middle" }, "β " + (hi[0] === null ? "" : hi[1])));
  }

  told(window) {
    const [a, b] = window.map(([, text, from], i) => "αβ"[i] + " = " + text + (from ? ", from " + from : ""));
    const [lo, hi] = window.map((end) => end[0]);
    const closed = lo !== null && hi !== null && lo >= hi;
    return a + "; " + b + (closed ? ": closed" : "");
  }
}
