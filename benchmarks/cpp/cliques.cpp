// The largest clique by branch and bound with greedy colouring, in the same representation as ours.
#include <cstdint>

using Word = std::uint64_t;

struct Bits { Word w[WORDS]; };

static Bits neighbours[64 * WORDS];
static int best;
static long nodes;

static void expand(const Bits &candidates, int size) {
    ++nodes;
    int order[64 * WORDS], colours[64 * WORDS], count = 0, colour = 0;
    Bits left = candidates;
    for (;;) {
        Word any = 0;
        for (int k = 0; k < WORDS; ++k) any |= left.w[k];
        if (!any) break;
        ++colour;
        Bits free = left;
        for (int at = 0; at < WORDS; ++at)
            while (free.w[at]) {
                int bit = 63 - __builtin_clzll(free.w[at]), vertex = 64 * at + bit;
                order[count] = vertex;
                colours[count++] = colour;
                left.w[at] ^= Word(1) << bit;
                free.w[at] ^= Word(1) << bit;
                for (int k = at; k < WORDS; ++k) free.w[k] &= ~neighbours[vertex].w[k];
            }
    }
    left = candidates;
    for (int i = count - 1; i >= 0; --i) {
        int vertex = order[i];
        if (size + colours[i] <= best) return;
        left.w[vertex / 64] ^= Word(1) << vertex % 64;
        Bits both;
        Word any = 0;
        for (int k = 0; k < WORDS; ++k) any |= both.w[k] = left.w[k] & neighbours[vertex].w[k];
        if (any) expand(both, size + 1);
        else {
            ++nodes;
            if (size + 1 > best) best = size + 1;
        }
    }
}

extern "C" long run(const Word *rows, int vertices, long *visited) {
    Bits whole;
    for (int k = 0; k < WORDS; ++k) whole.w[k] = 0;
    for (int v = 0; v < vertices; ++v) {
        whole.w[v / 64] |= Word(1) << v % 64;
        for (int k = 0; k < WORDS; ++k) neighbours[v].w[k] = rows[v * WORDS + k];
    }
    best = nodes = 0;
    expand(whole, 0);
    *visited = nodes;
    return best;
}
