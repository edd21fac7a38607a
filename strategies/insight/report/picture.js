// Pictures: SVG that can be zoomed and panned, with the page's tooltip; and figures on a canvas.

// A figure that paints its canvas, at most once per frame; x and y are unscaled.
class Painted {
  // On a wide screen everything is drawn larger, like the rest of the page.
  get scale() { return this.canvas.clientWidth > 1500 ? 1.4 : 1; }
  draw() { this.asked ??= requestAnimationFrame(() => { this.asked = null; this.paint(); }); }
  // Empties the canvas, makes it so tall, and returns its context and the theme's colours by name.
  sheet(tall, size) {
    const { canvas, scale } = this;
    const [ratio, wide] = [devicePixelRatio || 1, canvas.clientWidth];
    canvas.style.height = scale * tall + "px";
    [canvas.width, canvas.height] = [wide * ratio, scale * tall * ratio];
    const style = getComputedStyle(canvas);
    const inks = {};
    const ink = (name) => inks[name] ??= style.getPropertyValue("--" + name).trim();
    const c = canvas.getContext("2d");
    c.scale(ratio * scale, ratio * scale);
    c.font = size + "px system-ui, sans-serif";
    return { c, ink };
  }
}

// Clips drawing to a box, until `c.restore()`.
function clipped(c, x, y, wide, tall) {
  c.save();
  c.beginPath();
  c.rect(x, y, wide, tall);
  c.clip();
}

// Makes the picture in a figure zoom and pan, by its view box.
function picture(figure) {
  const svg = figure.querySelector("svg");
  const whole = svg.viewBox.baseVal;
  const [width, height] = [whole.width, whole.height];
  svg.removeAttribute("width");
  svg.removeAttribute("height");
  svg.setAttribute("preserveAspectRatio", "xMinYMin meet");
  const tall = Math.min(600, height * Math.min(1, svg.clientWidth / width));
  svg.style.height = Math.max(tall, Math.min(600, height)) + "px";
  let box = [0, 0, 1, 1];
  const set = (x, y, w, h) => {
    box = [x, y, w, h];
    svg.setAttribute("viewBox", box.join(" "));
  };
  const natural = () => set(0, 0, Math.max(svg.clientWidth, 1), Math.max(svg.clientHeight, 1));
  const scale = () => Math.max(box[2] / svg.clientWidth, box[3] / svg.clientHeight);
  const view = {
    fit: () => set(0, 0, width, height),
    pan: (dx, dy) => set(box[0] - dx * scale(), box[1] - dy * scale(), box[2], box[3]),
    zoom: (factor, x, y) => {
      const s = scale();
      set(box[0] + x * s * (1 - 1 / factor), box[1] + y * s * (1 - 1 / factor),
        box[2] / factor, box[3] / factor);
    },
    show: (x, y) => set(x - box[2] / 2, y - box[3] / 2, box[2], box[3]),
  };
  natural();
  steer(figure, svg, view);
  return view;
}

// Shows the title of the innermost group that has one as a tooltip.
function titles(svg) {
  for (const title of svg.querySelectorAll("title")) {
    if (title.parentNode === svg) continue;
    title.parentNode.dataset.tip = title.textContent;
    title.remove(); // else the browser would show it a second time
  }
  svg.addEventListener("pointermove", (event) => {
    const mark = event.target.closest("[data-tip]");
    show(mark ? mark.dataset.tip : "", event);
  });
  svg.addEventListener("pointerleave", (event) => show("", event));
}
