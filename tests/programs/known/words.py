# ruff: noqa
"""Words of 64 bits and enums: wrapping, mixing with other numbers, what is a plain int."""

from enum import Enum, IntEnum

from games.u64 import U64, nth_bit


class Suit(Enum):
    NONE = 0
    RED = 1
    BLACK = 2


class Rank(IntEnum):
    LOW = 1
    MID = 2
    TOP = 5


MASKS = (0, U64(1) << 5, U64(1) << 63)


def wraps(a):
    """U64(2**64 - 1)
    U64(0)"""
    return a + 1, a - 1, a * 3, -a, ~a, a << 1, a >> 1


def mixed_with_int(a, n):
    """U64(10), -3
    U64(10), 3
    U64(0), -1
    U64(2**63), 5"""
    return a + n, n + a, a - n, n - a, a * n, a & n, a | n, a ^ n


def remainder_by_negative(a, n):
    """U64(10), -3
    U64(10), 3
    U64(10), 0"""
    return a % n, a // n


def int_by_word(n, a):
    """-7, U64(3)
    7, U64(3)
    7, U64(0)"""
    return n % a, n // a


def shift_by(a, n):
    """U64(5), 2
    U64(5), 64
    U64(5), 200
    U64(5), -2"""
    return a << n


def shift_down_by(a, n):
    """U64(5), 1
    U64(5), 64
    U64(5), -2"""
    return a >> n


def int_shifted_by_word(n, a):
    """1, U64(63)
    -1, U64(1)
    5, U64(70)"""
    return n << a, n >> a


def minus_bool(a, flag):
    """U64(5), True
    U64(0), True"""
    return a - flag, flag - a, a + flag, a & flag, flag | a


def bool_minus_compares(n):
    """3
    0"""
    return (n > 1) - U64(5) > 0


def true_division(a):
    """U64(5)
    U64(2**64 - 1)"""
    return a / 2, 2 / (a + 1), a / U64(3)


def power(a):
    """U64(3)
    U64(2**32)"""
    return a**2, a**1, 2 ** (a % 5)


def with_floats(a, x):
    """U64(5), 0.5
    U64(2**63), 2.0"""
    return a * x, a + x, x - a, a > x, a == x


def plain_results(a):
    """U64(5)
    U64(2**62)"""
    return +a, abs(a), int(a), divmod(a, 3), round(a), a.bit_length(), a.bit_count()


def above_int_range(a):
    """U64(2**63)
    U64(2**64 - 1)"""
    return int(a)


def abs_above_range(a):
    """U64(2**63)"""
    return abs(a)


def complement_counts(a):
    """U64(1) << 5
    U64(0)"""
    return (~a).bit_count(), (-a).bit_count(), (a - 1).bit_count()


def table_of_masks(n):
    """0
    1
    2"""
    return MASKS[n], ~MASKS[n], MASKS[n] | 1


def lowest_bit(a):
    """U64(0)
    U64(8)
    U64(2**63)"""
    return a.lowest(), (a & -a), a & (a - 1)


def walk_bits(a):
    """U64(0b10110)
    U64(0)"""
    found = []
    while a:
        found.append(a.lowest())
        a &= a - 1
    return found, a


def nth(a):
    """U64(0b10110)"""
    return [nth_bit(a, n) for n in range(a.bit_count())]


def comparisons(a, b):
    """U64(2**63), U64(1)
    U64(1), U64(1)"""
    return a < b, a <= b, a == b, a > 0, a > -1, 5 < a, a == 1, sorted([a, b]), max(a, b)


def as_keys(a):
    """U64(5)"""
    d = {a: 1, 6: 2}
    return d[5], d.get(U64(6)), a in {5}, 5 in [a]


def truth(a):
    """U64(0)
    U64(3)"""
    return bool(a), not a, a or 7, a and 7, 1 if a else 2


def of_negative(n):
    """-1
    2**63 - 1
    True"""
    return U64(n), U64(n) >> 60, U64(float(n > 0))


def sum_of_words(t):
    """(U64(2**63), U64(2**63), U64(5))
    ()"""
    return sum(t), sum(t, U64(0))


def augmented(a):
    """U64(12)"""
    a |= 1
    a <<= 60
    a ^= U64(3)
    a += 2**62
    a -= 1
    a *= 3
    a >>= 2
    a &= ~U64(1)
    return a


def word_divided_as_an_int(a, b):
    """U64(-1), 4
    U64(2**63), -3
    7, U64(-1)
    U64(5), U64(3)"""
    return divmod(a, b)


def enum_arithmetic(r):
    """Rank.MID
    Rank.TOP"""
    return r + 1, r * r, -r, ~r, r / 2, r > 1, r == 2, r + U64(1), r | 8, r & Rank.TOP


def enum_identity(s):
    """Suit.RED
    Suit.NONE"""
    return (
        s is Suit.RED,
        s == Suit.RED,
        s != Suit.NONE,
        bool(s),
        s in (Suit.RED, Suit.BLACK),
        s == 1,
    )


def enum_values(s, r):
    """Suit.BLACK, Rank.TOP"""
    return s.value, r.value, Suit(1), Rank(5), int(r), [x.value for x in Suit], len(Suit)


def enum_by_bad_value(n):
    """5
    4"""
    return Rank(n)


def enum_as_key(s):
    """Suit.RED
    Suit.BLACK"""
    d = {Suit.RED: 1, Suit.NONE: 2}
    return d.get(s, 0), {s: 1}, {s}


def int_enum_is_int_key(r):
    """Rank.MID"""
    d = {2: "keep", Rank.TOP: "roll"}
    return d[r], d[5], r in (1, 2), [10, 20, 30][r]


def enum_of_either(flag, n):
    """True, 2
    False, 2"""
    x = Rank.MID if flag else n
    return x, x + 0, x == 2


def enum_in_max(n):
    """2
    1"""
    return max(Rank.MID, n), max(n, Rank.MID), min(Rank.LOW, n), sorted([Rank.TOP, n, Rank.LOW])


def enum_index_of_row(row):
    """[1, 2, 3]"""
    row[Rank.LOW] += 5
    return row[Rank.LOW :], row[: Rank.MID], [0] * Rank.MID


def enum_range(r):
    """Rank.MID"""
    return [x for x in range(r)], sum(range(r, Rank.TOP)), list(range(Rank.LOW, 9, r))


def any_word_to_the_power_of_nought(a, n):
    """U64(2**63), 0
    U64(2**64 - 1), 0
    U64(5), 2
    U64(2), -1"""
    return a**n
