"""Expressions that give bools, and those of every kind that choose."""

TRUTHS = """
3* bool   {int} < {int}
2* bool   {int} <= {int}
2* bool   {int} > {int}
bool      {int} >= {int}
3* bool   {int} == {int}
2* bool   {int} != {int}
bool      {int} < {int} < {int}
bool      {int} <= {float} != {int}
bool      {int} == {int} == {bool}
bool      {O} < {O} <= {O}
bool      {int} < {int} in {list[int]}
bool      {float} < {float}
bool      {float} == {float}
bool      {float} >= {int}
bool      {num} == {num}
bool      {num} < {num}
bool      {u64} < {u64}
bool      {u64} == {int}
bool      {u64} > {int}
bool      {bool} == {int}
2* bool   {O} < {O}
bool      {O} >= {O}
2* bool   {T} == {T}
bool      {T} != {T}
bool      {mix} == {mix}
bool      {mix} != {T}
bool      {list[T]} == {list[T]}
bool      {tup[T,S]} == {tup[T,S]}
bool      {seq[O]} < {seq[O]}
bool      {list[int]} == {tup[int,int]}
bool      {set[K]} == {set[K]}
bool      {set[K]} <= {set[K]}
bool      {set[K]} < {set[K]}
bool      {set[K]} > {frozen[K]}
bool      {set[K]}.issubset({iter[K]})
bool      {set[K]}.issuperset({iter[K]})
bool      {set[K]}.isdisjoint({iter[K]})
bool      {dict[K,T]} == {dict[K,T]}
bool      {counter[K]} <= {counter[K]}
2* bool   {T} in {list[T]}
bool      {T} not in {list[T]}
2* bool   {T} in {seq[T]}
bool      {int} in {tup[int,int]}
bool      {K} in {set[K]}
bool      {K} not in {frozen[K]}
bool      {K} in {dict[K,T]}
bool      {T} in {deque[T]}
bool      {float} in {set[int]}
bool      {bool} in {list[int]}
bool      {int} in range({int}, {int}, {int})
bool      {T} in {gen[T]}
bool      {int} in ({int}, {int}, {int})
bool      {int} in {{{int}, {int}}}
bool      {tag} in ({tag}, {tag})
bool      {tag} == {tag}
bool      {opt[T]} is None
bool      {opt[T]} is not None
bool      {enum} is {enum}
bool      {enum} == {enum}
bool      {ienum} < {int}
bool      {ienum} == {int}
2* bool   not {bool}
bool      not {list[T]}
bool      not {T}
2* bool   {bool} and {bool}
2* bool   {bool} or {bool}
bool      {bool} and {bool} or {bool}
bool      bool({int})
bool      bool({float})
bool      bool({T})
bool      bool({list[T]})
bool      isinstance({int}, int)
bool      isinstance({bool}, int)
bool      isinstance({mix}, int)
bool      isinstance({mix}, (float, tuple))
bool      isinstance({num}, float)
bool      isinstance({mix}, bool)
bool      isinstance({u64}, U64)
2* bool   any({bool:x=S} for {x} in {iter[S]:-})
2* bool   all({bool:x=S} for {x} in {iter[S]:-})
bool      any([{bool}, {bool}, {bool}])
bool      all(({bool}, {bool}))
bool      any({iter[int]})
bool      all({iter[T]})
bool      any(map({fn[S,bool]}, {iter[S]}))
bool      math.isnan({float})
bool      math.isinf({float})
bool      math.isfinite({num})
bool      math.isclose({float}, {float})
bool      operator.lt({int}, {int})
bool      operator.eq({T}, {T})
bool      operator.contains({list[T]}, {T})
bool      operator.not_({T})
bool      ({x} := {int}) > {int}
bool      {float}.is_integer()
T         {T} if {bool} else {T}
2* T      {T} if {bool} else {T}
T         {T} and {T}
T         {T} or {T}
T         {T} if ({x} := {bool}) else {T}
2* T      ({old T} := {T})
T         {T} or {T} or {T}
T         {T} and {T} and {T}
T         [{T}, {T}][{int}]
2* T      [{T}, {T}][{int} % 2]
2* T      ({T}, {T})[{bool}]
T         [{T}, *{list[T]}][-1]
2* T      ({list[T]} or [{T}])[0]
T         ({seq[T]} + ({T},))[{small} - {small}]
T         ({T}, {T})[{int}]
T         ({T}, {S})[0]
T         ({S}, {T})[-1]
2* T      {list[T]}[{int}]
T         {list[T]}[{small}]
T         {list[T]}[-{int}]
T         {list[T]}[{bool}]
T         {list[list[T]]}[{small}][{small}]
2* T      {seq[T]}[{int}]
T         {deque[T]}[{int}]
T         {tup[T,S]}[0]
T         {tup[S,T]}[-1]
T         {tup[S,T]}[1]
2* T      {dict[K,T]}[{K}]
3* T      {dict[K,T]}.get({K}, {T})
T         {dict[K,T]}.pop({K})
T         {dict[K,T]}.pop({K}, {T})
T         {dict[K,T]}.setdefault({K}, {T})
T         {var dict[K,T]}.setdefault({K}, {T})
T         {dict[K,T]}.popitem()[1]
T         {ddict[K,T]}[{K}]
2* T      {var list[T]}.pop()
T         {list[T]}.pop()
T         {var list[T]}.pop({int})
T         {list[T]}.pop({small})
T         {var deque[T]}.popleft()
T         {deque[T]}.pop()
T         {var list[T]}.append({T}) or {T}
T         {var list[int]}.append({int}) or {T}
T         ({T}, {var list[S]}.append({S}))[0]
T         ({T}, {var list[S]}.pop())[0]
2* T      next({gen[T]})
4* T      next({gen[T]}, {T})
T         next({x} for {x} in {iter[T]:-} if {bool:x=T})
T         next(({x} for {x} in {iter[T]:-} if {bool:x=T}), {T})
T         next(iter({list[T]}))
T         {fn[T,T]}({T})
2* T      {fn[S,T]}({S})
T         {fn[S,V,T]}({S}, {V})
T         {list[fn[S,T]]}[{small}]({S})
T         {dict[tag,fn[S,T]]}[{tag}]({S})
T         (lambda {x}: {T:x=S})({S})
T         (lambda {x}, {y}={V}: {T:x=S;y=V})({S})
T         (lambda {x}, *{y}: {T:x=S;y=seq[V]})({S}, {V}, {V})
T         (lambda {x}, /, *, {y}: {T:x=S;y=V})({S}, {y}={V})
T         partial({fn[S,V,T]}, {S})({V})
T         operator.itemgetter({small})({list[T]})
T         operator.getitem({list[T]}, {int})
T         sorted({iter[T]}, key=lambda {x}: {O:x=T})[{small}]
O         sorted({iter[O]})[{int}]
T         list({iter[T]})[{small}]
T         {var kwfn[S,V,T]}({S})
T         {var kwfn[S,V,T]}({S}, {V})
T         {var kwfn[S,V,T]}({S}, third={V})
T         {var kwfn[S,V,T]}(second={V}, first={S})
T         {var kwfn[S,V,T]}({S}, *({V},), third={V})
T         {var kwfn[S,V,T]}(*({S}, {V}))
T         {var starfn[S,T]}()
T         {var starfn[S,T]}({S}, {S})
T         {var starfn[S,T]}(*{seq[S]})
T         {var starfn[S,T]}({S}, *{list[S]})
opt[T]    {T}
opt[T]    None
opt[T]    {T} if {bool} else None
opt[T]    {dict[K,T]}.get({K})
opt[T]    next({gen[T]}, None)
opt[T]    {bool} and {T} or None
opt[T]    max({iter[T]}, key={fn[T,int]}, default=None)
2* mix    {T}
mix       {T} or {S}
mix       {T} and {S}
mix       {T} if {bool} else {S}
mix       ({T}, {S})[{small}]
mix       {opt[T]}
mix       {num}
mix       {dict[K,T]}.get({K}, {S})
mix       {T} or {S} and {V}
mix       not {T} or {S}
mix       next({gen[T]}, {S})
tag       {tag} if {bool} else {tag}
ienum     {ienum} if {bool} else {ienum}
ienum     Rank({int})
enum      Suit({int})
enum      [{enum}, {enum}][{int}]
"""
