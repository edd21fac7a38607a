// What is wider than its place can be moved by keys: it takes the focus while it is.
function reachable() {
  for (const box of document.querySelectorAll("pre, .table-wrapper, .output")) {
    if (box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
}
addEventListener("load", reachable);
addEventListener("resize", reachable);
