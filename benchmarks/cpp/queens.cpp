// All ways to place queens, in the same representation as ours.  With CHECKED, a sum or a shift that
// does not fit 64 bits is an error, as it is in our rules.
#include <cstdint>
#include <stdexcept>

static long nodes;

#ifdef CHECKED
static long sum_of(long a, long b) {
    long sum;
    if (__builtin_saddl_overflow(a, b, &sum)) throw std::overflow_error("sum");
    return sum;
}

static long doubled(long a) {
    long twice = (long)((unsigned long)a << 1);
    if (twice >> 1 != a) throw std::overflow_error("shift");
    return twice;
}
#else
static long sum_of(long a, long b) { return a + b; }
static long doubled(long a) { return a << 1; }
#endif

static long placed(long rows, long columns, long left, long right) {
    ++nodes;
    long sum = rows == SIZE;
    long free = ((1L << SIZE) - 1) & ~(columns | left | right);
    while (free) {
        long field = free & -free;
        free ^= field;
        sum = sum_of(sum, placed(sum_of(rows, 1), columns | field, doubled(left | field), (right | field) >> 1));
    }
    return sum;
}

extern "C" long run(long *visited) {
    nodes = 0;
    long sum = placed(0, 0, 0, 0);
    *visited = nodes;
    return sum;
}
