// The travelling salesman by branch and bound, in the same representation as ours.
#include <algorithm>

static int distances[SIZE][SIZE];
static int best;
static long nodes;

// The least length of a tour that begins so: each city is left by its shortest way that is open.
static int bound(long visited, int city, int length) {
    for (int c = 0; c < SIZE; ++c) {
        if (c != city && visited >> c & 1) continue;
        int least = 1 << 30;
        for (int to = 0; to < SIZE; ++to)
            if (to != c && (to == 0 || !(visited >> to & 1))) least = std::min(least, distances[c][to]);
        length += least;
    }
    return length;
}

static void expand(long visited, int city, int length) {
    ++nodes;
    for (int c = 0; c < SIZE; ++c) {
        if (visited >> c & 1) continue;
        long all = visited | 1L << c;
        int now = length + distances[city][c];
        if (all == (1L << SIZE) - 1) {
            int whole = now + distances[c][0];
            if (whole >= best) continue;
            ++nodes;
            best = whole;
        } else if (bound(all, c, now) < best) expand(all, c, now);
    }
}

extern "C" long run(const int *rows, long *visited) {
    std::copy(rows, rows + SIZE * SIZE, &distances[0][0]);
    best = 1 << 30;
    nodes = 0;
    expand(1, 0, 0);
    *visited = nodes;
    return -best;
}
