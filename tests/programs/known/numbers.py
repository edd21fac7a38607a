# ruff: noqa
"""Numbers: ints joined with floats, Python's own rounding and remainders, limits of 64 bits."""

import functools
import itertools
import math
import operator


def min_keeps_the_type(a, b):
    """2, 0.5
    -1, 0.5
    3, 3.0"""
    return min(a, b), max(a, b), min(b, a), max(b, a)


def ternary_keeps_the_type(flag):
    """True
    False"""
    x = 1 if flag else 2.5
    return x, x + 1, x * 2, x // 1


def or_keeps_the_type(a, b):
    """0, 0.5
    3, 0.5
    0, 0.0"""
    return a or b, b or a, a and b, b and a


def list_of_both(n):
    """1
    2"""
    row = [n, 0.5, 2]
    row[0] += 1
    return row, sum(row), sorted(row), max(row), min(row)


def sum_of_halves(n):
    """3"""
    w = [0] * n
    for i in range(n):
        w[i] += 1 / 2
    return w


def ints_into_bools(t):
    """(3, 1, 4, 1)"""
    hits = [False] * 4
    for x in t:
        hits[x % 4] += 1
    return hits, hits[1] + hits[3]


def half_in_ints(t):
    """(3, 1)
    (4, 2)"""
    known = set(t)
    return t[0] / 2 in known, t[0] / 2 in t, t[0] / 2 in list(t)


def float_index_of_dict(x):
    """2.0
    2.5"""
    d = {1: 10, 2: 20}
    return d.get(x, 0), x in d


def bool_keys(flag):
    """True
    False"""
    d = {True: 5, 0: 7}
    d[flag] += 1
    return d, d.get(1), d.get(0.0)


def quotient_beyond_53_bits(n):
    """3
    1
    7"""
    return (2**53 + 1) / n, (2**62 + 1) / (2**61 - n), -(2**60 + 3) / n


def big_constant_in_max(x):
    """5
    -5"""
    return max(x, 10**18), min(x, -(10**18))


def literal_beyond_64_bits(x):
    """5"""
    return min(x, 10**19)


def sum_overflows(a):
    """2**63 - 1
    2**62"""
    return a + a


def product_overflows(a, b):
    """2**40, 2**30
    -(2**40), 2**23
    2**31, 2**31"""
    return a * b


def negation_overflows(a):
    """-(2**63)
    2**63 - 1"""
    return -a


def abs_overflows(a):
    """-(2**63)
    -5"""
    return abs(a)


def division_overflows(a, b):
    """-(2**63), -1
    7, -1"""
    return a // b, a % b


def shift_overflows(a, n):
    """1, 62
    1, 63
    -1, 63
    -1, 64
    0, 1000"""
    return a << n


def shift_right_far(a, n):
    """-5, 64
    5, 64
    -5, 1000
    5, 63"""
    return a >> n


def negative_shift(a, n):
    """1, -1"""
    try:
        return a << n
    except ValueError:
        return a >> n


def power_of_ints(a, b):
    """2, -1
    -3, 3
    0, 0
    0, -1
    2, 62
    -2, 63
    2, 63
    1, 10**6
    -1, 10**6 + 1"""
    return a**b


def pow_with_two(a, b):
    """2, -2
    2, 10"""
    return pow(a, b)


def pow_with_three(a, b, c):
    """3, 200, 13
    3, 5, -7
    3, -1, 7
    2, -1, 4
    3, 4, 0
    0, 0, 1
    2**62 + 1, 3, 2**62 - 1"""
    return pow(a, b, c)


def power_to_infinity(x):
    """1e200
    -1e200
    1.5"""
    return x**2


def square_of_product(x):
    """3
    0"""
    return (x * 1e200) ** 2


def product_is_infinite(x):
    """1e200
    -1e200"""
    return x * 1e200, x * -1e200 - x * 1e200


def zero_to_negative(x):
    """0.0
    -0.0
    2.0"""
    return x**-1


def remainder_of_floats(a, b):
    """-0.0, 3.0
    5.5, -2.0
    -5.5, 2.0
    1e300, 7.0
    0.0, -1.0
    1.0, 1e400
    -1.0, 1e400
    6.0, 0.0"""
    return a % b, a // b


def divmod_of_floats(a, b):
    """-7.5, 2.0
    7.5, -2.0
    -0.0, 1.0
    1e17, 0.1
    3.0, 1e400
    1.0, 0.0"""
    return divmod(a, b)


def divmod_of_ints(a, b):
    """-7, 2
    7, -2
    0, 5
    -8, 4
    1, 0"""
    return divmod(a, b), a // b, a % b


def remainder_of_int_and_float(a, b):
    """7, 2.5
    -7, 2.5
    -7, 1e400"""
    return a % b, a // b, b % a


def round_half_to_even(x):
    """0.5
    1.5
    2.5
    -0.5
    -2.5
    2.675"""
    return round(x), round(x, 1), round(x, 2), round(x, 0)


def round_of_ints(n, d):
    """1250, -2
    1350, -2
    -15, -1
    7, 3
    25, -1"""
    return round(n), round(n, d)


def round_of_none(x):
    """2.5"""
    return round(x, None), round(x)


def int_of_float(x):
    """-2.5
    2.999
    1e18
    1e19
    -0.5"""
    return int(x), math.trunc(x), math.floor(x), math.ceil(x)


def int_of_infinity(x):
    """1e200"""
    return int(x * 1e200)


def int_of_nan(x):
    """1e200"""
    return int(x * 1e200 - x * 1e200)


def sign_of_zero(x):
    """0.0
    -0.0
    0"""
    return -x, x + 0, x * -1, abs(x), x - x, math.copysign(1, x)


def comparison_of_int_and_float(n):
    """2**53
    2**53 + 1
    2**62
    0"""
    return n == float(n), n + 1 > n + 0.0, n < n + 0.5, 2**63 - 1 == 2.0**63


def nan_compares(x):
    """1e300"""
    nan = x * x - x * x
    return nan == nan, nan != nan, nan < 1, nan > 1, not nan, max(1.0, nan), max(nan, 1.0)


def nan_in_min(x):
    """1e300"""
    nan = x * x - x * x
    return min([2.0, nan, 1.0]), min([nan, 2.0]), max([2.0, nan, 3.0])


def bools_are_ints(a, b):
    """True, False
    True, True"""
    return (
        a + b,
        a - b,
        a * b,
        -a,
        ~a,
        a & b,
        a | b,
        a ^ b,
        a < b,
        a / 2,
        a**b,
        a << b,
        a // 1,
        abs(a),
    )


def bool_operators_with_ints(a, n):
    """True, 6
    False, 6"""
    return a & n, a | n, a ^ n, n & a, a == n, a % 2, +a


def isinstance_of_bool(n):
    """0
    1"""
    flag = n > 0
    return (
        isinstance(flag, int),
        isinstance(flag, bool),
        isinstance(n, bool),
        isinstance(n, (bool, float)),
    )


def int_of_bool(flag):
    """True
    False"""
    return int(flag), float(flag), bool(flag), bool(0.0), bool(-0.0)


def bit_methods(n):
    """0
    -1
    255
    -256
    2**62
    -(2**63)"""
    return n.bit_count(), n.bit_length(), (n & 7).bit_count()


def bool_bit_methods(flag):
    """True
    False"""
    return flag.bit_count(), flag.bit_length()


def math_domain(x):
    """-1.0
    0.0
    4.0"""
    return math.sqrt(x)


def math_pow_domain(x):
    """-3
    0
    4"""
    return math.pow(x, 0.5), math.pow(x, -1)


def math_log_domain(x):
    """0
    -1
    1"""
    return math.log(x)


def math_of_big_results(x):
    """1000
    170
    171"""
    return math.exp(x / 2), math.gamma(x), math.exp(x)


def ldexp_far(n):
    """1023
    1024
    -1080"""
    return math.ldexp(1.0, n)


def fmod_against_percent(a, b):
    """-7.0, 3.0
    7.0, -3.0
    1.0, 0.0"""
    return math.fmod(a, b), a % b


def integer_math(a, b):
    """12, -18
    0, 0
    0, 5
    7, 3"""
    return math.gcd(a, b), math.lcm(a, b), math.gcd(), math.lcm(), math.gcd(a)


def isqrt_of(n):
    """0
    35
    2**62
    2**63 - 1
    -1"""
    return math.isqrt(n)


def counting(n, k):
    """5, 2
    5, 7
    0, 0
    -1, 2
    60, 30"""
    return math.comb(n, k), math.perm(n, min(k, 3))


def factorial_of(n):
    """0
    20
    21
    -1"""
    return math.factorial(n)


def prod_of(t):
    """(1, 2, 3)
    ()
    (2**40, 2**40)
    (0.5, 4)"""
    return math.prod(t), math.prod(t, start=2)


def prod_beyond_and_back(t):
    """(2**40, 2**40, 0)"""
    return math.prod(t)


def sum_beyond_and_back(t):
    """(2**62, 2**62, -(2**62))"""
    return sum(t)


def sum_of_floats(t):
    """(0.1, 0.2, 0.3)
    (1e16, 1.0, -1e16)
    ()"""
    return sum(t), sum(t, 1), math.fsum(t)


def sum_of_bools(t):
    """(True, True, False)
    ()"""
    return sum(t), sum(t, True)


def sum_of_nothing_is_int(t):
    """()
    (1.5,)"""
    return sum(t), sum([x / 2 for x in t]), sum(x for x in t if x > 100)


def infinity_from_module(n):
    """1
    0"""
    best = -math.inf
    for i in range(n):
        best = max(best, i)
    return best, best == -math.inf


def int_or_infinity(t):
    """(3, 1)
    ()"""
    best = math.inf
    for x in t:
        if x < best:
            best = x
    return best


def augmented_changes_type(n):
    """3
    0"""
    total = 0
    for i in range(n):
        total += i / 2
    return total


def augmented_shift(n):
    """3"""
    x = 1
    x <<= n
    x |= 1
    x ^= 5
    x >>= 1
    x **= 2
    x -= 1
    x //= 2
    x %= 7
    return x


def chained_comparison(a, b, c):
    """1, 2, 3
    3, 2, 1
    1, 1, 1"""
    return a < b < c, a <= b >= c, a == b != c, a < b > c, 0 < a < b < c < 9


def chain_evaluates_once(t):
    """(1, 2, 3)
    (9, 2, 3)"""
    log = []

    def f(x):
        log.append(x)
        return x

    return f(t[0]) < f(t[1]) < f(t[2]), log


def operator_module(a, b):
    """7, 3
    -7, 3
    7, 0"""
    return (
        operator.add(a, b),
        operator.sub(a, b),
        operator.mod(a, b),
        operator.floordiv(a, b),
        operator.truediv(a, b),
    )


def operator_of_floats(a, b):
    """7.5, 2.0"""
    return operator.pow(a, b), operator.neg(a), operator.lt(a, b), operator.xor(True, False)


def reduce_from_int_to_float(t):
    """(1, 2, 3)
    ()"""
    return functools.reduce(lambda a, b: a + b / 2, t, 0)


def reduce_of_nothing(t):
    """()
    (5,)"""
    return functools.reduce(operator.add, t)


def float_is_integer(x):
    """2.0
    2.5
    1e300"""
    return x.is_integer(), x == int(x)


def float_floor_division_is_float(a):
    """7.0
    -7.0"""
    return a // 2, a // 2.0, -a // 2, int(a) // 2


def true_division_of_exact(a):
    """6
    7"""
    return a / 3, a / 1, (a / 3) * 3 == a


def unary_plus(a):
    """-3
    2"""
    return +a, --a, ~~a, not not a, +(a > 0)


def max_with_default(t):
    """()
    (3, 1)"""
    return max(t, default=0), min(t, default=-1.5), max(t, default=None)


def max_of_equal_keeps_first(a, b):
    """1, 1.0
    1.0, 1
    True, 1"""
    return max(a, b), min(a, b), max([a, b]), sorted([b, a])


def clamp(x, low, high):
    """5, 0, 3
    -1, 0.0, 3
    2, 0, 3.0"""
    return max(low, min(x, high))


def mean(t):
    """(1, 2, 4)
    ()"""
    return sum(t) / len(t)


def collatz(n):
    """27
    1"""
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def hash_mixing(n):
    """12345"""
    h = 17
    for i in range(n % 10):
        h = (h * 31 + i) & 0xFFFFFFFF
    return h


def fibonacci_until_overflow(n):
    """90
    92
    93"""
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


def wide_ints_where_an_index_is_wanted(n):
    """1"""
    return n in range(2**63), next(itertools.count(2**63))
