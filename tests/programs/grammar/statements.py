"""Statements."""

STATEMENTS = """
8* {x=T} = {T}

2* {x=T}, {y=S} = {T}, {S}

{x=T}, {y=S} = {tup[T,S]}

{x=T}, ({y=S}, {z=V}) = {T}, ({S}, {V})

{x=T}, *{y=list[T]} = {seq[T]}

*{x=list[T]}, {y=T} = {list[T]}

{x=T}, *{y=list[T]}, {z=T} = {iter[T]}

[{x=T}, {y=T}] = {list[T]}

{x=list[T]} = {y=list[T]} = {list[T]}

2* {x=list[list[T]]} = [{var list[T]}, {var list[T]}]

2* {x=list[T]} = {var list[T]}

{x=tup[list[T],int]} = ({var list[T]}, {int})

{x=dict[int,list[T]]} = {{{int}: {var list[T]}}}

{x=list[list[int]]} = [[0] * {small:y=int} for {y} in range({small:-})]

{x=fn[S,T]} = {fn[S,T]}

{x=gen[T]} = {gen[T]}

{x=T} = next({var gen[T]})

{old T}, {old T} = {var T}, {var T}

2* {old int} += {int}

{old int} -= {int}

{old int} *= {int}

{old int} //= {int}

{old int} %= {int}

{old int} <<= {small}

{old int} >>= {small}

{old int} &= {int}

{old int} |= {int}

{old int} ^= {int}

{old int} **= {small}

{old float} += {num}

{old float} /= {num}

{old float} *= {float}

{old float} -= {float}

{old u64} |= {u64}

{old u64} ^= {int}

{old u64} <<= {small}

{old u64} += {int}

{old num} += {num}

{old bool} |= {bool}

{old seq[T]} += ({T},)

{old seq[T]} *= {small}

2* {old list[T]} += {iter[T]}

{old list[T]} *= {small}

{old set[K]} |= {set[K]}

{old set[K]} -= {set[K]}

{old set[K]} &= {set[K]}

{old dict[K,T]} |= {dict[K,T]}

{old counter[K]} += {counter[K]}

3* {var list[T]}[{int}] = {T}

2* {var list[T]}[{small}] = {T}

2* {var list[int]}[{small}] += {int}

{var list[float]}[{small}] *= {num}

{var list[num]}[{small}] += {num}

{var list[list[T]]}[{small}].append({T})

{var list[list[T]]}[{small}][{small}] = {T}

{var list[T]}[{small}], {old T} = {T}, {T}

{var list[T]}[{small}], {var list[T]}[{small}] = {var list[T]}[{small}], {var list[T]}[{small}]

{var list[T]}[{int}:{int}] = {iter[T]}

{var list[T]}[:] = {iter[T]}

{var list[T]}[::2] = {list[T]}

{var list[int]}[{var list[int]}.pop()] = {int}

{var list[int]}[({x} := {small})] += {x}

3* {var list[T]}.append({T})

2* {var list[T]}.extend({iter[T]})

2* {var list[T]}.insert({int}, {T})

{var list[T]}.remove({T})

{var list[T]}.reverse()

{var list[T]}.clear()

{var list[T]}.pop()

{var list[T]}.pop({int})

{var list[O]}.sort()

{var list[O]}.sort(reverse={bool})

{var list[T]}.sort(key=lambda {x}: {O:x=T})

{var list[T]}.sort(key={fn[T,int]}, reverse=True)

del {var list[T]}[{small}]

del {var list[T]}[{int}:{int}]

del {var list[T]}[::{int}]

3* {var dict[K,T]}[{K}] = {T}

{var dict[K,int]}[{K}] += {int}

{var dict[K,T]}.update({dict[K,T]})

{var dict[K,T]}.update({iter[tup[K,T]]})

{var dict[K,T]}.pop({K}, None)

{var dict[K,T]}.clear()

{var dict[K,T]}.setdefault({K}, {T})

{var dict[K,list[T]]}.setdefault({K}, []).append({T})

{var dict[K,list[T]]}[{K}].append({T})

del {var dict[K,T]}[{K}]

{var ddict[K,int]}[{K}] += {int}

{var ddict[K,list[T]]}[{K}].append({T})

{var counter[K]}[{K}] += {int}

{var counter[K]}.update({iter[K]})

{var counter[K]}.subtract({iter[K]})

2* {var set[K]}.add({K})

{var set[K]}.discard({K})

{var set[K]}.remove({K})

{var set[K]}.update({iter[K]})

{var set[K]}.difference_update({iter[K]})

{var set[K]}.intersection_update({iter[K]})

{var set[K]}.symmetric_difference_update({iter[K]})

2* {var deque[T]}.append({T})

{var deque[T]}.appendleft({T})

{var deque[T]}.extend({iter[T]})

{var deque[T]}.extendleft({iter[T]})

{var deque[T]}.rotate({int})

{var deque[T]}.insert({small}, {T})

{var deque[T]}.remove({T})

{var deque[T]}.reverse()

{var deque[T]}[{small}] = {T}

5* if {bool}:
    {block}

3* if {bool}:
    {block}
else:
    {block}

2* if {T}:
    {block}
elif {bool}:
    {block}
else:
    {block}

if {bool}:
    return {ret}

if ({x=int} := {int}) > {int}:
    {block}

if {bool}:
    yield {out}

2* yield {out}

yield from ({out}, {out})

yield from [{out}]

6* for {x} in {iter[T]}:
    {loop:x=T}

2* for {x}, {y} in {iter[tup[T,S]]}:
    {loop:x=T;y=S}

2* for {i}, {x} in enumerate({iter[T]}, {int}):
    {loop:i=int;x=T}

for {i}, ({x}, {y}) in enumerate({iter[tup[T,S]]}):
    {loop:i=int;x=T;y=S}

for {x}, *{y} in {list[list[T]]}:
    {loop:x=T;y=list[T]}

2* for {x} in {iter[T]}:
    if {bool:x=T}:
        break
    {loop:x=T}
else:
    {block}

for {x} in {iter[T]}:
    if {bool:x=T}:
        continue
    {loop:x=T}

for {x} in {endless[T]}:
    if {bool:x=T} or len({var list[S]}) > 3 or {bool:x=T}:
        break
    {var list[S]}.append({S:x=T})

2* for {x=T} in {iter[T]}:
    {loop}

2* for {x} in {var list[T]}:
    if len({var list[T]}) < 7:
        {var list[T]}.append({T:x=T})
    {loop:x=T}

for {x} in {var list[T]}:
    if {bool:x=T}:
        {var list[T]}.remove({x})

for {x} in {var dict[K,T]}:
    {var dict[K,T]}[{K:x=K}] = {T:x=K}

for {x}, {y} in {var dict[K,T]}.items():
    {var dict[K,T]}[{x}] = {T:x=K;y=T}

for {var list[int]}[0] in {iter[int]}:
    {loop}

2* {n} = {small}
while {n} > 0:
    {n} -= 1
    {loop:n=int}

{n} = {small}
while {n} > 0 and {bool:n=int}:
    {n} -= 1
    {loop:n=int}
else:
    {block:n=int}

{n} = {small}
while True:
    {n} -= 1
    if {n} < 0 or {bool:n=int}:
        break
    {loop:n=int}

while {var list[T]}:
    {x} = {var list[T]}.pop()
    if len({var list[T]}) > 8:
        break
    {calm:x=T}
    break

while ({n} := len({var list[T]})) > 3:
    {var list[T]}.pop()
    {loop:n=int}
    break

2* if {bool}:
    break

if {bool}:
    continue

3* try:
    {block}
except {exc}:
    {block}

try:
    {x=T} = {T}
except {exc}:
    {x=T} = {T}

try:
    {block}
except {exc}:
    {block}
except {exc} as {e}:
    {block}
else:
    {block}

try:
    {block}
finally:
    {calm}

try:
    {block}
except {exc}:
    raise
finally:
    {calm}

try:
    {block}
except {exc}:
    raise {raised} from None
else:
    {block}
finally:
    {calm}

2* if {bool}:
    raise {raised}

assert {bool}

assert {bool}, "said"

assert {T}

match {int}:
    case 0:
        {block}
    case 1 | 2 | -1:
        {block}
    case {x} if {bool:x=int}:
        {block:x=int}
    case _:
        {block}

match {tup[T,int]}:
    case ({x}, 0):
        {block:x=T}
    case ({x}, {y}) if {bool:x=T;y=int}:
        {block:x=T;y=int}
    case _:
        {block}

match {seq[T]}:
    case ():
        {block}
    case ({x},):
        {block:x=T}
    case ({x}, *{y}):
        {block:x=T;y=list[T]}

match {list[int]}:
    case [0, *_]:
        {block}
    case [{x}, {y}]:
        {block:x=int;y=int}
    case [{x}, *_, ({y})]:
        {block:x=int;y=int}
    case _:
        {block}

match {tag}:
    case "keep":
        {block}
    case "roll" | "stop":
        {block}
    case {x}:
        {block:x=tag}

match {mix}:
    case bool():
        {block}
    case int({x}) | float({x}):
        {block:x=num}
    case None:
        {block}
    case _:
        {block}

match {enum}:
    case Suit.RED:
        {block}
    case Suit.BLACK | Suit.NONE as {x}:
        {block:x=enum}

match {opt[T]}:
    case None:
        {block}
    case {x}:
        {block:x=T}

match {dict[tag,int]}:
    case {{"keep": {x}}}:
        {block:x=int}
    case _:
        {block}

match ({int}, {bool}):
    case (1 | 2 as {x}, True):
        {block:x=int}
    case (int() as {x}, False) if {bool:x=int}:
        {block:x=int}

{n=int} = {int}
def {f=fn[int]}():
    nonlocal {n}
    {n} += {int:-}
    return {n}

def {f=fn[T,T]}({a}):
    nonlocal {old T}
    {old T}, {b} = {a}, {old T}
    return {b}

{x=list[fn[int,int]]} = []
for {i} in range({small}):
    {x}.append(lambda {y}: {int:y=int} + {i})

{x=T} = {T}
{y=list[T]} = [{x}, {x}]
{x} = {T}

{x=list[int]} = {list[int]}
{y=list[list[int]]} = [{x}, {x}]
{x}.append({int})

del {old int}

pass
"""
