# ruff: noqa
"""Tuples, lists and deques: aliases, slices, methods and their arguments, empty ones."""

from collections import deque
from itertools import chain

from games.tuples import put


def history_of_board(t):
    """(3, 1, 4)"""
    history, board = [], [0, 0, 0]
    for i in range(3):
        board[i] = t[i]
        history.append(board)
    return sum(sum(h) for h in history), history


def history_of_copies(t):
    """(3, 1, 4)"""
    history, board = [], [0, 0, 0]
    for i in range(3):
        board[i] = t[i]
        history.append(board[:])
    return history


def larger(a, b):
    return a if a[0] > b[0] else b


def alias_by_helper(t):
    """(3, 1)
    (-3, 1)"""
    a, b = list(t), [0, 0]
    c = larger(a, b)
    a[0] = 100
    return c[0], c is a


def alias_of_rows(n):
    """3"""
    board = [[0] * n for _ in range(n)]
    middle = max(board)
    rows = tuple(board)
    board[0][0] = 7
    return rows, middle, rows[0] is board[0]


def same_row_many_times(n):
    """3
    0"""
    board = [[0] * n] * n
    for row in board:
        row[0] += 1
    return board


def alias_by_next(t):
    """(3, 1)"""
    rows = [list(t), [9]]
    first = next(r for r in rows if r[0] < 5)
    first.append(8)
    return rows


def alias_by_sorted(t):
    """(3, 1)"""
    rows = [list(t), [0]]
    low = sorted(rows)[0]
    low.append(5)
    return rows, low


def alias_by_comprehension(t):
    """(3, 1)"""
    a, b = list(t), [7]
    for row in [r for r in (a, b)]:
        row.append(len(row))
    return a, b


def alias_by_extend(t):
    """(3, 1)"""
    inner = list(t)
    rows = []
    rows += [inner]
    rows.extend([inner])
    rows.insert(0, inner)
    inner[0] = 50
    return rows


def alias_by_reversed(t):
    """(3, 1)"""
    rows = [list(t), [2]]
    for row in reversed(rows):
        row.append(0)
    return rows


def alias_by_filter(t):
    """(3, 1)"""
    rows = [list(t), [], [4]]
    for row in filter(None, rows):
        row.clear()
    return rows


def alias_in_dict(t):
    """(3, 1)"""
    row = list(t)
    d = {0: row, 1: row}
    d[0].append(9)
    d.setdefault(2, row).append(8)
    d.get(1).append(7)
    return d, row


def alias_in_dict_values(t):
    """(3, 1)"""
    d = {x: [x] for x in t}
    for row in d.values():
        row.append(0)
    for _, row in d.items():
        row.insert(0, 1)
    return d


def alias_in_tuple(t):
    """(3, 1)"""
    row = list(t)
    pair = (row, 5)
    row.append(7)
    pair[0].append(8)
    return pair, row


def alias_by_or(t):
    """(3, 1)
    ()"""
    row = list(t)
    other = row or [0]
    other.append(1)
    return row, other


def alias_by_default(n):
    """3"""

    def add(x, seen=[]):
        seen.append(x)
        return seen

    first = add(n)
    second = add(n + 1)
    return first, second, len(first)


def alias_by_slice_assignment(t):
    """(3, 1, 4)"""
    row = list(t)
    same = row
    row[:] = [7]
    row += [8]
    row *= 2
    return same, row is same


def new_list_by_plus(t):
    """(3, 1)"""
    row = list(t)
    same = row
    row = row + [1]
    return same, row


def arguments_change(row, rows):
    """[1, 2], [[3], []]
    [], []"""
    row.append(5)
    rows.append(row)
    row[0] = 9
    for one in rows:
        one.insert(0, 0)
    return len(rows)


def arguments_that_are_one(pair):
    """[[1], [2]]"""
    pair[0] = pair[1]
    pair[0].append(3)
    return pair


def parameter_is_bound_again(row):
    """[1, 2]"""
    row.append(3)
    row = list(row)
    row.append(4)
    return row


def tuple_holds_list(t):
    """(1, [2])"""
    t[1].append(3)
    return t


def swap_items(row, i, j):
    """[1, 2, 3], 0, 2
    [1, 2, 3], -1, 0
    [1, 2, 3], 0, 3"""
    row[i], row[j] = row[j], row[i]
    return row


def index_with_bool(row, flag):
    """[4, 5], True
    [4, 5], False"""
    row[flag] += 1
    return row[flag], (7, 8)[flag]


def negative_index(t, i):
    """(1, 2, 3), -1
    (1, 2, 3), -3
    (1, 2, 3), -4
    (), 0"""
    return t[i]


def index_by_float(t):
    """(1, 2, 3)"""
    try:
        return t[: len(t) / 2]
    except TypeError:
        return "stop"


def slices(t, a, b):
    """(1, 2, 3, 4), 1, 3
    (1, 2, 3, 4), -2, 9
    (1, 2, 3, 4), 3, 1
    (), 0, 5
    (1, 2, 3, 4), -(2**63), 2**63 - 1"""
    row = list(t)
    return t[a:b], t[a:], t[:b], t[:], row[a:b], row[-2:], t[b:a]


def slices_with_steps(t, step):
    """(1, 2, 3, 4, 5), 2
    (1, 2, 3, 4, 5), -1
    (1, 2, 3, 4, 5), -2
    (1, 2, 3, 4, 5), 7
    (1, 2, 3, 4, 5), 0"""
    return t[::step], list(t)[1::step], t[3:0:step], t[-1:-9:step], t[:2:step]


def slice_by_none(t, a):
    """(1, 2, 3), None
    (1, 2, 3), 1"""
    return t[a:], t[:a], t[None:2]


def store_slice(row, new):
    """[1, 2, 3], [7, 8]
    [1, 2, 3], []
    [], [5]"""
    row[1:2] = new
    row[:0] = new
    row[len(row) :] = (9,)
    return row


def store_slice_of_itself(row):
    """[1, 2, 3]"""
    row[1:1] = row
    row[::2] = [0] * len(row[::2])
    return row


def store_extended_slice_of_other_length(row):
    """[1, 2, 3, 4]"""
    row[::2] = [7]
    return row


def delete_parts(row):
    """[1, 2, 3, 4, 5, 6]
    [1]"""
    del row[0]
    del row[1:3]
    del row[::2]
    return row


def delete_beyond(row):
    """[1]"""
    del row[1]
    return row


def insert_far(row):
    """[1, 2]
    []"""
    row.insert(99, 7)
    row.insert(-99, 8)
    row.insert(-1, 9)
    return row


def pop_in_all_ways(row):
    """[1, 2, 3, 4]
    [1, 2]"""
    a = row.pop()
    b = row.pop(0)
    c = row.pop(-1)
    return a, b, c, row


def pop_of_empty(row):
    """[]
    [1]"""
    try:
        return row.pop()
    except IndexError:
        return row


def remove_first_equal(row, x):
    """[1, 2.0, 1], 2
    [1, 2, 1], True
    [1], 5"""
    row.remove(x)
    return row


def index_and_count(t, x):
    """(1, 2, 1, 3), 1
    (True, 1.0, 2), 1
    (1, 2), 7"""
    row = list(t)
    return t.count(x), row.count(x), t.index(x), row.index(x), row.index(x, -3)


def index_within(row, x, a, b):
    """[1, 2, 1, 2], 2, 2, 9
    [1, 2, 1, 2], 2, -1, 9
    [1, 2, 1, 2], 2, 0, 1"""
    return row.index(x, a, b)


def sort_reverse(row):
    """[3, 1, 2]
    []"""
    row.sort(reverse=True)
    first = row[:]
    row.sort(reverse=False)
    return first, row


def sort_is_stable(t):
    """((1, 2), (0, 3), (1, 1), (0, 1))"""
    rows = sorted(t, key=lambda p: p[0])
    back = sorted(t, key=lambda p: p[0], reverse=True)
    return rows, back, sorted(t)


def sort_calls_key_once(row):
    """[3, 1, 2]"""
    log = []

    def key(x):
        log.append(x)
        return -x

    row.sort(key=key)
    low = min(row, key=key)
    return row, low, log


def sort_sees_empty_list(row):
    """[3, 1, 2]"""
    return sorted(row, key=lambda x: (len(row), -x))


def sort_of_mixed(t):
    """(2, 1.5, 1, 2.0, True)"""
    return sorted(t), max(t), min(t), sorted(t, reverse=True)


def multiply_evaluates_once(q):
    """[1, 2, 3]"""
    r = [q.pop()] * 2
    s = (q.pop(),) * 3
    return r, s, q


def multiply_by_negative(t, n):
    """(1, 2), -1
    (1, 2), 0
    (1, 2), 2"""
    return t * n, n * list(t), [0] * n


def equality_of_kinds(t):
    """(1, 2)
    ()"""
    return (
        list(t) == t,
        tuple(list(t)) == t,
        [1, 2.0] == [True, 2],
        (1, (2,)) == (1.0, (2,)),
        t == (1,),
    )


def order_of_tuples(a, b):
    """(1, 2), (1, 2, 0)
    (1,), (0, 9)
    (), ()
    (1, 2.0), (1, 2)"""
    return a < b, a <= b, a > b, a >= b, a == b, max(a, b)


def star_of_short(t):
    """(1, 2)
    (1,)
    ()"""
    first, *rest, last = [x for x in t]
    return first, rest, last


def star_makes_list(t):
    """(1, 2, 3)
    (1,)"""
    first, *rest = t
    *most, last = t
    rest.append(7)
    return first, rest, most, last


def unpack_wrong_length(t):
    """(1, 2, 3)
    (1,)"""
    a, b = t
    return a, b


def unpack_nested(t):
    """((1, (2, 3)), [4, 5])"""
    (a, (b, c)), [d, *e] = t
    return a, b, c, d, e


def unpack_into_items(row):
    """[1, 2, 3]"""
    i = 0
    i, row[i] = 2, 9
    row[0], *row[1:] = 7, 8
    return i, row


def assign_to_many(t):
    """(1, 2)"""
    a = b = list(t)
    c, d = e = (a, 5)
    a.append(3)
    return b, c, d, e


def display_with_stars(t):
    """(1, 2)
    ()"""
    row = [*t, 0, *t]
    return row, (*t,), (*row, *t), {*t, 1}


def tuples_of_growing_length(n):
    """4
    0"""
    t = ()
    for i in range(n):
        t += (i,)
    return t, t[:2], len(t)


def tuple_of_either_length(flag):
    """True
    False"""
    move = () if flag else (1, 2)
    return move, len(move), move + (3,), bool(move)


def tuple_from_generator(a, b):
    """(1, 2), (3, 4)
    (1,), (3, 4)"""
    return tuple(x + y for x, y in zip(a, b)), tuple(a)


def put_keeps_types(t):
    """(False, True)
    (1, 2.5)"""
    return put(t, 0, 5), put(t, 1, None), put(t, 0, 5)[0] + 0


def put_beyond(t):
    """(1, 2)"""
    return put(t, 2, 5)


def list_returned_empty(n):
    """0
    2"""
    if n:
        return [n]
    return []


def list_of_lists_stays_empty(n):
    """0
    2"""
    rows = [[] for _ in range(n)]
    for i, row in enumerate(rows):
        if i:
            row.append(i)
    return rows, rows == [], sum(map(len, rows))


def grown_while_read(row):
    """[1, 2, 3]
    []"""
    for x in row:
        if len(row) < 8:
            row.append(x + 10)
    return row


def shrunk_while_read(row):
    """[1, 2, 2, 3]"""
    for x in row:
        if x == 2:
            row.remove(x)
    return row


def cleared_while_read(row):
    """[1, 2, 3]"""
    seen = []
    for x in row:
        seen.append(x)
        row.clear()
    return seen, row


def replaced_while_read(row):
    """[1, 2, 3]"""
    seen = []
    for i, x in enumerate(row):
        row[-1] = 50 + i
        seen.append(x)
    return seen


def reversed_while_grown(row):
    """[1, 2]"""
    back = reversed(row)
    row.append(3)
    return list(back), list(reversed(row))


def comprehension_of_changed(row):
    """[1, 2, 3]"""
    return [row.pop() for _ in range(len(row))], row


def deque_methods(t):
    """(1, 2, 3)
    ()"""
    q = deque(t)
    q.append(4)
    q.appendleft(0)
    q.extend([5, 6])
    q.extendleft([7, 8])
    q.rotate(2)
    q.rotate(-1)
    return q, q[0], q[-1], len(q), q.count(1), list(reversed(q))


def deque_with_length(t):
    """(1, 2, 3, 4)
    ()"""
    q = deque(t, maxlen=2)
    q.append(9)
    p = deque(t, 0)
    p.append(1)
    r = deque(maxlen=3)
    r.extendleft(t)
    return q, p, r, q.maxlen


def deque_pops(t):
    """(1, 2, 3)
    (1,)"""
    q = deque(t)
    return q.popleft(), q.pop(), q


def deque_changed_while_read(t):
    """(1, 2, 3)"""
    q = deque(t)
    for x in q:
        q.append(x)
    return q


def deque_insert_and_remove(t):
    """(1, 2, 3)"""
    q = deque(t)
    q.insert(1, 9)
    q.remove(3)
    q.reverse()
    q[0] = 5
    return q, q.index(9), 9 in q, q == deque([5, 9, 1])


def breadth_first(n):
    """7"""
    queue, seen = deque([1]), {1}
    while queue:
        x = queue.popleft()
        for y in (2 * x, 2 * x + 1):
            if y <= n and y not in seen:
                seen.add(y)
                queue.append(y)
    return sorted(seen)


def nested_lists(n):
    """3"""
    grid = [[(i, j) for j in range(n)] for i in range(n)]
    grid[1][1] = (9, 9)
    return grid, [row[0] for row in grid], list(zip(*grid)), list(chain(*grid))


def copy_is_shallow(t):
    """(1, 2)"""
    rows = [list(t)]
    other = rows.copy()
    third = list(rows)
    rows[0].append(3)
    rows.append([])
    return rows, other, third


def list_contains_itself(n):
    """1"""
    row = [n]
    row.append(row)
    return row[1][1][0], len(row)


def list_of_numbers_of_both(t):
    """(1, 2.5)"""
    row = list(t)
    row.append(3)
    row.insert(0, 0.5)
    return row, row[1] // 1, row[0] // 1


def elements_of_both_lengths(t):
    """(1, 2)"""
    rows = [list(t), []]
    rows[1].append((1,))
    rows.append([(1, 2), ()])
    return rows


def bool_of_containers(t):
    """()
    (0,)"""
    return bool(t), bool(list(t)), not t, not [t], 1 if t else 2, len(t) > 0 and t[0]


def any_and_all(t):
    """()
    (0, 1)
    (1, 2.5)"""
    return any(t), all(t), any(x > 1 for x in t), all([x for x in t])


def any_stops_early(t):
    """(1, 2, 3)"""
    log = []
    found = any(log.append(x) or x > 1 for x in t)
    every = all(x < 2 and log.append(x) is None for x in t)
    return found, every, log
