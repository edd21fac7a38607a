// 2048 learned by TD(0) on afterstates: the same games as ours, by the same random numbers; with a
// rate of 0, played by what was learned.
#include <cstdint>

using Word = std::uint64_t;

static const std::int32_t *left, *right, *paid;
static float *weights;

static inline Word mix(Word x) {
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
    return x ^ (x >> 31);
}

static const Word GOLDEN = 0x9E3779B97F4A7C15;

static inline Word transpose(Word x) {
    Word a = (x & 0xF0F00F0FF0F00F0F) | ((x & 0x0000F0F00000F0F0) << 12) |
             ((x & 0x0F0F00000F0F0000) >> 12);
    return (a & 0xFF00FF0000FF00FF) | ((a & 0x00FF00FF00000000) >> 24) |
           ((a & 0x00000000FF00FF00) << 24);
}

static inline Word empties(Word x) {
    x |= x >> 1;
    x |= x >> 2;
    return ~x & 0x1111111111111111;
}

static inline Word slid(Word x, const std::int32_t *table) {
    Word out = 0;
    for (int row = 0; row < 64; row += 16) out |= Word(table[(x >> row) & 0xFFFF]) << row;
    return out;
}

static inline bool stuck(Word x) {
    if (empties(x)) return false;
    Word turned = transpose(x);
    return slid(x, left) == x && slid(turned, left) == turned;
}

// Cell k of the board as one of its eight symmetries shows it.
static constexpr int seen(int side, int k) {
    int row = k / 4, column = k % 4;
    if (side & 1) column = 3 - column;
    if (side & 2) row = 3 - row;
    return side & 4 ? 4 * column + row : 4 * row + column;
}

template <int N> static inline unsigned index(Word x) {
    constexpr int tuple = N / 8, side = N % 8;
    unsigned at = tuple << 24;
#define CELL(J) at += unsigned((x >> (4 * seen(side, TUPLES[tuple][J]))) & 15) << (4 * J)
    constexpr int TUPLES[4][6] = {
        {0, 1, 2, 3, 4, 5}, {4, 5, 6, 7, 8, 9}, {0, 1, 2, 4, 5, 6}, {4, 5, 6, 8, 9, 10}};
    CELL(0); CELL(1); CELL(2); CELL(3); CELL(4); CELL(5);
    return at;
}

template <int N> struct Each {
    static inline void indices(Word x, unsigned *out) {
        Each<N - 1>::indices(x, out);
        out[N - 1] = index<N - 1>(x);
    }
};
template <> struct Each<0> {
    static inline void indices(Word, unsigned *) {}
};

static inline double summed(Word x) {
    unsigned at[32];
    Each<32>::indices(x, at);
    double sum = 0;
    for (int n = 0; n < 32; ++n) sum += weights[at[n]];
    return sum;
}

static inline double secured(Word x) {
    int sum = 0;
    for (int row = 0; row < 64; row += 16) sum += paid[(x >> row) & 0xFFFF];
    return sum;
}

static inline double value(Word x) { return summed(x) + secured(x); }

static inline void revise(Word x, double target, double rate) {
    unsigned at[32];
    Each<32>::indices(x, at);
    double sum = 0;
    for (int n = 0; n < 32; ++n) sum += weights[at[n]];
    double step = rate * (target - sum - secured(x)) / 32;
    for (int n = 0; n < 32; ++n) weights[at[n]] = float(weights[at[n]] + step);
}

// Requires an empty cell; `word` is the random number.
static inline Word spawned(Word x, Word word) {
    Word free = empties(x);
    int many = __builtin_popcountll(free);
    double two = 0.9 / many, four = 0.1 / many;
    double rest = double(word >> 11) / 9007199254740992.0;
    Word found = x;
    for (; free; free &= free - 1) {
        Word cell = free & -free;
        found = x | cell;
        if ((rest -= two) < 0) break;
        found = x | (cell << 1);
        if ((rest -= four) < 0) break;
    }
    return found;
}

extern "C" long run(const std::int32_t *lefts, const std::int32_t *rights,
                    const std::int32_t *points, float *row, long first, long count, Word seed,
                    double rate, double *results) {
    left = lefts, right = rights, paid = points, weights = row;
    long moves = 0;
    *results = 0;
    for (long number = first; number < first + count; ++number) {
        Word word = mix(mix(seed) + GOLDEN * Word(number + 1));
        Word here = 0, after = 0;
        bool follows = false;
        word += GOLDEN, here = spawned(here, mix(word));
        word += GOLDEN, here = spawned(here, mix(word));
        while (!stuck(here)) {
            double best = -1e18;
            Word reached = here, turned = transpose(here);
            for (int direction = 0; direction < 4; ++direction) {
                Word before = direction < 2 ? here : turned;
                Word child = slid(before, direction & 1 ? right : left);
                if (child == before) continue;
                if (direction >= 2) child = transpose(child);
                double found = value(child);
                if (found > best) best = found, reached = child;
            }
            if (follows && rate > 0) revise(after, best, rate);
            after = reached, follows = true, ++moves;
            word += GOLDEN, here = spawned(reached, mix(word));
        }
        double result = secured(here);
        if (follows && rate > 0) revise(after, result, rate);
        *results += result;
    }
    return moves;
}
