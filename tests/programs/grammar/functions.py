"""Expressions that give functions, and statements that define them."""

FUNCTIONS = """
4* fn[T]          lambda: {T:-}
4* fn[S,T]        lambda {x}: {T:x=S}
fn[S,T]           lambda {x}, {y}={V}: {T:x=S;y=V}
4* fn[S,V,T]      lambda {x}, {y}: {T:x=S;y=V}
fn[S,V,T]         lambda {x}, *{y}: {T:x=S;y=seq[V]}
fn[S,W,V,T]       lambda {x}, {y}, {z}: {T:x=S;y=W;z=V}
fn[S,T]           partial({fn[V,S,T]}, {V})
fn[S,T]           {fn[S,T]} if {bool} else {fn[S,T]}
fn[S,T]           [{fn[S,T]}, {fn[S,T]}][{bool}]
fn[int,int]       abs
fn[bool,int]      int
fn[int,float]     float
fn[int,bool]      bool
fn[list[int],int] len
fn[list[int],int] sum
fn[seq[int],int]  len
fn[tup[int,int],int]  sum
fn[tup[T,S],T]    operator.itemgetter(0)
fn[tup[S,T],T]    operator.itemgetter(-1)
fn[int,int,int]   operator.add
fn[int,int,int]   operator.mul
fn[int,int,int]   max
fn[int,int,int]   math.gcd
fn[float,int,num]  operator.add
fn[int,int,bool]  operator.lt
fn[int,int]       operator.neg
fn[float,float]   math.sqrt
fn[S,gen[T]]      lambda {x}: ({T:x=S;y=V} for {y} in {iter[V]:-;x=S})
fn[list[T],gen[T]]  iter
fn[gen[T],gen[T]]  lambda {x}: islice({x}, {small})
fn[gen[S],gen[T]]  lambda {x}: ({T:y=S} for {y} in {x})
fn[list[T],list[T]]  lambda {x}: {x}
"""

DEFINITIONS = """
4* def {f=fn[S,T]}({a}):
    {body T:a=S}

3* def {f=fn[S,V,T]}({a}, {b}):
    {body T:a=S;b=V}

2* def {f=kwfn[S,V,T]}(first, second={V}, *, third={V}):
    {body T:first=S;second=V;third=V}

def {f=starfn[S,T]}(*{a}):
    {body T:a=seq[S]}

def {f=fn[S,T]}({a}, {b}={V}, *{c}):
    {body T:a=S;b=V;c=seq[S]}

3* def {f=fn[S,gen[T]]}({a}):
    {yields T:a=S}

def {f=fn[list[T],gen[T]]}({a}):
    for {x} in {a}:
        yield {T:a=list[T];x=T}
        yield from {iter[T]:a=list[T];x=T}

2* def {f=fn[list[T],gen[T]]}({a}):
    {n} = 0
    for {x} in {a}:
        {n} += 1
        if {bool:a=list[T];x=T;n=int}:
            return
        yield {x}
    yield {T:a=list[T];n=int}

2* def {f=fn[gen[S],gen[T]]}({a}):
    for {x} in {a}:
        yield {T:x=S}

def {f=fn[gen[S],gen[T]]}({a}):
    {x} = next({a})
    yield {T:x=S}
    {x} = next({a}, {x})
    yield {T:x=S}

2* def {f=fn[small,gen[T]]}({n}):
    if {n} > 0:
        yield {T:n=int}
        yield from {f}({n} - 1)
        yield {T:n=int}

def {f=fn[small,gen[T]]}({n}):
    for {x} in range({n}):
        for {y} in {f}({x}):
            yield {y}
        yield {T:x=int;n=int}

2* def {f=fn[int,endless[int]]}({n}):
    while True:
        yield {n}
        {n} += {int:n=int}

def {f=fn[S,endless[T]]}({a}):
    {n} = 0
    while True:
        {n} += 1
        yield {T:a=S;n=int}

2* def {f=fn[small,S,T]}({n}, {a}):
    if {n} <= 0:
        return {T:a=S}
    {r} = {f}({n} - 1, {S:a=S})
    {body T:n=int;a=S;r=T}

def {f=fn[small,T]}({n}):
    return {T:n=int} if {n} < 1 else {T:n=int} or {f}({n} - 1)

def {f=fn[small,seq[T]]}({n}):
    if {n} <= 0:
        return ()
    return {f}({n} - 1) + ({T:n=int},)

def {f=fn[small,int]}({n}):
    return {int:n=int} if {n} <= 0 else {f}({n} - 1) + {f}({n} - 2)

def {f=fn[small,list[T]]}({n}):
    {x} = [] if {n} <= 0 else {f}({n} - 1)
    {x}.append({T:n=int})
    return {x}

@cache
def {f=fn[small,T]}({n}):
    {body T:n=int}

@lru_cache(maxsize=None)
def {f=fn[small,int]}({n}):
    return {n} if {n} < 2 else {f}({n} - 1) + {f}({n} - 2)

2* def {f=fn[list[T],list[T]]}({a}):
    {a}.append({T:a=list[T]})
    return {a}

def {f=fn[list[T],list[T],list[T]]}({a}, {b}):
    return {a} if {bool:a=list[T];b=list[T]} else {b}

def {f=fn[list[int],list[int]]}({a}):
    for {i} in range(len({a})):
        {a}[{i}] = {int:a=list[int];i=int}
    return {a}[:]

def {f=fn[T,fn[S,T]]}({a}):
    {n} = {int:a=T}
    def inner({x}):
        nonlocal {n}
        {n} += 1
        return {T:a=T;n=int;x=S}
    return inner

2* def {f=fn[S,fn[V,T]]}({a}):
    return lambda {x}: {T:a=S;x=V}

def {f=fn[S,T,list[T]]}({a}, {b}, {c}=[]):
    {c}.append({b})
    return {c}[:9] if {bool:a=S} else []

2* def {f=fn[fn[S,T],S,T]}({a}, {b}):
    return {a}({b}) if {bool:b=S} else {T:b=S}

def {f=fn[S,T]}({a}):
    try:
        return {T:a=S}
    except {exc}:
        return {T:a=S}
    finally:
        {n} = {int:a=S}

def {f=fn[S,T]}({a}):
    if {bool:a=S}:
        raise {raised:a=S}
    return {T:a=S}

def {f=fn[mix,T]}({a}):
    match {a}:
        case int({x}):
            return {T:x=int}
        case float():
            return {T:a=mix}
        case ({x}, {y}):
            return {T:a=mix}
        case None:
            return {T:-}
    return {T:a=mix}
"""

RAISED = """
3* raised   ValueError("no")
raised      ValueError({int})
raised      IndexError("no")
raised      KeyError({int})
raised      ZeroDivisionError
raised      Stuck("no")
raised      Stuck({int})
raised      RuntimeError("no")
raised      OverflowError("no")
raised      StopIteration
raised      ArithmeticError() if {bool} else ValueError()
"""
