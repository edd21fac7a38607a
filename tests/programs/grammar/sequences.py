"""Expressions that give tuples, lists and deques."""

SEQUENCES = """
2* tup[T]         ({T},)
3* tup[T,S]       ({T}, {S})
tup[T,S,V]        ({T}, {S}, {V})
tup[T,S]          ({T},) + ({S},)
tup[T,S]          (*({T},), {S})
tup[T,S]          ({S}, {T})[::-1]
tup[T,S]          ({V}, {T}, {S})[1:]
tup[T,S]          ({T}, {S}, {V})[:2]
tup[T,T]          ({T},) * 2
tup[T,S]          {tup[T,S]} if {bool} else ({T}, {S})
tup[int,T]        next(enumerate({iter[T]}, {int}))
tup[K,T]          {dict[K,T]}.popitem()
tup[int,int]      tuple([{int}, {int}])
tup[int,int]      put({tup[int,int]}, {small}, {int})
3* seq[T]         tuple({T:x=S} for {x} in {iter[S]:-})
seq[T]            tuple([{T:x=S} for {x} in {iter[S]:-} if {bool:x=S}])
seq[T]            tuple({iter[T]})
seq[T]            tuple({list[T]})
seq[T]            ({T}, {T}, {T})
seq[T]            (*{iter[T]}, {T})
seq[T]            (*{seq[T]}, *{list[T]})
2* seq[T]         {seq[T]} + {seq[T]}
2* seq[T]         {seq[T]} + ({T},)
seq[T]            ({T},) + {seq[T]}
seq[T]            {seq[T]} * {small}
seq[T]            ({T},) * {small}
2* seq[T]         {seq[T]}[{int}:]
seq[T]            {seq[T]}[:{int}]
seq[T]            {seq[T]}[{int}:{int}]
seq[T]            {seq[T]}[::-1]
seq[T]            {seq[T]}[{int}:{int}:{int}]
seq[T]            {seq[T]}[:{int}] + ({T},) + {seq[T]}[{int}:]
seq[T]            {seq[T]} or ({T},)
seq[O]            tuple(sorted({iter[O]}))
seq[T]            tuple(reversed({list[T]}))
seq[T]            put({seq[T]}, {small}, {T})
seq[tup[T,S]]     tuple(zip({iter[T]}, {iter[S]}))
seq[tup[int,T]]   tuple(enumerate({iter[T]}))
seq[T]            tuple(map({fn[S,T]}, {iter[S]}))
seq[int]          tuple(range({small}))
2* list[T]        [{T}, {T}]
list[T]           [{T}]
list[T]           []
3* list[T]        [{T:x=S} for {x} in {iter[S]:-}]
2* list[T]        [{T:x=S} for {x} in {iter[S]:-} if {bool:x=S}]
list[T]           [{T:x=S;y=V} for {x} in {iter[S]:-} for {y} in {iter[V]:-;x=S}]
list[T]           [{T:x=S;y=V} for {x} in {iter[S]:-} if {x} for {y} in {iter[V]:-;x=S} if {y}]
list[T]           [{T:x=S;y=V} for {x}, {y} in {iter[tup[S,V]]:-}]
list[T]           [{T:i=int;x=S} for {i}, {x} in enumerate({iter[S]:-})]
list[T]           [{T:x=S;y=list[S]} for {x}, *{y} in {list[list[S]]:-}]
list[int]         [{y} for {x} in {iter[S]:-} if ({y} := {int:x=S}) > {int:x=S}]
list[list[T]]     [[{T:x=S;y=V} for {y} in {iter[V]:-;x=S}] for {x} in {iter[S]:-}]
list[fn[int,T]]   [lambda {y}: {T:y=int;x=S} for {x} in {iter[S]:-}]
list[int]         [{f}() for {f} in [lambda: {x} for {x} in {iter[int]:-}]]
list[int]         [{f}() for {f} in [lambda {x}={x}: {x} for {x} in {iter[int]:-}]]
2* list[T]        {list[T]} + {list[T]}
list[T]           {list[T]} + [{T}]
list[T]           [{T}] * {small}
list[T]           {list[T]} * {small}
list[T]           {small} * [{T}]
list[int]         [0] * {small}
list[T]           list({iter[T]})
list[T]           list({list[T]})
list[T]           {list[T]}.copy()
list[T]           {list[T]}[:]
2* list[T]        {list[T]}[{int}:]
list[T]           {list[T]}[:{int}]
list[T]           {list[T]}[{int}:{int}]
list[T]           {list[T]}[::{int}]
list[T]           {list[T]}[{int}:{int}:{int}]
list[T]           {list[T]}[::-1]
list[T]           {list[T]}[-{small}:{bool}]
list[T]           [*{iter[T]}, {T}]
list[T]           [{T}, *{iter[T]}, *{iter[T]}]
2* list[O]        sorted({iter[O]})
list[O]           sorted({iter[O]}, reverse={bool})
2* list[T]        sorted({iter[T]}, key=lambda {x}: {O:x=T})
list[T]           sorted({iter[T]}, key=lambda {x}: ({int:x=T}, {int:x=T}), reverse=True)
list[T]           sorted({iter[T]}, key={fn[T,int]}, reverse={bool})
list[K]           sorted({set[K]}, key={fn[K,int]})
list[int]         sorted({set[int]})
list[T]           list(reversed({list[T]}))
list[T]           list(map({fn[S,T]}, {iter[S]}))
list[T]           list(map({fn[S,V,T]}, {iter[S]}, {iter[V]}))
list[T]           list(filter({fn[T,bool]}, {iter[T]}))
list[T]           list(filter(None, {iter[T]}))
list[T]           {list[T]} or [{T}]
list[T]           {list[list[T]]}[{int}]
list[list[T]]     [{list[T]}] * {small}
list[list[T]]     ({x} := {list[T]}) and [{x}, {x}]
list[list[T]]     [{list[T]}, {list[T]}]
list[T]           max({list[T]}, {list[T]}, key=len)
list[T]           list({deque[T]})
list[K]           list({dict[K,T]})
list[T]           list({dict[K,T]}.values())
list[tup[K,T]]    list({dict[K,T]}.items())
list[tup[T,S]]    list(zip({iter[T]}, {iter[S]}))
list[tup[T,S]]    list(zip({iter[T]}, {iter[S]}, strict={bool}))
list[tup[int,T]]  list(enumerate({iter[T]}, start={int}))
list[int]         list(range({small}))
list[int]         list(range({int} % 9 - 4, {int} % 9))
list[int]         list(range({small}, -3, {int}))
list[T]           ({var list[T]}.append({T}), {list[T]})[1]
list[T]           ({var list[T]}.extend({iter[T]}), {var list[T]})[1]
list[T]           {fn[list[T],list[T]]}({list[T]})
list[T]           {T} in {list[T]} and {list[T]} or [{T}]
list[tup[K,int]]  {counter[K]}.most_common({small})
list[tup[K,int]]  {counter[K]}.most_common()
list[K]           list(islice({counter[K]}.elements(), {small}))
list[num]         [{int}, {float}]
list[num]         [{num:x=S} for {x} in {iter[S]:-}]
list[num]         sorted({iter[num]})
list[mix]         [{T}, {S}]
deque[T]          deque({iter[T]})
deque[T]          deque([{T}, {T}])
deque[T]          deque({iter[T]}, maxlen={small})
deque[T]          deque({iter[T]}, {small})
deque[T]          {deque[T]}.copy()
deque[T]          {deque[T]} + {deque[T]}
deque[T]          deque(reversed({list[T]}))
tup[list[int],int]  ({list[int]}, {int})
"""
