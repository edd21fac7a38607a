// The workers of a run over time: a bar is a task, painted up to the clock.

const LANE = 24;
const SHORTEST = 4; // pixels of a task that took no time

class Lanes {
  constructor(place, side, end, signs) {
    [this.place, this.side, this.end, this.signs] = [place, side, end || 1, signs];
    this.svg = place.querySelector("svg");
  }

  fit() {
    const wide = this.svg.parentNode.clientWidth - 2;
    const [left, across] = [22, wide - 34];
    const x = (time) => left + across * time / this.end;
    const { tasks, workers } = this.side;
    this.svg.setAttribute("width", wide);
    this.svg.setAttribute("height", workers * LANE + 8);
    this.bars = tasks.map(([worker, start, end, fate, nodes, names, visited]) => {
      const [from, to, y] = [x(start), x(end), worker * LANE + 6];
      const width = Math.max(SHORTEST, to - from - 1);
      const group = drawn("g", { class: "task" });
      const later = drawn("rect", { class: "later", x: from, y, width, height: LANE - 8, rx: 2 });
      const bar = drawn("rect", { class: "bar", x: from, y, width: 0, height: LANE - 8, rx: 2 });
      const sign = drawn("text", { class: "sign", x: from + width / 2, y: y + 12, "text-anchor": "middle" });
      group.append(later, bar, sign);
      group.dataset.tip = `${names}\nworker ${worker + 1}, ${fate}, ${counted(visited, "position")}`;
      return { group, bar, sign, from, to, width, start, end, fate, nodes: new Set(nodes) };
    });
    const lanes = Array.from({ length: workers }, (_, w) =>
      drawn("text", { class: "clock", x: 4, y: w * LANE + 18 }, String(w + 1)));
    this.hand = drawn("path", { class: "hand" });
    this.x = x;
    this.svg.replaceChildren(...lanes, ...this.bars.map((bar) => bar.group), this.hand);
  }

  paint(time) {
    this.bars.forEach((b, i) => {
      const done = this.side.ended.has(i);
      const share = time >= b.end ? 1 : time <= b.start ? 0 : (time - b.start) / (b.end - b.start);
      b.bar.setAttribute("width", done ? b.width : b.width * share);
      b.bar.setAttribute("class", "bar " + (done ? b.fate : "running"));
      b.sign.textContent = done && b.width > 12 ? this.signs[b.fate] ?? "" : "";
    });
    const at = this.x(Math.min(time, this.end));
    this.hand.setAttribute("d", `M${at} 0V${this.side.workers * LANE + 8}`);
  }

  light(nodes) {
    for (const b of this.bars) b.group.classList.toggle("lit", Boolean(nodes && [...b.nodes].some((n) => nodes.has(n))));
  }
}
