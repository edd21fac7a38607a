// Riskless in the same representation as ours: a bit a territory, a word a bit of the armies.
// CAP, TARGET and PLIES are the map's limits.
#include <algorithm>
#include <cstdint>

using Word = std::uint64_t;

constexpr int WIN = 1000000, INFINITE = 2000000;

struct Front { Word side[2]; Word a[5]; int ply; };

static Word roads[64];

static inline int count(Word w) { return __builtin_popcountll(w); }

static inline int total(const Front &s, Word who) {
    int sum = 0;
    for (int p = 0; p < 5; ++p) sum += count(who & s.a[p]) << p;
    return sum;
}

static inline int armies(const Front &s, int v) {
    int n = 0;
    for (int p = 0; p < 5; ++p) n |= int((s.a[p] >> v) & 1) << p;
    return n;
}

// Whether the game is over; if so, its value.
static inline bool over(const Front &s, int &value) {
    if (!s.side[1]) { value = WIN; return true; }
    if (!s.side[0]) { value = -WIN; return true; }
    bool maxie = total(s, s.side[0]) >= TARGET, minnie = total(s, s.side[1]) >= TARGET;
    if (maxie != minnie) { value = maxie ? WIN : -WIN; return true; }
    value = 0;
    return maxie || s.ply >= PLIES;
}

static inline Front moved(const Front &s, int source, int end) {
    int me = s.ply & 1;
    Front t;
    t.ply = s.ply + 1;
    Word mine = s.side[me], theirs = s.side[1 - me], there = Word(1) << end;
    int from = armies(s, source), met = armies(s, end), left = from + met;
    if (theirs & there) left = from > met ? from - met : met - from;
    if (!(theirs & there) || from >= met) { mine |= there; theirs &= ~there; }
    left = std::min(left, CAP);
    Word keep = ~((Word(1) << source) | there), room = 0;
    for (int p = 0; p < 5; ++p) {
        t.a[p] = (s.a[p] & keep) | (Word((left >> p) & 1) << end);
        room = (CAP >> p) & 1 ? room | ~t.a[p] : room & ~t.a[p];
    }
    Word carry = (mine | theirs) & room;
    for (int p = 0; p < 5; ++p) {
        Word next = t.a[p] & carry;
        t.a[p] ^= carry;
        carry = next;
    }
    t.side[me] = mine;
    t.side[1 - me] = theirs;
    return t;
}

static int search(const Front &s, int depth, int alpha, int beta, long &nodes) {
    bool maxie = (s.ply & 1) == 0;
    int best = maxie ? -INFINITE : INFINITE;
    for (Word sources = s.side[s.ply & 1]; sources; sources &= sources - 1) {
        int source = __builtin_ctzll(sources);
        for (Word ends = roads[source]; ends; ends &= ends - 1) {
            Front child = moved(s, source, __builtin_ctzll(ends));
            ++nodes;
            int value;
            if (!over(child, value))
                value = depth == 1 ? total(child, child.side[0]) - total(child, child.side[1])
                                   : search(child, depth - 1, alpha, beta, nodes);
            if (maxie ? value > best : value < best) {
                best = value;
                if (maxie) alpha = std::max(alpha, best);
                else beta = std::min(beta, best);
                if (alpha >= beta) return best;
            }
        }
    }
    return best;
}

extern "C" long run(const Word *state, int ply, const Word *map, int size, int depth, long *nodes) {
    std::copy(map, map + size, roads);
    Front s{{state[0], state[1]}, {state[2], state[3], state[4], state[5], state[6]}, ply};
    *nodes = 1;
    return search(s, depth, -INFINITE, INFINITE, *nodes);
}
