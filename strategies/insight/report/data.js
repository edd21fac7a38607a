// Reads the data of the page.  Small data is JSON; larger data is compressed, which every browser
// since 2023 can read.

function unpacked(begin) {
  const text = document.getElementById("data");
  if (text.type === "application/json") begin(JSON.parse(text.textContent));
  else {
    const bytes = Uint8Array.from(atob(text.textContent), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    new Response(stream).json().then(begin);
  }
}
