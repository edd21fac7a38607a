// 2048 learned by TD(0) on afterstates: the same games as ours, by the same random numbers; with a
// rate of 0, played by what was learned.  As ours, it reads tuples from the board as
// its symmetries show it, and fetches the weights of all next positions before it reads them; it
// revises those of an earlier position meanwhile.
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

static inline Word mirror(Word x) {
    return (x & 0xF000F000F000F000) >> 12 | (x & 0x0F000F000F000F00) >> 4 |
           (x & 0x00F000F000F000F0) << 4 | (x & 0x000F000F000F000F) << 12;
}

static inline Word upside(Word x) {
    return x >> 48 | (x >> 16 & 0xFFFF0000) | (x & 0xFFFF0000) << 16 | x << 48;
}

// The weights that a board selects: of four 6-tuples, each as the eight symmetries show it.
struct Selected {
    unsigned at[32];

    void find(Word x) {
        const Word both = upside(mirror(x));
        const Word seen[8] = {x, mirror(x), upside(x), transpose(x),
                              both, transpose(upside(x)), transpose(mirror(x)), transpose(both)};
        for (int k = 0; k < 8; ++k) {
            const Word y = seen[k];
            at[k] = y & 0xFFFFFF;
            at[8 + k] = (1u << 24) + (y >> 16 & 0xFFFFFF);
            at[16 + k] = (2u << 24) + ((y & 0xFFF) | (y >> 4 & 0xFFF000));
            at[24 + k] = (3u << 24) + ((y >> 16 & 0xFFF) | (y >> 20 & 0xFFF000));
        }
    }

    void fetch() const {
        for (int n = 0; n < 32; ++n) __builtin_prefetch(weights + at[n], 0, 3);
    }

    double sum() const {
        double part[4] = {0, 0, 0, 0};
        for (int n = 0; n < 32; ++n) part[n % 4] += weights[at[n]];
        return part[0] + part[1] + part[2] + part[3];
    }
};

static inline double secured(Word x) {
    int sum = 0;
    for (int row = 0; row < 64; row += 16) sum += paid[(x >> row) & 0xFFFF];
    return sum;
}

static inline void revise(Word x, double target, double rate) {
    Selected found;
    found.find(x);
    double step = rate * (target - found.sum() - secured(x)) / 32;
    for (unsigned at : found.at) weights[at] = float(weights[at] + step);
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
        Word here = 0, after = 0, due = 0;
        bool follows = false, waits = false;
        double target = 0;
        word += GOLDEN, here = spawned(here, mix(word));
        word += GOLDEN, here = spawned(here, mix(word));
        while (!stuck(here)) {
            double best = -1e18;
            Word reached = here, turned = transpose(here);
            Word children[4];
            Selected selected[4];
            int many = 0;
            for (int direction = 0; direction < 4; ++direction) {
                Word before = direction < 2 ? here : turned;
                Word child = slid(before, direction & 1 ? right : left);
                if (child == before) continue;
                if (direction >= 2) child = transpose(child);
                selected[many].find(child);
                selected[many].fetch();
                children[many++] = child;
            }
            if (waits) revise(due, target, rate), waits = false;
            for (int k = 0; k < many; ++k) {
                double found = selected[k].sum() + secured(children[k]);
                if (found > best) best = found, reached = children[k];
            }
            if (follows && rate > 0) due = after, target = best, waits = true;
            after = reached, follows = true, ++moves;
            word += GOLDEN, here = spawned(reached, mix(word));
        }
        if (waits) revise(due, target, rate);
        double result = secured(here);
        if (follows && rate > 0) revise(after, result, rate);
        *results += result;
    }
    return moves;
}
