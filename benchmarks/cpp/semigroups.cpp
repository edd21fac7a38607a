// The tree of numerical semigroups, in the same representation as ours.
#include <cstdint>

static long nodes;

static bool is_sum(long members, int number) {
    for (int part = 1; part <= number / 2; ++part)
        if (members >> part & 1 && members >> (number - part) & 1) return true;
    return false;
}

static long below(long members, int missing, int depth) {
    ++nodes;
    if (!depth) return 1;
    int least = 1;
    while (!(members >> least & 1)) ++least;
    long sum = 1;
    for (int number = missing < 0 ? 1 : missing + 1; number < missing + least + 2; ++number)
        if (members >> number & 1 && !is_sum(members, number))
            sum += below(members ^ 1L << number, number, depth - 1);
    return sum;
}

extern "C" long run(int genus, long *visited) {
    nodes = 0;
    long sum = below((1L << 61) - 1, -1, genus);
    *visited = nodes;
    return sum;
}
