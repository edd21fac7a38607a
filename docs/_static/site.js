// Boxes that scroll take the keyboard focus, so that the arrow keys can move them.
function reachable() {
  for (const box of document.querySelectorAll("pre, .table-wrapper, .output")) {
    if (box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
}
addEventListener("load", reachable);
addEventListener("resize", reachable);
