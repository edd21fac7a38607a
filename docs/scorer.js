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
};
