// Highlights in the timeline: a task with its inputs and users, matches, the selected box.

// Fades all lanes, and clips drawing to them until `c.restore()`.
function pale(view, { c, ink, across }) {
  clipped(c, LEFT, view.LANES, across, LANE * view.lanes.length);
  c.globalAlpha = 0.7;
  c.fillStyle = ink("paper");
  c.fillRect(LEFT, view.LANES, across, LANE * view.lanes.length);
  c.globalAlpha = 1;
}

// Draws the tasks that match the search; of those that share a pixel, the first.
function lightFound(view, paints) {
  const { tasks, lit } = view;
  pale(view, paints);
  const drawn = view.lanes.map(() => -9);
  for (const i of lit) {
    const [start, end] = [paints.x(tasks.start[i]), paints.x(tasks.stop(i))];
    if (end < LEFT || start > LEFT + paints.across || end < drawn[tasks.lane[i]]) continue;
    drawn[tasks.lane[i]] = Math.max(end, start + 1);
    solid(view, paints, i);
  }
  paints.c.restore();
}

// Draws the task that was clicked, its inputs and its users; fades all others.
function lightInputs(view, paints) {
  const { c, x, ink } = paints;
  const { tasks, pinned } = view;
  pale(view, paints);
  const line = (from, to, dashes) => {
    const [a, b] = [x(tasks.stop(from)), x(tasks.start[to])];
    const [p, q] = [view.y(from) - 3, view.y(to) - 3];
    c.strokeStyle = ink("ink");
    c.setLineDash(dashes);
    c.beginPath();
    c.moveTo(a, p);
    c.bezierCurveTo((a + b) / 2, p, (a + b) / 2, q, b, q);
    c.stroke();
  };
  const inputs = tasks.after[pinned];
  const users = tasks.users(pinned);
  for (const i of [...inputs, ...users, pinned]) solid(view, paints, i);
  for (const i of inputs) line(i, pinned, []);
  for (const i of users) line(pinned, i, [4, 3]);
  c.restore();
  outline(view, { c, x, ink }, pinned);
}

// Draws the critical path: a line under each of its tasks, and from one to the next.
function critical(view, { c, x, ink, across }) {
  clipped(c, LEFT, view.LANES, across, LANE * view.lanes.length);
  c.strokeStyle = ink("ink");
  c.setLineDash([]);
  c.lineWidth = 2;
  c.beginPath();
  for (const i of view.tasks.critical) {
    const y = view.y(i) + LANE / 2 - 8;
    c.lineTo(x(view.tasks.start[i]), y);
    c.lineTo(x(view.tasks.stop(i)), y);
  }
  c.stroke();
  c.restore();
}

function solid(view, { c, x, looks }, i) {
  const { tasks } = view;
  const inset = tasks.kind[i] === tasks.FOLD ? 8 : 3;
  c.fillStyle = looks[tasks.kind[i]][0];
  const wide = Math.max(2, x(tasks.stop(i)) - x(tasks.start[i]));
  c.fillRect(x(tasks.start[i]), view.y(i) - LANE / 2 + inset, wide, LANE - 6 - 2 * inset);
}

function outline(view, { c, x, ink }, i) {
  const { tasks } = view;
  const [a, b] = [Math.max(x(tasks.start[i]), LEFT), x(tasks.stop(i))];
  if (b < LEFT) return;
  c.strokeStyle = ink("ink");
  c.setLineDash([]);
  c.lineWidth = 2;
  c.strokeRect(a - 1, view.y(i) - LANE / 2, Math.max(b - a, 2) + 2, LANE - 6);
  c.lineWidth = 1;
}

// Draws the selected box.
function frame(view, { c, x, ink, across }) {
  const { from, to, top, bottom } = view.chosen;
  const [a, b] = [Math.max(LEFT, x(from)), Math.min(LEFT + across, x(to))];
  if (b < a) return;
  c.fillStyle = ink("edge");
  c.fillRect(a, view.LANES + top * LANE - 3, b - a, (bottom - top + 1) * LANE);
  c.strokeStyle = ink("ink");
  c.setLineDash([6, 3]);
  c.strokeRect(a + 0.5, view.LANES + top * LANE - 2.5, b - a - 1, (bottom - top + 1) * LANE - 1);
  c.setLineDash([]);
}

// Draws lost workers: a cross above the lanes, and a dotted line through them.
function losses(view, { c, x, ink, across }) {
  c.strokeStyle = ink("bad");
  for (const { time } of view.tasks.losses) {
    const at = x(Math.min(time, view.end));
    if (at < LEFT || at > LEFT + across) continue;
    const y = view.LANES - 6;
    c.lineWidth = 1.6;
    c.beginPath();
    c.moveTo(at - 4, y - 4); c.lineTo(at + 4, y + 4);
    c.moveTo(at + 4, y - 4); c.lineTo(at - 4, y + 4);
    c.stroke();
    c.lineWidth = 1;
    c.setLineDash([1, 3]);
    c.beginPath();
    c.moveTo(at, y); c.lineTo(at, view.STRIPS - 6);
    c.stroke();
    c.setLineDash([]);
  }
}

// Returns what was lost at the cross near a point.
function lossAt(view, x, y) {
  if (Math.abs(y - view.LANES + 6) > 7) return "";
  const at = (loss) => Math.abs(view.x(Math.min(loss.time, view.end)) - x);
  return view.tasks.losses.find((loss) => at(loss) < 7)?.says ?? "";
}

// Draws a triangle in the corner of a bar that was run again.
function flag(c, colour, x, y) {
  c.fillStyle = colour;
  c.beginPath();
  c.moveTo(x, y); c.lineTo(x + 7, y); c.lineTo(x, y + 7);
  c.fill();
}
