"""Expressions that give numbers."""

NUMBERS = """
3* int    {int} + {int}
3* int    {int} - {int}
2* int    {int} * {int}
2* int    {int} // {int}
2* int    {int} % {int}
int       {int} ** {small}
num       {int} ** {int}
int       {int} << {small}
int       {int} >> {small}
int       {int} >> {int}
int       {int} & {int}
int       {int} | {int}
int       {int} ^ {int}
int       -{int}
int       +{int}
int       ~{int}
int       {bool} + {bool}
int       {bool} * {int}
int       -{bool}
int       ~{ienum}
int       {ienum} + {int}
int       {ienum} * {ienum}
int       {ienum}.value
bool      {bool} & {bool}
bool      {bool} | {bool}
bool      {bool} ^ {bool}
2* float  {float} + {float}
2* float  {float} * {float}
2* float  {float} - {int}
2* float  {int} / {int}
2* float  {float} / {float}
float     {int} / {float}
float     {float} // {float}
float     {float} % {float}
float     {int} % {float}
float     {float} // {int}
num       {float} ** {small}
num       {num} + {num}
num       {num} * {num}
num       {num} - {num}
num       {num} // {num}
num       {num} % {num}
float     {num} / {num}
float     -{float}
float     {bool} * {float}
float     {bool} / {int}
u64       {u64} + {u64}
u64       {u64} - {u64}
u64       {u64} * {u64}
u64       {u64} & {u64}
u64       {u64} | {u64}
u64       {u64} ^ {u64}
u64       {u64} + {int}
u64       {u64} * {int}
u64       {int} - {u64}
u64       {u64} - {int}
u64       {u64} % {int}
u64       {u64} // {int}
u64       {int} % {u64}
u64       {int} // {u64}
u64       {u64} << {small}
u64       {u64} << {int}
u64       {u64} >> {small}
u64       {int} << {u64}
u64       {int} >> {u64}
u64       {u64} ^ {int}
u64       {int} & {u64}
u64       {bool} + {u64}
u64       {bool} - {u64}
u64       {ienum} + {u64}
u64       ~{u64}
u64       -{u64}
u64       U64({int})
u64       U64({num})
u64       U64({bool})
u64       U64(1) << {int}
num       {u64} / {int}
num       {u64} ** {small}
num       {u64} * {float}
num       abs({u64})
num       +{u64}
num       {u64}
num       divmod({u64}, {int})[0]
int       int({u64})
int       {u64}.bit_count()
int       {u64}.lowest()
int       {u64}.bit_length()
int       ({int}).bit_count()
int       ({int}).bit_length()
int       {bool}.bit_count()
2* int    abs({int})
float     abs({float})
int       abs({bool})
num       abs({num})
2* int    int({float})
int       int({bool})
int       int({int})
int       int({num})
float     float({int})
float     float({num})
float     float({bool})
int       round({float})
float     round({float}, {small})
int       round({int}, {int})
int       round({int})
tup[int,int]      divmod({int}, {int})
tup[float,float]  divmod({float}, {float})
tup[num,num]      divmod({num}, {num})
int       pow({int}, {small})
num       pow({int}, {int})
int       pow({int}, {int}, {int})
int       pow({int}, {small}, mod={int})
num       pow({float}, {small})
num       abs({float}) ** {float}
float     {int} ** -{small}
int       max({int}, {int})
int       min({int}, {int}, {int})
num       max({int}, {float})
num       min({float}, {int}, {bool})
num       max({num}, {num})
2* O      max({O}, {O})
O         min({O}, {O})
2* O      max({iter[O]})
O         min({iter[O]})
O         max({iter[O]}, default={O})
O         min({iter[O]}, default={O})
2* T      max({iter[T]}, key=lambda {x}: {O:x=T})
T         min({iter[T]}, key=lambda {x}: {O:x=T})
T         min({iter[T]}, key={fn[T,int]})
T         max({iter[T]}, key={fn[T,int]}, default={T})
T         max({T}, {T}, key={fn[T,int]})
int       max({tup[int,int]})
3* int    sum({iter[int]})
int       sum({iter[int]}, {int})
int       sum({iter[int]}, start={int})
num       sum({iter[float]})
float     sum({iter[float]}, {float})
num       sum({iter[num]})
int       sum({iter[bool]})
3* int    sum({int:x=S} for {x} in {iter[S]:-})
int       sum({bool:x=S} for {x} in {iter[S]:-})
int       sum(1 for {x} in {iter[S]:-} if {bool:x=S})
int       sum({set[int]})
int       sum({int:x=S} for {x} in {iter[S]:-} for {y} in {iter[V]:-;x=S})
float     float(sum({iter[float]}))
int       math.floor({float})
int       math.ceil({float})
int       math.trunc({num})
int       math.isqrt({int})
int       math.gcd({int}, {int})
int       math.lcm({int}, {int}, {int})
int       math.comb({small}, {small})
int       math.perm({small}, {small})
int       math.factorial({small})
int       math.prod({iter[int]})
num       math.prod({iter[num]}, start={num})
float     math.sqrt({float})
float     math.sqrt({int})
float     math.pow({float}, {float})
float     math.fabs({num})
float     math.copysign({float}, {float})
float     math.hypot({float}, {float})
float     math.fmod({float}, {float})
float     math.ldexp({float}, {small})
float     math.log({float})
float     math.log2({int})
float     math.exp({float})
float     math.fsum({iter[float]})
float     math.inf
float     math.dist({tup[int,int]}, {tup[int,int]})
int       operator.add({int}, {int})
int       operator.sub({int}, {int})
int       operator.mul({int}, {bool})
int       operator.floordiv({int}, {int})
int       operator.mod({int}, {int})
float     operator.truediv({int}, {int})
int       operator.neg({int})
int       operator.xor({int}, {int})
int       operator.index({int})
int       functools.reduce(operator.add, {iter[int]})
int       functools.reduce(lambda {x}, {y}: {int:x=int;y=int}, {iter[int]}, {int})
T         functools.reduce(lambda {x}, {y}: {T:x=T;y=S}, {iter[S]}, {T})
T         functools.reduce({fn[T,S,T]}, {iter[S]}, {T})
2* int    len({list[T]})
int       len({seq[T]})
int       len({tup[int,int]})
int       len({dict[K,T]})
int       len({set[K]})
int       len({frozen[K]})
int       len({deque[T]})
int       len({counter[K]})
int       {list[T]}.index({T})
int       {list[T]}.index({T}, {small})
int       {list[T]}.index({T}, {int}, {int})
int       {list[T]}.count({T})
int       {seq[T]}.count({T})
int       {seq[T]}.index({T})
int       {tup[int,int]}.index({int})
int       {deque[T]}.count({T})
int       {deque[T]}.index({T})
int       {counter[K]}[{K}]
int       {counter[K]}.total()
int       {ddict[K,int]}[{K}]
int       {dict[K,int]}.get({K}, {int})
int       ({var list[T]}.append({T}) or {int})
int       {small} * {int}
int       (lambda: {int:-})()
int       [{int}, {int}][{bool}]
int       ({int}, {int})[{bool}]
int       {{{tag}: {int}, {tag}: {int}}}[{tag}]
small     {int} % 5
small     len({list[T]}) % 4
small     abs({int}) % 3
small     int({bool})
small     {bool} + {bool}
small     min({int}, 4)
small     {int} & 3
int       {int} if {bool} else {bool}
int       {opt[int]} or {int}
int       nth_bit({u64}, {small})
num       {int} if {bool} else {float}
num       {int} or {float}
num       {float} and {int}
num       {float} or {int}
num       {bool} or {float}
num       {bool} and {int}
int       int({num})
int       int({num} > {int})
int       {int} + ({x} := {int}) * {int} - {x}
int       ({x} := {int}) + {x}
"""
