// Connect Four solved by zero-window negamax over a table, with what is known of threats: the same
// questions, bounds, moves and order as ours, by somebody who knows that the game is Connect Four.
// After the algorithm of P. Pons (Solving Connect 4, 2015); the text is our own.
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <sys/mman.h>

using Word = std::uint64_t;

constexpr int WIDTH = 7, HEIGHT = 6, UP = HEIGHT + 1, CELLS = WIDTH * HEIGHT;

constexpr Word bottom() {
    Word cells = 0;
    for (int column = 0; column < WIDTH; ++column) cells |= Word(1) << (column * UP);
    return cells;
}

constexpr Word BOTTOM = bottom(), BOARD = BOTTOM * ((Word(1) << HEIGHT) - 1);

struct Discs { Word mover, all; };

// The empty cells that complete four of these discs.
static inline Word open_to(Word discs, Word all) {
    Word found = (discs << 1) & (discs << 2) & (discs << 3);
    for (int step : {UP - 1, UP, UP + 1}) {
        Word pair = (discs << step) & (discs << 2 * step);
        found |= pair & ((discs << 3 * step) | (discs >> step));
        pair = (discs >> step) & (discs >> 2 * step);
        found |= pair & ((discs >> 3 * step) | (discs << step));
    }
    return found & BOARD & ~all;
}

static inline Word playable(Word all) { return (all + BOTTOM) & BOARD; }

// The cells that can be played without losing by the next move.
static inline Word safe(Discs s) {
    Word threats = open_to(s.all ^ s.mover, s.all), cells = playable(s.all);
    Word forced = cells & threats;
    if (forced) cells = forced & (forced - 1) ? 0 : forced;
    return cells & ~(threats >> 1);
}

static inline Discs played_at(Discs s, Word cell) { return {s.all ^ s.mover, s.all | cell}; }

// The columns from one to another.
constexpr Word columns(int from, int to) {
    Word cells = 0;
    for (int column = from; column <= to; ++column)
        cells |= ((Word(1) << HEIGHT) - 1) << (column * UP);
    return cells;
}

// How many cells are open to the player who just moved; then how near to the middle his discs are.
static inline int promise(Discs child) {
    Word discs = child.all ^ child.mover;
    int near = 0;
    for (int edge = 1; edge <= WIDTH / 2; ++edge)
        near += __builtin_popcountll(discs & columns(edge, WIDTH - 1 - edge));
    return WIDTH * __builtin_popcountll(open_to(discs, child.all)) + near;
}

// One word a slot: the hash without its top BITS bits, and 8 bits of value: twice the score and
// whether it is a lower bound.  No two positions share a word: the mixing is one to one, and a key has
// 49 bits of 64, all of which the index and the word hold.
static Word *table;

static inline Word mix(Word w) {
    w = (w ^ (w >> 30)) * 0xBF58476D1CE4E5B9;
    w = (w ^ (w >> 27)) * 0x94D049BB133111EB;
    return w ^ (w >> 31);
}

static inline Word slot_of(Word hash) { return hash >> (64 - BITS); }

static inline Word hash_of(Discs s) { return mix(s.mover + s.all); }

static long visited;

// The score of a position whose mover cannot win at once: above 0 he wins, and as many as half of the
// cells that are left then; fail-soft, for a window of one.
static int prove(Discs s, int played, int alpha, int beta, Word hash) {
    ++visited;
    Word cells = safe(s);
    if (!cells) return -(CELLS - played) / 2;
    if (played >= CELLS - 2) return 0;
    int least = -(CELLS - 2 - played) / 2, most = (CELLS - 1 - played) / 2;
    if (least >= beta) return least;
    if (most <= alpha) return most;
    if (!(cells & (cells - 1))) {  // one move: the table knows the position after it
        Discs child = played_at(s, cells);
        Word after = hash_of(child);
        __builtin_prefetch(table + slot_of(after));
        return -prove(child, played + 1, -beta, -alpha, after);
    }
    Word *slot = table + slot_of(hash), tag = hash << BITS;
    if (((*slot ^ tag) >> 8) == 0 && (*slot & 0xFF)) {
        int value = int(*slot >> 1 & 0x7F) - 64;
        if (*slot & 1) { if (value >= beta) return value; }
        else if (value <= alpha) return value;
    }
    Discs children[WIDTH];
    Word hashes[WIDTH];
    int promises[WIDTH], count = 0;
    for (; cells; cells &= cells - 1, ++count) {
        children[count] = played_at(s, cells & -cells);
        hashes[count] = hash_of(children[count]);
        __builtin_prefetch(table + slot_of(hashes[count]));
        promises[count] = promise(children[count]);
    }
    int best = -CELLS;
    for (int left = count; left; --left) {
        int at = 0, most = promises[0];
        for (int k = 1; k < count; ++k)
            if (promises[k] > most) most = promises[at = k];
        promises[at] = -1;
        int value = -prove(children[at], played + 1, -beta, -alpha, hashes[at]);
        if (value > best) best = value;
        if (best >= beta) break;
    }
    *slot = tag | Word(best + 64) << 1 | (best >= beta);
    return best;
}

// The score of a position in play, and how many nodes were visited.
extern "C" int run(Word mover, Word all, long *nodes) {
    if (!table) {
        void *memory = std::aligned_alloc(1 << 21, (Word(1) << BITS) * sizeof(Word));
        madvise(memory, (Word(1) << BITS) * sizeof(Word), MADV_HUGEPAGE);
        table = static_cast<Word *>(memory);
        for (Word i = 0; i < Word(1) << BITS; ++i) table[i] = 0;
    }
    Discs s{mover, all};
    int played = __builtin_popcountll(all);
    visited = 1;
    int least = -(CELLS - played) / 2, most = (CELLS + 1 - played) / 2;
    if (open_to(mover, all) & playable(all)) least = most;
    while (least < most) {
        int middle = least + (most - least) / 2;
        if (middle <= 0 && least / 2 < middle) middle = least / 2;
        else if (middle >= 0 && most / 2 > middle) middle = most / 2;
        int value = prove(s, played, middle, middle + 1, hash_of(s));
        (value <= middle ? most : least) = value;
    }
    *nodes = visited;
    return least;
}
