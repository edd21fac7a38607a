// Finds tasks by text: their moves, kind, outcome and reason.  Matches are highlighted in the
// timeline; Enter goes to the next match, Shift and Enter to the previous one.

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
  const look = () => { // whole words; if there are none, beginnings of words
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
