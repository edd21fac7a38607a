// Totals over a box of time and workers: by the outcomes of tasks, by their kind, by ply and by the
// first branch; for values, by the functions that they call.

const GROUPS = {
  outcome: (tasks) => [(i) => tasks.kind[i], (k) => tasks.kinds[k]],
  "kind of task": (tasks) => [(i) => tasks.name[i], (k) => tasks.words[k]],
  ply: (tasks) => [(i) => tasks.plies[tasks.place[i]], (k) => String(k)],
  "first branch": (tasks) => [(i) => tasks.tops[tasks.place[i]], (p) => (p ? tasks.way(p) : "none")],
};
const OF_TASKS = { // the whole search, its threads or its trees: no branches of a tree
  outcome: GROUPS.outcome, "kind of task": GROUPS["kind of task"],
  task: (tasks) => [(i) => tasks.place[i], (p) => tasks.way(p)],
};
const APART = ["outcome", "kind of task"]; // these groups have joins of their own
const OF_VALUES = { // the places of values are calls, not a tree
  kind: GROUPS.outcome,
  call: (tasks) => [(i) => tasks.move[tasks.place[i]], (k) => tasks.words[k] || "puts values together"],
};
const HEADS = ["tasks", "time", "CPU time", "nodes", "leaves"];
const MEANS = { tasks: "tasks that overlap the box", time: "time in tasks inside the box",
  "CPU time": "processor time of these tasks", nodes: "positions that they visited",
  leaves: "positions that they evaluated" };
const MANY = 40; // the most rows of a table; the rows with the least time are merged

// Adds up the tasks that overlap the box: their time inside the box, and all their other numbers.
// Joins are no tasks: only a group of joins counts them.
function totals(tasks, box) {
  const all = [0, 0, 0, 0, 0];
  let joins = 0;
  const groups = Object.entries(tasks.values ? OF_VALUES : tasks.tree ? GROUPS : OF_TASKS).map(([name, of]) => [name, ...of(tasks), new Map()]);
  for (let i = 0; i < tasks.count; i++) {
    const [start, end] = [tasks.start[i], tasks.stop(i)];
    if (start > box.to || end < box.from || tasks.lane[i] < box.top || tasks.lane[i] > box.bottom) continue;
    const took = Math.min(end, box.to) - Math.max(start, box.from);
    const join = tasks.kinds[tasks.kind[i]] === "join";
    joins += join;
    const sums = [join ? 0 : 1, took, tasks.cpu[i], tasks.nodes[i], tasks.leaves[i]];
    for (const [name, key, , found] of groups) {
      const k = key(i);
      let row = found.get(k);
      if (!row) found.set(k, row = [0, 0, 0, 0, 0]);
      for (let n = 0; n < 5; n++) row[n] += sums[n];
      row[0] += join && APART.includes(name);
    }
    for (let n = 0; n < 5; n++) all[n] += sums[n];
  }
  return { all, joins, groups: groups.map(([name, , word, found]) => [name, grouped(found, word, name === "ply")]) };
}

function grouped(found, word, inOrder) {
  const rows = [...found].sort(inOrder ? (a, b) => a[0] - b[0] : (a, b) => b[1][1] - a[1][1]);
  const named = rows.slice(0, MANY).map(([k, sums]) => [word(k), sums]);
  const rest = rows.slice(MANY);
  if (rest.length) named.push([rest.length + " others",
    rest.reduce((sum, [, sums]) => sum.map((x, n) => x + sums[n]), [0, 0, 0, 0, 0])]);
  return named;
}

const cells = (sums, most) => sums.slice(0, most).map((x, n) => (n === 1 || n === 2 ? duration(x) : amount(x)));

function showTotals(place, tasks, box, what) {
  const { all, joins, groups } = totals(tasks, box);
  const lanes = box.bottom - box.top + 1;
  const of = lanes * (box.to - box.from);
  place.querySelector("output").textContent = `${what}, ${duration(box.from)} to ${duration(box.to)} on `
    + `${counted(lanes, "worker")}: ${counted(all[0], "task")}, `
    + (joins ? counted(joins, "join") + ", " : "") + `${duration(all[1])} in tasks `
    + `(${of ? Math.round(100 * all[1] / of) : 0}% of the workers' time)`
    + (tasks.values ? "" : `, ${amount(all[3])} nodes`);
  const heads = HEADS.slice(0, tasks.values ? 3 : HEADS.length);
  place.querySelector(".tables").replaceChildren(...groups.map(([name, rows]) => {
    const table = element("table", "");
    const head = table.createTHead().insertRow();
    head.append(element("th", name, { scope: "col" }),
      ...heads.map((text) => element("th", text, { class: "num", scope: "col", title: MEANS[text] })));
    const body = table.createTBody();
    for (const [text, sums] of rows)
      body.insertRow().append(element("th", text, { scope: "row" }),
        ...cells(sums, heads.length).map((cell) => element("td", cell, { class: "num" })));
    return table;
  }));
}
