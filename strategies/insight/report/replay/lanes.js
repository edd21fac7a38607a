// The workers of a run over time: a bar is a task, painted up to the clock.

const LANE = 24; // pixels; less if there are so many workers that they would have to scroll
const SHORTEST = 4; // pixels of a task that took no time

class Lanes {
  constructor(place, side, end, signs) {
    [this.place, this.side, this.end, this.signs] = [place, side, end || 1, signs];
    this.svg = place.querySelector("svg");
  }

  fit() {
    const [wide, all] = [this.svg.parentNode.clientWidth - 2, this.place.parentNode];
    const above = all.children.length * wide > 1.1 * all.clientWidth ? all.children.length : 1;
    const room = parseFloat(getComputedStyle(all).maxHeight) / above - 34;
    const lane = Math.max(5, Math.min(LANE, Math.floor(room / this.side.workers)));
    const [high, every] = [Math.round(lane * 2 / 3), Math.ceil(11 / lane)];
    const [left, across] = [22, wide - 34];
    const x = (time) => left + across * time / this.end;
    const { tasks, workers } = this.side;
    this.svg.setAttribute("width", wide);
    this.svg.setAttribute("height", this.high = workers * lane + 8);
    this.bars = tasks.map(([worker, start, end, fate, nodes, names, visited]) => {
      const [from, to, y] = [x(start), x(end), worker * lane + 2 + (lane - high) / 2];
      const width = Math.max(SHORTEST, to - from - 1);
      const group = drawn("g", { class: "task" });
      const later = drawn("rect", { class: "later", x: from, y, width, height: high, rx: 2 });
      const bar = drawn("rect", { class: "bar", x: from, y, width: 0, height: high, rx: 2 });
      const sign = drawn("text", { class: "sign", x: from + width / 2, y: y + high / 2 + 4, "text-anchor": "middle" });
      group.append(later, bar, sign);
      group.dataset.tip = `${names}\nworker ${worker + 1}, ${fate}, ${counted(visited, "position")}`;
      return { group, bar, sign, from, width, start, end, fate, nodes: new Set(nodes) };
    });
    const lanes = Array.from({ length: workers }, (_, w) =>
      drawn("text", { class: "clock", x: 4, y: (w + 0.5) * lane + 6 }, w % every ? "" : String(w + 1)));
    this.hand = drawn("path", { class: "hand" });
    [this.x, this.signed] = [x, lane > 15];
    this.svg.replaceChildren(...lanes, ...this.bars.map((bar) => bar.group), this.hand);
  }

  paint(time) {
    this.bars.forEach((b, i) => {
      const done = this.side.ended.has(i);
      const share = time >= b.end ? 1 : time <= b.start ? 0 : (time - b.start) / (b.end - b.start);
      b.bar.setAttribute("width", done ? b.width : b.width * share);
      b.bar.setAttribute("class", "bar " + (done ? b.fate : "running"));
      b.sign.textContent = done && b.width > 12 && this.signed ? this.signs[b.fate] ?? "" : "";
    });
    const at = this.x(Math.min(time, this.end));
    this.hand.setAttribute("d", `M${at} 0V${this.high}`);
  }

  light(nodes) {
    for (const b of this.bars) b.group.classList.toggle("lit", Boolean(nodes && [...b.nodes].some((n) => nodes.has(n))));
  }
}
