// Connect Four: fail-soft negamax with alpha-beta on two bitboards; the leaf is 0.
// Wins are found in the parent, as a programmer in a hurry would write it: no call for a leaf.
#include <cstdint>
#include <initializer_list>

using Word = std::uint64_t;

constexpr int WIDTH = 7, HEIGHT = 6, UP = HEIGHT + 1;
constexpr int WIN = 1000, INFINITE = 2000;

struct Discs { Word mover, all; };

static inline bool aligned(Word discs) {
    for (int step : {1, UP - 1, UP, UP + 1}) {
        Word pairs = discs & (discs >> step);
        if (pairs & (pairs >> (2 * step))) return true;
    }
    return false;
}

static int search(Discs s, int depth, int played, int alpha, int beta, long &nodes) {
    int best = -INFINITE;
    for (int column = 0; column < WIDTH; ++column) {
        if ((s.all >> (column * UP + HEIGHT - 1)) & 1) continue;
        Discs child{s.all ^ s.mover, s.all | (s.all + (Word(1) << (column * UP)))};
        ++nodes;
        int value;
        if (aligned(child.all ^ child.mover)) value = WIN;
        else if (depth == 1 || played + 1 == WIDTH * HEIGHT) value = 0;
        else value = -search(child, depth - 1, played + 1, -beta, -alpha, nodes);
        if (value > best) {
            best = value;
            if (best > alpha) alpha = best;
            if (alpha >= beta) break;
        }
    }
    return best;
}

extern "C" long run(Word mover, Word all, int depth, long *nodes) {
    *nodes = 1;
    return search({mover, all}, depth, __builtin_popcountll(all), -INFINITE, INFINITE, *nodes);
}
