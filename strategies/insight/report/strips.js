// The strips under the lanes, over the same time: sparks that became ready, started, or waited in
// the pool.  Above them, the number of busy workers.  All in one pass over the tasks.

const GRAIN = 5; // pixels per interval in which events are counted

function strips(tasks, from, to, across) {
  const few = Math.max(1, Math.floor(across / GRAIN));
  const [fine, coarse] = [(to - from) / across, (to - from) / few];
  const rows = {
    busy: new Float64Array(across), pool: new Float64Array(across),
    ready: new Float64Array(few), begun: tasks.kinds.map(() => new Float64Array(few)),
  };
  const steps = { busy: new Float64Array(across + 1), pool: new Float64Array(across + 1) };
  // The ends of a span are added exactly; the pixels between by two steps of a running sum.
  const spread = (name, a, b) => {
    if (b <= from || a >= to || b <= a) return;
    const [left, right] = [Math.max(a, from) - from, Math.min(b, to) - from];
    const first = Math.min(across - 1, Math.floor(left / fine));
    const last = Math.min(across - 1, Math.floor(right / fine));
    const row = rows[name];
    if (first === last) { row[first] += right - left; return; }
    row[first] += (first + 1) * fine - left;
    row[last] += right - last * fine;
    steps[name][first + 1] += fine;
    steps[name][last] -= fine;
  };
  const count = (row, time) => {
    if (time >= from && time <= to) row[Math.min(few - 1, Math.floor((time - from) / coarse))] += 1;
  };
  for (let i = 0; i < tasks.count; i++) {
    const [start, kind] = [tasks.start[i], tasks.kind[i]];
    spread("busy", start, start + tasks.took[i]);
    if (!tasks.spark[kind]) continue;
    spread("pool", tasks.ready[i], start);
    count(rows.ready, tasks.ready[i]);
    count(rows.begun[kind], start);
  }
  for (const name of ["busy", "pool"]) {
    let inside = 0;
    for (let k = 0; k < across; k++) {
      inside += steps[name][k];
      rows[name][k] = (rows[name][k] + inside) / fine;
    }
  }
  return { ...rows, part: coarse };
}
