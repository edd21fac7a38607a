"""Templates of random rules, by kind, which `random_rules` fills in.

In a template, `{int}` is replaced by another expression of that kind, `{v}` and `w` by new names,
`{of}` and `{if}` by a number and a condition that use the first of these names; `⟨` and `⟩` are
braces, `§` is a bar. In statements, `{new_int}` is a new name, `{old_int}` a name that may be
assigned, `{any_list}` an existing name, `{block}` a nested block, `{result}` the return value of
the rule; semicolons separate lines.
"""

from __future__ import annotations

import re

INT = """({int} + {int})|({int} - {int})|({int} * {int} % 97)|({int} // ({int} % 5 + 2))|-{int}
({int} % ({int} % 5 - 7))|abs({int})|min({int}, {int})|max({int}, {int}, {int})|len({list})
max({list}, default={int})|sum({list}, {int})|sum({list})|{any_list}[{int} % 3 - 2]
{any_list}.count({int})|{any_list}.index({int})|int({bool})|({int} if {bool} else {int})
({int} & {int})|({int} ^ {int})|({int} § {int})|~{int}|({int} % 50 << 2)|({int} % 50 >> 1)
divmod({int}, -3)[0]|({int} % 9) ** 2|round({int} / 4)|sum({of} for {v} in {list})
sum({of} for {v} in {list} if {if})|({bool} + {int})|min(({of} for {v} in {list}), default={int})
next(({of} for {v} in {list} if {if}), {int})|max({list} or [{int}], key=lambda {v}: {of})
len(⟨{of} for {v} in {list}⟩)|sum({v} * w for {v}, w in zip({list}, {list}))
sum({v} * w for {v}, w in enumerate({list}, 2))|⟨{int}: {int}, {int}: {int}⟩.get({int}, {int})
{row}[{int} % 4]|({int} // {int})|({int} % {int})|divmod({int}, {int})[{int} % 2]
({int} % 200 >> {int} % 4)|({int} % 200 << {int} % 5)|({int} % 200 >> {int})
pow({int} % 7, {int} % 4)|({int} % 5) ** ({int} % 4)|({int} or {int})|({int} and {int})
(lambda {v}, w=3: {v} - w)({int})|sum({v} > {int} for {v} in {row})
min({int}, {int}, key=lambda {v}: {of})|sorted({row})[{int} % 4]|{row}[{int} % 4:].count({int})
len({row}[:{int}:2])|max({v} - w for {v}, w in zip({row}, {row}[1:]))|sum({row}[::-2])|{pt}[0]
{pt}[{int} % 2]|max({pt}, {pt})[1]|sum({pt})|min(({of}, {v}) for {v} in {row})[1]"""
NUMBERS = """{pair}.x|{pair}.y|{pair}.total|area({pair}, k={int})|area({pair}, more={int}, k=2)
{state}.row[{int} % 4]|{state}.pair.y|{state}.pairs[{int} % 3].x|{state}.first().y
{state}.first(least={int}).total|sum({v}.x for {v} in {pairs})|len({pairs})
max(({v}.total for {v} in {pairs}), default=0)|max({state}.pairs, key=lambda {v}: {v}.y).x
{pair}.scaled({int}).x|{pair}.scaled(and_more={int}).y|Pair.of({int}).y
sum({v}.y for {v} in {state}.pairs)|[{v}.x for {v} in {state}.pairs].count({int})
{pairs}[{int} % 3].total"""
BOARDS = """{board}[{int} % 3][{int} % 3]|sum(map(sum, {board}))|max(map(max, {board}))
sum({v} for w in {board} for {v} in w)|sum(w[{int} % 3] for w in {board})
int(GRID[{int} % 3][{int} % 3])|int(GRID[{int} % 3, {int} % 3 - 1])|int(GRID.sum())|len(GRID)
GRID.shape[1]|LINES[{int} % 3][{int} % 2]
sum({board}[{v}][w] for {v}, w in zip(range(3), LINES[{int} % 3]))
{board}[{int} % 3].index({int})|max(range(3), key=lambda {v}: {board}[{v}][0])
sum(int(GRID[{v}, {v}]) for {v} in range(3))|sum({board}[{v}][2 - {v}] for {v} in range(3))
sum(w.count({int}) for w in {board})|len({board})"""
TABLES = """{dict}[{int}]|{dict}.get({int}, {int})|len({dict})|sum({dict}.values())|sum({dict})
max({dict}, key=lambda {v}: {of})|WORTH.get({int}, {int})|WORTH[{int}]|len({set})|sum({set})
max({set})|sum({v} * w for {v}, w in {dict}.items())|int({word} & U64(255))
({word} >> U64(3)).bit_count()|{word}.bit_count()|int({word} % U64(97))|Kind.HILL
Kind.LAKE - {int}|len(Kind)|sum(Kind)|sum(steps({int}))|sum(steps({int}, by=3))
sum(steps(n={int}))|clipped({int}, high={int})|clipped({int})|clipped({int}, {int}, {int})
next(steps({int}))|len(list(steps({int})))|max(steps({int}))
sum(steps({v}) is not None for {v} in {list})|sum({v} in PRIMES for {v} in {list})"""
FROM_FLOATS = """int({float})|round({float})|math.floor({float})|math.ceil({float})
number({float})|math.trunc({float})|int({float} // 2)|len({floats})
max(range(3), key=lambda {v}: {floats}[{v}])|math.gcd({int}, {int})|math.isqrt({int})
int({floats}[{int} % 2] * 8)|{floats}.index(max({floats}))"""
OF = "{v}|{v} * {v} % 31|{v} + {int}|{v} % -3|-{v}|abs({v} - {int})|({v} if {v} > {int} else {int})"
IF = """{v} % 2|{v} > {int}
{v} in {list}|not {v}|{int} <= {v} < {int}|{v} != {int}|{v} in (1, 4, {int})"""
BOOL = """{int} < {int}|{int} == {int}|({int} < {int} <= {int})|({bool} and {bool})|(not {bool})
({bool} or {bool})|{int} in {list}|{int} not in {row}|any({if} for {v} in {list})|bool({list})
all({if} for {v} in {list})|({list} == {list})|({list} < {list})|({row} != {row})|bool({int})
({row} < {row})|{pt} < {pt}|{pt} == {pt}|{pt} in ({pt}, {pt})|{pt} in [{pt}, {pt}]
({bool} != {bool})|({bool} ^ {bool})|({bool} & {bool})|any({list})|all({row})
{int} in range({int}, {int}, 3)|any({v} < w for {v}, w in pairwise({row}))
({int} != {int} != {int})|(0, {int}) <= ({int}, {int})"""
RECORD_TESTS = """{pair} == {pair}|{pair} != {pair}|{pair} in {state}.pairs|{pair} in {pairs}
{state} == {state}|{state}.over|any({v}.x > {int} for {v} in {pairs})
all({v}.total for {v} in {state}.pairs)|({pair}, 1) == ({pair}, 1)|{state}.pairs == {state}.pairs
{state} != {state}"""
FLOAT_TESTS = """{float} < {float}|{float} == {int}|{int} <= {float} < {int}|{float} != {float}
math.isnan({float})|math.isinf({float})|bool({float})|({float}, {int}) < ({float}, {int})
{float} in {floats}|not {float}|{floats} == {floats}|any({v} < {int} for {v} in {floats})
math.isclose({float}, {float})"""
TABLE_TESTS = """{int} in {dict}|{int} in {set}|{int} not in WORTH|{int} in PRIMES|{set} <= {set}
{set} == {set}|{word} < {word}|{word} == U64(3)|bool({word})|bool({dict})|not {set}
{int} == Kind.HILL|({set}).isdisjoint({set})|{pt} in ⟨({int}, 1), (2, {int})⟩|{int} in ⟨1, {int}⟩
WORTH.get({int}) is None"""
BOARD_TESTS = """{board} == {board}|any({int} in {v} for {v} in {board})|all(map(any, {board}))
({int}, {int}, {int}) in {board}|{board}[0] < {board}[1]
any({v}[0] == {v}[1] == {v}[2] for {v} in {board})
any(all({board}[0][{v}] > w for {v} in line) for line in LINES for w in (1, {int}))"""
LIST = """[{int}, {int}]|[{int}]|[{of} for {v} in {list}]|[{of} for {v} in {list} if {if}]
sorted({list})|list(range({int} % 6))|list(range({int} % 7, {int} % 4 - 3, -2))
sorted({list}, reverse={bool})|sorted({list}, key=lambda {v}: ({of}, {v}))|({list} + {list})
{any_list}[{int} % 4 - 1:{int} % 5]|{any_list}[::-1]|list(reversed({list}))|[*{list}, {int}]
list(map(lambda {v}: {of}, {list}))|list({row})|list(filter(lambda {v}: {if}, {list}))
sorted(set({list}))|({list} if {bool} else {list})|[{v} * w for {v}, w in zip({list}, {list})]
[{v} + w for {v}, w in enumerate({list})]|[{v} + w for {v} in {list} for w in {list}][:7]
[({int} if {if} else {v}) for {v} in {list}]|{any_list}[{int} % 4::-1]
{any_list}[-1:{int} % 3:-2]|{any_list}[:-{int} % 3]|{any_list}[{int}:{int}]|[{int}] * ({int} % 4)
[{int}, {int}] * 2|sorted({list}, key=lambda {v}: -{v})|[*{row}, *{list}]
[{v} - w for {v}, w in zip({list}, {list}, strict=True)]|[{v} for {v} in {row} if {v} in {list}]
[{v} for {v} in reversed(range({int} % 6))]|[{v} for {v} in {row}[1:]]
sorted({row}, reverse=True)|[{v} for {v}, w in enumerate({row}) if w > {int}]
[w for {v}, w in sorted(enumerate({row}), reverse=True)]|[int({if}) for {v} in {row}]
[max({v}, w) for {v}, w in combinations({row}, 2)]|{any_list}.copy()"""
RECORD_LISTS = """[{v}.x for {v} in {pairs}]|[{v}.total for {v} in {state}.pairs]
sorted({v}.y for {v} in {pairs})|[{v}.x for {v} in sorted({state}.pairs, key=lambda w: w.total)]
[{v} for w in {state}.pairs for {v} in (w.x, w.y)]|[w for {v} in {board} for w in {v}]
[{v}[0] for {v} in {board}]|sorted({dict})|list({dict}.values())
[w for {v}, w in sorted({dict}.items())]|sorted({set})|sorted(PRIMES)
[{v} for {v} in {list} if {v} not in {set}]|list(steps({int}))
[clipped({v}, high={int}) for {v} in {list}]|[number({v}) for {v} in {floats}]
[round({v}) for {v} in {floats}]|[int(GRID[{v}, 1]) for {v} in range(3)]
[WORTH[{v}] for {v} in (1, 7)]|sorted({list}, key=lambda {v}: WORTH.get({v}, 0))|list(Kind)"""
ROW = """t|t|({int}, {int}, {int}, {int})|{row}[:2] + ({int}, {int})|tuple({of} for {v} in t)
{row}[::-1]|put({row}, {int} % 4, {int})|tuple(sorted({row}))|({row} if {bool} else {row})
tuple({v} + w for {v}, w in zip({row}, {row}))|{state}.row|(*{row}[1:], {int})
{row}[-2:] + {row}[:2]|tuple(max({v}, w) for {v}, w in zip({row}, {row}, strict=True))
tuple(reversed({row}))|({int},) * 4|({int},) + {row}[:3]|tuple(map(abs, {row}))
tuple([{int}, *{row}[1:]])|max({row}, {row})|min({row}, {row})"""
PT = """({int}, {int})|({int}, 2)
{row}[1:3]|max({pt}, {pt})|divmod({int}, 5)|({pt} if {bool} else {pt})"""
FLOAT = """({int} / 4)|({int} / {int})|({float} + {int})|({float} - {float})|({float} * {int})
-{float}|({float} / ({int} % 3 + 1))|({float} / {float})|abs({float})|min({float}, {int})
max({float}, {int}, 0.5)|min({float}, {float})|round({float}, 1)|round({float}, 2)|float({int})
({float} // {int})|({float} % {int})|({float} // {float})|({float} % {float})|({int} % {float})
sum({floats})|sum({v} * 0.5 for {v} in {list})|{float} ** 2|math.sqrt(abs({float}))
divmod({float}, 2)[1]|math.inf|-math.inf|math.nan|float('inf')|0.1|({float} if {bool} else {int})
({int} if {bool} else {float})|{state}.share|float(SHARES[{int} % 3])|math.pi
math.copysign({float}, {int})|math.hypot({float}, 1.0)|{floats}[{int} % 2]|max({floats})
min({floats})|sum({floats}, {float})|math.fabs({int})|math.exp(-abs({int}))|float({bool})
{float} * {bool}|1e5 * {float}|sum([{float}, {int}])|max({int}, {float})|abs({float} - {int})
({float} or {int})|math.fmod({float}, 3)|math.log(abs({int}) + 1)|math.tanh({float})
math.prod([{float}, {int}])|math.cos({int})|-0.0"""
FLOATS = """[{float}, {float}]|[{float}, {int}]|[{v} / 2 for {v} in {list}]
[{v} * 0.5 + {int} for {v} in t]|sorted([{int} / 2, {int} / 4])|[float({v}) for {v} in {list}]
{floats}[::-1]|({floats} + [{float}])|sorted({v} / 3 for {v} in t)
[min({v}, 0.5) for {v} in {list}]|[float({v}) for {v} in SHARES]
[max({v}, {float}) for {v} in {floats}]"""
PAIR = """Pair({int}, {int})|Pair(x={int}, y={int})|Pair(y={int}, x=1)|{pair}.scaled()
{pair}.scaled(3)|Pair.of({int})|{pair}.scaled({int}, and_more={int})|evolve({pair}, x={int})
evolve({pair}, y={int}, x=2)|{state}.pair|{state}.pairs[{int} % 3]|({pair} if {bool} else {pair})
{state}.first()|{state}.first(least={int})|max({state}.pairs, key=lambda {v}: {v}.total)
next(({v} for {v} in {pairs} if {v}.x > {int}), {pair})
min({pair}, {pair}, key=lambda {v}: {v}.x)|{pairs}[{int} % 2]
sorted({pairs}, key=lambda {v}: {v}.y)[0]"""
STATE = """State({row}, {pair}, ({pair}, {pair}, {pair}), {int} / 2)|evolve({state}, pair={pair})
State({row}, {pair}, {state}.pairs, share={float}, over={bool})
evolve({state}, row={row}, over={bool})
evolve({state}, pairs=put({state}.pairs, {int} % 3, {pair}))|({state} if {bool} else {state})
evolve({state}, share=0.5)|evolve({state}, pairs=tuple({v}.scaled() for {v} in {state}.pairs))
evolve({state}, pair=evolve({pair}, x={int}))
evolve({state}, row=tuple({v} + 1 for {v} in {state}.row))
evolve({state}, pairs={state}.pairs[::-1])
evolve({state}, pairs=tuple(sorted({state}.pairs, key=lambda {v}: {v}.x)))"""
PAIRS = """[{pair}, {pair}]|[Pair({v}, {int}) for {v} in {list}]|list({state}.pairs)
[{v}.scaled() for {v} in {pairs}]|[{v} for {v} in {pairs} if {v}.x > {int}]
sorted({state}.pairs, key=lambda {v}: {v}.y)|({pairs} + [{pair}])
[{v} for {v} in {state}.pairs if {v} != {pair}]|{pairs}[::-1]
sorted({pairs}, key=lambda {v}: -{v}.total)|[Pair({v}, w) for {v}, w in zip({list}, {list})]
[{pair} for {v} in range({int} % 4)]"""
BOARD = """(({int}, 1, {int}), (2, {int}, 0), ({int}, {int}, 3))|({board} if {bool} else {board})
{board}[::-1]|tuple(tuple({v} + {int} for {v} in w) for w in {board})|tuple(zip(*{board}))
tuple(map(tuple, [[1, 2, {int}]] * 3))|put({board}, {int} % 3, ({int}, {int}, {int}))
tuple(w[::-1] for w in {board})|(LINES[{int} % 3],) * 3
tuple(tuple({board}[w][{v}] for w in range(3)) for {v} in range(3))
({board}[0], {board}[2], {board}[1])
put({board}, {int} % 3, put({board}[{int} % 3], {int} % 3, {int}))|({board}[:1] + {board}[1:])"""
DICT = """⟨{int}: {int}, {int}: {int}⟩|⟨{v}: {of} for {v} in {list}⟩
⟨{v}: w for {v}, w in enumerate({row})⟩|dict(zip({row}, {row}))|⟨{of}: {v} for {v} in t if {if}⟩
dict(enumerate({list}))|⟨**{dict}, 1: 2⟩"""
SET = """⟨{int}, {int}⟩|set({list})|⟨{of} for {v} in {list}⟩|({set} § {set})|({set} & {set})
({set} - {set})|set({row})|({set} ^ {set})|{set}.union({set})|set(range({int} % 5))
⟨{v} for {v} in {set} if {if}⟩|⟨*{row}⟩"""
WORD = """U64({int} & 1023)|U64(1 << {int} % 60)|({word} << U64({int} % 9))|({word} >> 2)
({word} & {word})|~{word}|({word} § {word})|({word} ^ {word})|({word} + U64(5))
({word} * U64(977))|({word} - {word})|({word} if {bool} else {word})
(({word} >> U64({int} & 31)) & U64(15))|({word} // U64(3))|({word} & -{word})
({word} & ({word} - U64(1)))|U64({int})"""
STATEMENTS = """{new_int} = {int}|{new_list} = {list}|{new_list} = [*{list}]|{new_row} = {row}
{old_int} += {int}|{old_int} = {int}|{any_list} = {any_list}|{any_list}.append({int})
{any_list}[{int} % 2] = {int}|{any_list}.insert({int} % 3, {int})|{any_list}.extend({list})
{any_list}.reverse()|{any_list}.sort()|{any_list} = {list}|{any_list}[1:2] = {list}
{any_list}[-1] += {int}|if {any_list}: {any_list}.pop({int} % 1)|del {any_list}[:1]
if {bool}:{block}|if {bool}:{block};else:{block}|for {new_int} in {list}:{block}
for {new_int} in range({int} % 6):{block}|for {new_int}, {new_int} in enumerate({list}):{block}
for {new_int}, {new_int} in zip({list}, {list}):{block}|for {new_int} in reversed({list}):{block}
for {v} in {list}:;    if {if}: continue;    {old_int} += {v}
for {v} in {list}:;    if {if}: break;else:{block}
for {v} in {row}:;    if {bool}: break;    {old_int} += {v};else:{block}|a, b = b, a
a, b = {int}, {int}|{new_int} = {new_int} = {int}|a -= {int};b ^= {int}
{old_int} //= {int} % 3 + 1|{new_int}, {new_int} = {pt}|{new_int}, *{new_list} = {row}
*{new_list}, {new_int} = {list} or [1]|{old_int} <<= {int} % 3
{v} = 0;while {old_int} > {int} and {v} < 20:;    {v} += 1;    {old_int} -= {int} % 3 + 1;\
    if {bool}: break;else:{block}
{v} = {int} % 9;while {v} > 0:;    {v} -= 1;    if {bool}: continue;    {old_int} += {v}
match {int} % 4:;    case 0: {old_int} += 1;    case 1 § 2: {old_int} = {int};\
    case _: {old_int} -= {int}
match {int} % 5:;    case w if w > {int}: {old_int} += w;    case _: pass
if {bool}: return {result}
if {bool}:;    {old_int} = {int};elif {bool}:;    return {result};else:;    {old_int} = {int}
def {fun}(x, y={int}):;    if x > y: return x;    return y + 1;\
{old_int} += {fun}({int}) - {fun}({int}, 2)
{fun} = lambda x, y=2: x * y - a;{old_int} = {fun}({int}) % 91
if (w := {int}) > {int}:;    {old_int} += w
for {v} in {row}:;    for w in {row}:;        if {v} > w: break;        {old_int} += 1;\
    else: {old_int} -= 2
{new_list} = list({row});{any_list}[{int} % 4] = {int};\
{any_list}[1], {any_list}[0] = {any_list}[0], {any_list}[1]
assert {int} != {int}|{new_list} = [];for {v} in {row}:;    if {if}: {any_list}.append({v})
for {new_int}, {new_int} in zip({row}, {row}, strict=True):{block}
{v} = 0;while True:;    {v} += 1;    {old_int} += 1;    if {old_int} > {int} or {v} > 9: break
for {new_int} in range({int} % 7, {int} % 5 - 4, -1):{block}
for {new_int}, ({new_int}, {new_int}) in enumerate(zip({row}, {list})):{block}
for {new_int}, {new_int} in zip({list}, {row}, strict=True):;    if {bool}: break;\
    {old_int} += 1
for {new_int} in [{of} for {v} in {list}]:;    if {bool}: break;    {old_int} += 1
{any_list} += {list}|{new_list} = {any_list}[:]|{new_list} = sorted({row}, key=lambda {v}: {of})
{any_list}[:] = {list}"""
RECORD_STATEMENTS = """{new_pair} = {pair}|{new_state} = {state}|{old_pair} = {pair}
{old_state} = {state}|{new_pairs} = {pairs}|{any_pairs}.append({pair})
{any_pairs}[{int} % 2] = {pair}|for {new_pair} in {pairs}:{block}
for {new_pair} in {state}.pairs:{block}
for {new_int}, {new_pair} in enumerate({state}.pairs):{block}|if {pair} == {pair}:{block}
{any_pairs}.sort(key=lambda {v}: {v}.x)|if {any_pairs}: {old_pair} = {any_pairs}.pop()
{old_state} = evolve({old_state}, pair=Pair(a, b), row=(a, b, *{row}[2:]))"""
FLOAT_STATEMENTS = """{new_float} = {float}|{old_float} += {float}|{old_float} = {float}
{new_floats} = {floats}|{old_float} *= {int}|{old_float} /= {int}|{any_floats}.append({float})
{any_floats}[{int} % 2] = {float}|{old_float} //= 2|for {new_float} in {floats}:{block}
if {float} < {float}:{block}|{old_float} = max({old_float}, {float})|{old_float} %= {int}
{v} = 0;while {old_float} > {int} and {v} < 20:;    {v} += 1;    {old_float} -= 7.5;\
    if {bool}: break
{any_floats}[0] = {int}"""
BOARD_STATEMENTS = """{new_board} = {board}|{old_board} = {board}
for {v} in {board}:;    {old_int} += {v}[0]
for {new_int} in range(3):;    for {new_int} in range(3):{block}
for {new_int}, w in enumerate({board}):;    for {new_int}, {new_int} in enumerate(w):{block}
{grid} = [list({v}) for {v} in {board}];{grid}[{int} % 3][{int} % 3] = {int};\
{new_board} = tuple(map(tuple, {grid}))
{grid} = [[0] * 3 for _ in range(3)];{grid}[{int} % 3][{int} % 3] += {int};\
{new_board} = tuple(tuple({v}) for {v} in {grid})
{grid} = list(map(list, {board}));for {v} in {grid}:;    {v}[{int} % 3] += {int};\
{new_board} = tuple(tuple({v}) for {v} in {grid})
{grid} = list({board});{grid}[{int} % 3] = ({int}, {int}, 1);{new_board} = tuple({grid})
for {new_int}, {new_int}, {new_int} in {board}:{block}
for {new_int}, {new_int}, {new_int} in zip(*{board}):{block}"""
TABLE_STATEMENTS = """{new_dict} = {dict}|{any_dict}[{int}] = {int}|{new_set} = {set}
{any_set}.add({int})|{any_set}.discard({int})|for {new_int} in sorted({set}):{block}
for {new_int}, {new_int} in {dict}.items():{block}|for {new_int} in {dict}:{block}
if {int} in {dict}:{block}|{any_dict}.update({dict})|{new_word} = {word}|{old_word} ^= {word}
{old_word} = {word}|while h:;    h &= h - U64(1);    {old_int} += 1
for {new_int} in steps({int}):{block}|for {new_int} in Kind:{block}
{any_dict}[{int}] = {any_dict}.get({int}, 0) + 1|{any_set} §= {set}
{new_int} = {any_dict}.setdefault({int}, {int})
for {v} in steps({int}, by=2):;    if {if}: break;    {old_int} += {v};else:{block}
{any_set}.remove({int})|if {any_dict}: {old_int} += {any_dict}.pop({int}, {int})
del {any_dict}[{int}]|{any_set} -= {set}"""
BY_KIND = {
    "int": INT, "of": OF, "if": IF, "bool": BOOL, "list": LIST, "row": ROW, "do": STATEMENTS,
    "pt": PT, "float": FLOAT, "floats": FLOATS, "pair": PAIR, "state": STATE, "pairs": PAIRS,
    "board": BOARD, "dict": DICT, "set": SET, "word": WORD,
}  # fmt: skip
THEMES: dict[str, dict[str, str]] = {
    "plain": {},
    "records": {
        "int": NUMBERS,
        "bool": RECORD_TESTS,
        "do": RECORD_STATEMENTS,
        "list": RECORD_LISTS,
    },
    "floats": {
        "int": FROM_FLOATS,
        "bool": FLOAT_TESTS,
        "do": FLOAT_STATEMENTS,
        "list": RECORD_LISTS,
    },
    "boards": {"int": BOARDS, "bool": BOARD_TESTS, "do": BOARD_STATEMENTS, "list": RECORD_LISTS},
    "tables": {"int": TABLES, "bool": TABLE_TESTS, "do": TABLE_STATEMENTS, "list": RECORD_LISTS},
}
"""Optional themes of rules; a rule has at most two of them, so that it is not too long."""
KINDS_OF = {
    "plain": (), "records": ("pair", "state", "pairs"), "floats": ("float", "floats"),
    "boards": ("board",), "tables": ("dict", "set", "word"),
}  # fmt: skip


def parts(text: str) -> list[str]:
    """Return the templates of a text."""
    return [part.replace("§", "|") for part in re.split(r"[|\n]", text)]


def templates(themes: tuple[str, ...]) -> dict[str, list[str]]:
    """Return the templates of some themes by kind, without those whose parts no theme provides."""
    kinds = {"int", "of", "if", "bool", "list", "row", "pt", "do"}
    kinds |= {kind for theme in themes for kind in KINDS_OF[theme]}
    own = {"v", "block", "result", "fun", "grid"}
    found = {kind: parts(BY_KIND[kind]) for kind in sorted(kinds)}
    for theme in themes:
        for kind, text in THEMES[theme].items():
            found[kind] = [*found[kind], *parts(text), *parts(text)]

    def fits(template: str) -> bool:
        holes = re.findall(r"\{(?:new_|old_|any_)?(\w+)\}", template)
        return all(hole in kinds or hole in own for hole in holes)

    return {kind: [t for t in every if fits(t)] for kind, every in found.items()}
