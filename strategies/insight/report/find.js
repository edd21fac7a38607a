// Finds tasks by their words: the moves to them, their kind, what became of them and why.  What is
// found stands out in the timeline; Enter goes to the next, with Shift to the one before.

function finder(place, timeline, tasks) {
  const [input, told] = [place.querySelector("input"), place.querySelector("output")];
  let [texts, at] = [null, -1];
  const having = (words) => {
    texts ??= Array.from({ length: tasks.count }, (_, i) =>
      ` ${tasks.title(i)} ${tasks.kinds[tasks.kind[i]]} ${tasks.word("why", i)} `.toLowerCase());
    return texts.flatMap((text, i) => (text.includes(words) ? [i] : []));
  };
  const tell = () => {
    const many = counted(timeline.lit.length, "task");
    told.textContent = !input.value.trim() ? "" : at < 0 ? many : `${amount(at + 1)} of ${many}`;
  };
  const look = () => { // whole words; beginnings of words where there are none
    const words = " " + input.value.trim().toLowerCase();
    const found = words === " " ? [] : having(words + " ");
    timeline.lit = found.length || words === " " ? found : having(words);
    at = -1;
    tell();
    timeline.draw();
  };
  const go = (step) => {
    const { length } = timeline.lit;
    if (!length) return;
    at = at < 0 && step < 0 ? length - 1 : (at + step + length) % length;
    tell();
    timeline.tell(timeline.lit[at]);
  };
  input.addEventListener("input", look);
  input.addEventListener("blur", (event) => show("", event));
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") go(event.shiftKey ? -1 : 1);
    if (event.key !== "Escape") return;
    input.value = "";
    show("", event);
    look();
  });
}
