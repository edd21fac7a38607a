// The order of search results: public objects, then titles, then words in the text.
var Scorer = {
  objNameMatch: 60,
  objPartialMatch: 20,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 40,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
  // Pages whose title has every word of the query come first.
  // The page of a public object before its members elsewhere, objects without a public name last.
  score: ([page, title, , , score]) => {
    if (!page.startsWith("api/")) {
      const query = new URLSearchParams(window.location.search).get("q") || "";
      const words = query.toLowerCase().match(/[\w-]+/g) || [];
      return words.length > 1 && words.every((word) => title.toLowerCase().includes(word)) ? score + 50 : score;
    }
    const own = page.slice("api/".length).replace(/-class$/, "");
    if (title === own && score >= 60) return score + 40; // the whole name matches
    return page.endsWith("-module") ? score - 30 : score;
  },
};
