// Buttons, keys, wheel and pointer of a figure with zoom(factor, x, y), pan(dx, dy) and fit().
// If it has box(from, to, done), that is called for boxes, drawn with Shift held or while
// `selecting` is set; if it has tap(x, y), that is called for clicks.

const STILL = 4; // pixels that a finger may move during a tap

function steer(figure, surface, view) {
  const middle = () => [surface.clientWidth / 2, surface.clientHeight / 2];
  const acts = {
    in: () => view.zoom(1.5, ...middle()),
    out: () => view.zoom(1 / 1.5, ...middle()),
    fit: () => view.fit(),
    ...view.acts,
  };
  const keys = { "+": acts.in, "=": acts.in, "-": acts.out, 0: acts.fit,
    ArrowLeft: () => view.pan(60, 0), ArrowRight: () => view.pan(-60, 0),
    ArrowUp: () => view.pan(0, 60), ArrowDown: () => view.pan(0, -60), ...view.keys };
  for (const button of figure.querySelectorAll("button"))
    button.addEventListener("click", () => acts[button.dataset.do]());
  surface.closest("[tabindex]").addEventListener("keydown", (event) => {
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  });
  surface.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return; // the page scrolls
    event.preventDefault();
    const box = surface.getBoundingClientRect();
    view.zoom(Math.exp(-event.deltaY / 200), event.clientX - box.left, event.clientY - box.top);
  }, { passive: false });
  let held = null;
  const place = (event) => {
    const box = surface.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  surface.addEventListener("pointerdown", (event) => {
    const at = place(event);
    held = { first: at, last: at, boxed: view.box && (event.shiftKey || view.selecting), moved: false };
    surface.setPointerCapture(event.pointerId);
  });
  surface.addEventListener("pointermove", (event) => {
    if (!held) return;
    const at = place(event);
    held.moved ||= Math.hypot(at[0] - held.first[0], at[1] - held.first[1]) > STILL;
    if (!held.moved) return;
    if (held.boxed) view.box(held.first, at, false);
    else view.pan(at[0] - held.last[0], at[1] - held.last[1]);
    held.last = at;
  });
  surface.addEventListener("pointerup", (event) => {
    if (held?.moved && held.boxed) view.box(held.first, place(event), true);
    else if (held && !held.moved) view.tap?.(...held.first);
    held = null;
  });
  surface.addEventListener("pointercancel", () => { held = null; });
  surface.addEventListener("dblclick", (event) => view.zoom(2, ...place(event)));
}
