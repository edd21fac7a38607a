// 2048: exact expectimax; rows by table, a 2 and a 4 on every empty cell, values as sums of rows.
#include <cstdint>

using Word = std::uint64_t;

static const std::int32_t *left, *right, *worth;

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

static inline double estimate(Word x) {
    Word turned = transpose(x);
    int sum = 0;
    for (int row = 0; row < 64; row += 16)
        sum += worth[(x >> row) & 0xFFFF] + worth[(turned >> row) & 0xFFFF];
    return sum;
}

// A position without a move is worth the points of its tiles.
static double points(Word x) {
    long sum = 0;
    for (int cell = 0; cell < 64; cell += 4) {
        int power = (x >> cell) & 15;
        if (power > 1) sum += long(power - 1) << power;
    }
    return double(sum);
}

static double chance(Word x, int depth, long &nodes);

// Requires a position in which some move changes the board; none gives -1.
static double best_move(Word x, int depth, long &nodes) {
    double best = -1;
    Word turned = transpose(x);
    for (int direction = 0; direction < 4; ++direction) {
        Word before = direction < 2 ? x : turned;
        Word after = slid(before, direction & 1 ? right : left);
        if (after == before) continue;
        if (direction >= 2) after = transpose(after);
        ++nodes;
        double value = depth == 1 ? estimate(after) : chance(after, depth - 1, nodes);
        if (value > best) best = value;
    }
    return best;
}

static bool stuck(Word x) {
    if (empties(x)) return false;
    Word turned = transpose(x);
    return slid(x, left) == x && slid(turned, left) == turned;
}

static double chance(Word x, int depth, long &nodes) {
    Word free = empties(x);
    int many = __builtin_popcountll(free);
    double two = 0.9 / many, four = 0.1 / many, mean = 0;
    for (; free; free &= free - 1) {
        Word cell = free & -free;
        for (int power = 0; power < 2; ++power) {
            Word child = x | (cell << power);
            ++nodes;
            double value = stuck(child) ? points(child)
                           : depth == 1 ? estimate(child)
                                        : best_move(child, depth - 1, nodes);
            mean += (power ? four : two) * value;
        }
    }
    return mean;
}

extern "C" double run(Word cells, int depth, const std::int32_t *lefts,
                      const std::int32_t *rights, const std::int32_t *worths, long *nodes) {
    left = lefts;
    right = rights;
    worth = worths;
    *nodes = 1;
    return best_move(cells, depth, *nodes);
}
