// Assembles the page once its data is read.

let data = null;
let timeline = null;
const redrawn = []; // what to redraw when the theme changes
themes(document.getElementById("theme"), () => redrawn.forEach((draw) => draw()));

function begin(read) {
  data = read;
  if (!data) return; // a page without tasks
  const tasks = new Tasks(data);
  const figure = document.getElementById("timeline-figure");
  timeline = new Timeline(figure, tasks, data.bands);
  const sparks = tasks.kind.reduce((n, kind) => n + tasks.spark[kind], 0);
  document.getElementById("count").textContent =
    counted(sparks, "spark") + " among " + counted(tasks.count, "bar");
  const tree = document.getElementById("overview-figure");
  const overview = tree && new Overview(tree, tasks, document.getElementById("branches"));
  redrawn.push(() => timeline.draw(), () => overview?.draw());
  finder(figure.querySelector(".find"), timeline, tasks);
  summed(timeline, tasks);
  pinned(timeline, tasks);
}

// Shows the totals of the selected box, or else of what is in view, shortly after the last change.
function summed(timeline, tasks) {
  const place = document.getElementById("totals");
  let late = 0;
  const tell = () => {
    const whole = timeline.from === 0 && timeline.to === tasks.end;
    const what = timeline.chosen ? "In the box" : whole ? "The whole run" : "In view";
    showTotals(place, tasks, timeline.chosen ?? timeline.seen(), what);
  };
  timeline.onmove = () => { clearTimeout(late); late = setTimeout(tell, 120); };
  tell();
}

// Lists the inputs and users of the clicked task, as buttons that go there.
function pinned(timeline, tasks) {
  const place = document.getElementById("pinned");
  const go = (i) => {
    const button = element("button", tasks.title(i), { type: "button" });
    button.addEventListener("click", () => { timeline.pinned = -1; timeline.reveal(i); timeline.pin(i); });
    return button;
  };
  const most = 12;
  const list = (title, row) => [
    element("span", title + " " + amount(row.length) + (row.length > most ? ", of which " + most : "") + ":"),
    ...row.slice(0, most).map(go),
  ];
  timeline.onpin = (i) => {
    place.hidden = i < 0;
    const lit = light(i < 0 ? -1 : data.marks[i] ?? -1);
    if (i < 0) return;
    place.replaceChildren(element("b", tasks.title(i)),
      ...list("waited for", tasks.after[i]), ...list("needed by", tasks.users(i)));
    if (!lit) return;
    const show = element("button", "in the graph", { type: "button" });
    show.addEventListener("click", () => lit.closest(".figure").scrollIntoView({ block: "center" }));
    place.append(show);
  };
}

// Highlights the mark of a task in the graph, or that of the subtree into which it is folded.
function light(number) {
  for (const mark of document.querySelectorAll("#graph .lit")) mark.classList.remove("lit");
  const mark = document.querySelectorAll("#graph .mark")[number];
  if (!mark) return null;
  mark.classList.add("lit");
  const box = mark.getBBox();
  views.get("graph-figure").show(box.x + box.width / 2, box.y + box.height / 2);
  return mark;
}

for (const svg of document.querySelectorAll("svg")) titles(svg);
const views = new Map();
for (const moving of document.querySelectorAll(".moving")) views.set(moving.id, picture(moving));

unpacked(begin);
