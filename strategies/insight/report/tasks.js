// The tasks of a run as typed columns, in order of their starts; there may be many thousands.

const SPARKS = ["converted", "aborted", "fizzled", "known"];

class Tasks {
  constructor(data) {
    const floats = (name) => Float64Array.from(data[name]);
    const numbers = (name) => Uint32Array.from(data[name]);
    this.count = data.start.length;
    this.end = data.seconds * 1e9 || 1;
    [this.kinds, this.words, this.values, this.tree] = [data.kinds, data.words, data.values, data.tree];
    this.after = data.after.map((row, i) => row.map((before) => i - before));
    for (const name of ["start", "ready", "took", "cpu", "nodes", "leaves"]) this[name] = floats(name);
    for (const name of ["lane", "kind", "name", "place", "window", "found", "why", "sent", "lost"])
      this[name] = numbers(name);
    this.readPlaces(data.places);
    [this.processes, this.losses, this.critical, this.signs] = [data.processes, data.losses, data.critical, data.signs];
    this.lanes = Array.from({ length: data.workers }, () => []);
    for (let i = 0; i < this.count; i++) this.lanes[this.lane[i]].push(i);
    this.FOLD = this.kinds.indexOf("fold");
    this.spark = Uint8Array.from(this.kinds, (kind) => SPARKS.includes(kind));
  }
  // Reads the tree of places; each comes after its parent.
  readPlaces({ up, move }) {
    Object.assign(this, { up, move, plies: up.map(() => 0), tops: up.map(() => 0) });
    for (let p = 1; p < up.length; p++) {
      this.plies[p] = this.plies[up[p]] + 1;
      this.tops[p] = up[p] ? this.tops[up[p]] : p;
    }
  }
  way(place) { // the moves to a place
    const moves = [];
    for (let p = place; p; p = this.up[p]) moves.push(this.words[this.move[p]]);
    return moves.reverse().join(" ") || (this.values ? "puts values together" : "the root");
  }
  stop(i) { return this.start[i] + this.took[i]; }
  word(name, i) { return this.words[this[name][i]]; }
  // Returns the tasks that waited for a task; the lists are made at the first call.
  users(i) {
    if (!this.used) {
      this.used = Array.from({ length: this.count }, () => []);
      this.after.forEach((inputs, user) => inputs.forEach((input) => this.used[input].push(user)));
    }
    return this.used[i];
  }
  title(i) { return this.word("name", i) + " " + this.way(this.place[i]); }
  told(i) {
    const kind = this.kinds[this.kind[i]];
    const lines = [this.title(i)];
    if (this.values) lines.push(kind === "converted" ? "in parallel" : "in order");
    else if (kind !== "fold") {
      lines.push("window " + this.word("window", i));
      const why = this.word("why", i);
      lines.push(kind === "step" ? "searched in order"
        : (kind === "join" ? "joined a running task" : kind) + (why && ": " + why));
      if (this.word("found", i)) lines.push("found " + this.word("found", i));
      lines.push(amount(this.nodes[i]) + " nodes, " + amount(this.leaves[i]) + " leaves");
    }
    const waited = this.start[i] - this.ready[i];
    lines.push(duration(this.took[i]) + " (" + duration(this.cpu[i]) + " of CPU time), from "
      + duration(this.start[i]) + (waited > 0 ? ", " + duration(waited) + " after it was ready" : ""));
    if (this.lost[i])
      lines.push("run again: lost with its worker" + (this.lost[i] > 1 ? " " + this.lost[i] + " times" : ""));
    return lines.join("\n");
  }
  // Returns the index of the first bar of a lane that ends at or after a time.
  first(lane, time) {
    let [low, high] = [0, lane.length];
    while (low < high) {
      const mid = (low + high) >> 1;
      if (this.stop(lane[mid]) < time) low = mid + 1; else high = mid;
    }
    return low;
  }
}

// The kinds of tasks of a lane in each of many equal intervals of the run, as bits.  Crowded pixels
// are painted from these, so that the cost depends on the pixels and not on the tasks.
class Density {
  constructor(tasks, parts = 1 << 15) {
    this.each = tasks.end / parts;
    this.lanes = tasks.lanes.map((lane) => {
      const bits = new Uint8Array(parts);
      for (const i of lane) {
        const last = Math.min(parts - 1, Math.floor(tasks.stop(i) / this.each));
        for (let k = Math.floor(tasks.start[i] / this.each); k <= last; k++) bits[k] |= 1 << tasks.kind[i];
      }
      return bits;
    });
  }
  // Returns the kinds between two times.
  seen(lane, from, to) {
    const bits = this.lanes[lane];
    const last = Math.min(bits.length - 1, Math.floor(to / this.each));
    let found = 0;
    for (let k = Math.max(0, Math.floor(from / this.each)); k <= last; k++) found |= bits[k];
    return found;
  }
}
