# ruff: noqa
"""The order and the number of evaluations."""

from itertools import pairwise


def walrus_after_use(t):
    """(3, 1)
    (-3, 1)"""
    n = 5
    return (n if t[0] > 0 else 1) + (n := t[1]) * 10, n


def pop_between_lengths(q):
    """[1, 2, 3]"""
    return len(q) * 10 + (k := q.pop()) + len(q) * 100, k


def target_after_value(row, stack):
    """[9, 9, 9], [1, 2, 0]"""
    row[stack.pop()] = stack.pop()
    return row, stack


def target_before_value_when_augmented(row, stack):
    """[9, 9, 9], [1, 2, 0]"""
    row[stack.pop()] += stack.pop()
    return row, stack


def augmented_index_once(row):
    """[1, 2, 3]"""
    log = []

    def at(i):
        log.append(i)
        return i

    row[at(0)] += at(2)
    row[at(1)] -= row[at(2)]
    return row, log


def augmented_reads_target_first(n):
    """3"""

    def change():
        nonlocal total
        total = 100
        return n

    total = 1
    total += change()
    return total


def augmented_reads_item_first(row):
    """[1, 2]"""

    def change():
        row[0] = 50
        return 3

    row[0] += change()
    return row


def dict_default_by_alias(t):
    """(3, 1, 4, 1)"""
    d = {}
    e = d
    for x in t:
        d[x] = d.get(x, 0) + len(e)
    return d


def value_before_key(n):
    """3"""
    log = []

    def f(x):
        log.append(x)
        return x

    d = {}
    d[f(n)] = f(n + 1)
    d = {f(1): f(2), f(3): f(4)}
    e = {f(x): f(-x) for x in range(2)}
    return d, e, log


def operands_left_to_right(row):
    """[1, 2, 3, 4]"""
    return row.pop() - row.pop() * row.pop(), row


def arguments_left_to_right(row):
    """[1, 2, 3]"""

    def f(a, b, c=0):
        return a * 100 + b * 10 + c

    return f(row.pop(), c=row.pop(), b=row.pop())


def display_left_to_right(row):
    """[1, 2, 3, 4]"""
    return (row.pop(), [row.pop(), row.pop()], {row.pop(): len(row)})


def comparison_left_to_right(row):
    """[1, 2, 3]
    [3, 2, 1]"""
    return row.pop() < row.pop() < row.pop(), row


def condition_first(row):
    """[1, 0]
    [0, 1]"""
    return (row.append(5) or 7) if row.pop() else (row.append(6) or 8), row


def short_circuit(row):
    """[0, 1]
    [1, 0]"""
    return row[0] and row.append(2), row[1] or row.append(3), row


def error_of_left_operand(t, d):
    """(), {}"""
    return t[0] + d[5]


def error_of_right_operand(t, d):
    """(1,), {}"""
    return t[0] + d[5] + 1 // 0


def error_in_chain_not_reached(a):
    """5
    0"""
    return 1 < 0 < 1 // a, a and 1 // a


def error_of_unused(t):
    """(3, 1)
    (3, 2)"""
    f = lambda x: x + 1
    check = 10 // (t[1] - 1)
    return f(t[0])


def error_of_unused_index(t):
    """()
    (1,)"""
    t[0]
    unused = [x // (x - 1) for x in t if x != 1]
    return 3


def error_of_unused_shift(n):
    """-1
    1"""
    one = 1 << n
    return (lambda: 5)()


def error_in_argument_before_call(t):
    """()
    (1,)"""
    log = []

    def f(a, b):
        return a + b

    try:
        return f(log.append(1) or 2, t[0])
    except IndexError:
        return log


def side_effects_before_error(row):
    """[1, 0]"""
    out = []
    for x in (2, 1, 0):
        out.append(1 // x)
        row.append(x)
    return out


def side_effects_stay(row):
    """[1]"""
    try:
        row.append(2)
        row[0] = row[5]
    except IndexError:
        pass
    return row


def swap_by_tuple(a, b):
    """1, 2"""
    a, b = b, a + b
    a, b = b, a
    return a, b


def tuple_is_built_first(row):
    """[1, 2]"""
    row[0], row[1] = row[1] + 1, row[0] + row.pop(0) * 10 if len(row) > 5 else row[0]
    return row


def loop_evaluates_iterable_once(n):
    """3"""
    log = []

    def items():
        log.append(n)
        return range(n)

    total = sum(x for x in items())
    for x in items():
        n = 0
        total += x
    return total, log


def range_is_fixed_at_start(n):
    """3"""
    seen = []
    for i in range(n):
        n += 1
        i *= 2
        seen.append(i)
    return seen, n, i


def while_checks_each_time(row):
    """[1, 2, 3]"""
    n = 0
    while len(row) > n:
        row.pop()
        n += 1
    return row, n


def min_calls_key_once(t):
    """(3, 1, 2)"""
    log = []
    best = min(t, key=lambda x: log.append(x) or -x)
    worst = max(t, key=lambda x: log.append(x) or -x)
    return best, worst, log


def print_order_of_nested_calls(n):
    """2"""
    log = []

    def f(x):
        log.append(x)
        return x

    value = f(f(1) + f(n)) * f(10) + [f(20), f(30)][f(1)]
    return value, log


def walrus_in_condition(t):
    """(1, 5, 2)"""
    out = [y for x in t if (y := x * 2) > 3]
    return out, y


def walrus_in_while(row):
    """[1, 2, 3]
    []"""
    out = []
    while row and (x := row.pop()) > 1:
        out.append(x)
    return out, row


def walrus_skipped(flag):
    """True
    False"""
    if flag and (n := 5) > 3:
        pass
    return n


def walrus_in_any(t):
    """(1, 5, 7)
    (1, 2)"""
    if any((hit := x) > 4 for x in t):
        return hit
    return -hit


def walrus_in_index(row):
    """[1, 2, 3]"""
    row[(i := 1)] = (i := 2)
    return row, i


def name_of_unpacked(t):
    """(3, 1, 4, 1)"""
    x_1, y_1 = t[0], t[1]
    return sum(abs(x - x_1) + abs(y - y_1) for x, y in ((1, 2), (3, 4)))


def name_count_(t):
    """(3, 1)"""
    count_, total_, best_ = 8, 2, 1
    row = [x * count_ + total_ for x in t]
    return row, max(row) + best_, sum(row) + total_, count_


def _most(row):
    return row[2]


def _set(row):
    return row[0]


def name_of_helpers(t):
    """(3, 1, 4, 1)"""
    return _most(t) + sum([x for x in t]), _set(t) + len({x for x in t}), max(t) + _most(t)


def name_of_loops(t):
    """(3, 1, 4, 1)"""
    rows, n = (t, t[::-1], (1, 2, 3, 4)), 0
    for _i in range(3):
        for a, b in pairwise(rows[_i]):
            n = n * 3 + a * b
    return n


def names_of_compilers(t):
    """(3, 1)"""
    new_, begin_, empty_, instead_, down_, k_ = 1, 2, 3, 4, 5, 6
    _m0, _i0, _line_0, _like, _list = 7, 8, 9, 10, 11
    row = [x + new_ for x in t] or [empty_]
    row = row[begin_ - 1 :: k_ - down_]
    row += [i for i in range(instead_)]
    return row, sorted(row), _m0, _i0, _line_0, _like, _list


def comprehension_name_does_not_leak(t):
    """(3, 1)"""
    x = 100
    row = [x for x in t]
    total = sum(x for x in t)
    return x, row, total, [x for _ in t]


def loop_name_stays(t):
    """(3, 1)
    ()"""
    x = 100
    for x in t:
        pass
    return x


def loop_name_unbound(t):
    """(3, 1)
    ()"""
    for last in t:
        pass
    return last


def name_unbound_by_branch(n):
    """1
    200"""
    if n > 100:
        y = 1
    return y


def name_unbound_in_closure(n):
    """1
    200"""
    if n > 100:
        y = 1
    f = lambda: y
    return f()


def name_unbound_before_assignment(n):
    """0
    1"""
    if n:
        total = n
    total += 1
    return total


def name_deleted(n):
    """0
    1"""
    x = n
    if n:
        del x
    return x


def name_of_exception_is_deleted(n):
    """0
    1"""
    e = 5
    try:
        1 // n
    except ZeroDivisionError as e:
        pass
    return e


def name_shadows_builtin(t):
    """(3, 1)"""
    sum, len = 5, lambda x: 7
    max = sum + len(t)
    return max, sorted(t)


def parameter_shadows_module(_most, t):
    """5, (1, 2)"""
    return _most + t[0]
