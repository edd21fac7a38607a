# ruff: noqa: E501
"""Small functions of tables: exceptions, aliases, order of evaluation, equal keys of several types."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from typing import Any

import pytest

from games.u64 import U64
from tests.strategies.rules.compared import check, function_of, refused

NAMES = {"deque": deque, "Counter": Counter, "defaultdict": defaultdict, "U64": U64}

# Bodies of functions of `n`, apart by empty lines.
BODIES = """
d={1:2}; d[[1]]=3; return 1

d={1:2}; return [1] in d

d={1:2}; return d.get([1])

d={1:2}; return d.pop({})

return {[1]}

return {{1}}

return {1:2}[{1}]

return {1} in {frozenset((1,))}, {2} in {frozenset((1,))}

s={frozenset((1,)),2}; s.remove({1}); s.discard({7}); return s

s={1}; s.remove(n)

s={1}; s.add((1,[2]))

d={}; return d.popitem()

d={}; return d.pop(n)

d={}; return d.pop(n,3)

d={}; return d.pop()

d={}; return d.pop(1,2,3)

d={}; del d[n]

return {1}+{2}

return {1}|[2]

d = {}; d[1] = d; d[2] = [d]; return len(d), d[2][0] is d[1][1]

return {1}-(2,)

return {1:2}|[(1,2)]

d={1:2}; d|=[(3,n)]; return d

d={1:2}; d|={5:n}; return d

d={1:2}; e=d; d|={5:n}; return e is d, e

s={1}; t=s; s|={n}; return t is s, t

s={1}; t=s; s=s|{n}; return t is s, t

s=frozenset((1,)); t=s; s|={n}; return t, s

s={1}; s|=[2]; return s

s={1}; s.update([2],(n,),{n:1},range(3)); return s

s={1}; s.update([[2]]); return s

return {1}<{1,n},{1}<{1},{1}<=frozenset((1,)),{1}=={1.0},{1}!={2},{True}=={1}

return {1}<[1]

return {1:2}<{1:3}

return {1:2}=={1:2.0},{1:2}=={1:3},{1:2}=={2:2},{}=={},set()==frozenset(),{}==set(),{1:[n]}=={1:[5]}

return {1:2}==[1], {1}=={1:2}, Counter([1])=={1:1}, {1:1}==Counter([1]), Counter()=={}, Counter({1:0})==Counter(), Counter({1:0})=={}

d={1:2,3:4}; return [k for k in d],[v for v in d.values()],[(k,v) for k,v in d.items()],[*d],(*d.values(),),list(d.items())

d={1:2,3:4}; a,b=d; (c,e),f=d.items(); return a,b,c,e,f

d={1:2,3:4}; a,*b=d.values(); return a,b

d={1:2,3:4}; a,b,c=d; return a

d={1:2,3:4}; x=0
for k in d.keys(): x+=d[k]
return x

d={1:2,3:4}
for k in d: d[k]+=1
return d

d={1:2,3:4}
for k in d: del d[k]

d={1:2,3:4}
for k in list(d): del d[k]
return d

d={1:2,3:4}
for k,v in d.items(): d[k+v]=1

d={1:2,3:4}
for k in d:
    d[9]=1
    break
return d

d={1:2,3:4}
for k in d:
    d[99]=1; del d[99]
return d

d={1:2,3:4}; t=[]
for k in d:
    t.append(k); d.pop(1,None); d[9]=1
return t

d={}; d[1]=d.get(1,0)+1; d[1]=d.get(1,0)+n; return d

d=defaultdict(int); d[n]; return d, list(d), n in d, d.get(3), 3 in d

d=defaultdict(lambda: n*2); return d[1], d[n], len(d)

d=defaultdict(list); d[1].append(n); d[1].append(2); d[2]; return d

d=defaultdict(set); d[1].add(n); d[1].add(2); return d

d=defaultdict(lambda: defaultdict(int)); d[1][2]+=n; d[1][3]+=1; return d[1], len(d)

d=defaultdict(dict); d[1][n]=3; return d

d=defaultdict(); return d[1]

d=defaultdict(None,{1:n}); return d[1], d

d=defaultdict(n); return 1

d=defaultdict(int,a=1,b=n); return d

d=defaultdict(list); e=d.copy(); e[1].append(2); return d,e

d=dict([(1,2),(3,n)]); return d

d=dict([(1,2,3)]); return d

d=dict([1,2]); return d

d=dict(((1,n),[2,3])); return d

d=dict({1:2},x=n); return d

d=dict(1); return d

d=dict({},{}); return d

d=dict(zip=n); return d

return dict.fromkeys([1,2,1]), dict.fromkeys((n,),[]), dict.fromkeys(range(3),0)

a=dict.fromkeys((1,2),[]); a[1].append(n); return a

return {}.setdefault(1,[]), {1:n}.setdefault(1,3)

d={}; d.setdefault(n,[]).append(3); d.setdefault(n,[]).append(4); return d

d={1:1}; d.update(); d.update({2:3},z=n); d.update([(7,8)]); d.update(a=1); return d

d={1:1}; d.update([(1,2),(3,)]); return d

d={1:1}; d.update(5)

d={1:1}; return d.clear(), d, d.copy() is d

return {k:v for k,v in ((1,2),(n,3),(1,9))}, {k%2:k for k in range(n)}

return {x for x in (1,True,1.0,n)}, {True,1}, {1.0,1,True}, {1:1,True:2}, {0:1,-0.0:2,False:3}

return {1}&{True}, {1,2}&{True}, {True}&{1,2}, {1}|{True}, {True}|{1}, {1,True}^{2}, frozenset((1,))&{True,3}

return {1}.intersection([True,1.0]), {1}.union((True,)), {1,2}.difference((True,)), {1}.symmetric_difference([True,5,5])

return set([1,True]), frozenset((1.0,1)), set({1:2}), set(range(n)), set(()), frozenset()

return len({1,2,n}), bool({}), bool({1}), not set(), len({}), 3 if {} else 4

return sum({1,2,n}), max({1,n}), min({1,n}), sorted({3,1,n}), sorted({3,1},reverse=True), any({0,1}), all({0,1}), max({1:2,n:3}), sum({1:2,n:3}.values())

return max(set())

return max({n:1}.values(), default=3), max({}, default=n), min({7:1,n:2},key=lambda k:-k)

d={3:1,1:n,2:0}; return sorted(d), sorted(d.items()), sorted(d,key=lambda k:d[k]), sorted(d.items(),key=lambda p:p[1]), max(d,key=d.get)

c=Counter([1,2,1]); return c[1],c[9],9 in c,len(c),c.most_common(),c.most_common(1),c.most_common(0),c.most_common(1.0),list(c.elements())

c=Counter(); c[n]+=1; c[n]-=3; return c, +c, -c, c.total()

c=Counter({1:n}); c.update({1:2,3:4}); c.subtract([1,1]); c.subtract({3:9}); return c

c=Counter(a=1,b=n); return c, c['a']

c=Counter(5)

c=Counter([[1]])

c=Counter([1]); del c[n]; del c[1]; return c

c=Counter([1])+Counter([n]); d=Counter([1])-Counter([1,2]); return c,d

return Counter([1])+{1:2}

return Counter([n])<=Counter([n,n]), Counter([n])<Counter([n]), Counter([n])>=Counter(), Counter([1])>Counter([1,2])

q=deque(); return q.popleft()

q=deque([1]); q[5]

q=deque([1,2,n]); return q[-1], q[0], n in q, list(q), len(q), sum(q), max(q), sorted(q), [x for x in q], bool(q)

q=deque([1,2]); return q[0:1]

q=deque([1,2],1); return q

q=deque([1,2],maxlen=-1)

q=deque([1,2],maxlen=0); q.append(3); return q

q=deque(5)

q=deque([1,2],2); q.insert(0,3)

q=deque([1,2],5); q.insert(-1,n); q.insert(99,8); q.insert(-99,7); return q

q=deque([1]); q.remove(n)

q=deque([1]); return q.index(n)

q=deque([1,2]); q+=[3]; r=q; r+=q; return q, q+deque([9]), q==deque([1,2]), q is r

q=deque([1,2],3); return q*2, n*q, deque([1,2])*n, deque()*n, (q+q)*2, q

q=deque([1,2]); return q+[1]

q=deque([1,2]); return q==[1,2], q<deque([1,3]), q!=deque([1,2])

q=deque([1,2])
for x in q: q.append(1)

q=deque([1,2])
for x in q: q[0]=9
return q

q=deque([1,2])
for x in q: q.pop()

q=deque([1,2]); q.extend(q); q.extendleft(q); q.rotate(-1); q.rotate(1.5)

q=deque(range(n)); q.rotate(2); a=q.copy(); a.append(1); q.clear(); return q,a

q=deque([1,2]); a,b=q; return a,b,[*q]

return 1 in {1:2}.keys(), 2 in {1:2}.values(), (1,2) in {1:2}.items(), (1,3) in {1:2}.items(), len({1:2}.keys()), (n,2) in {1:2}.items()

d={1:2,3:4}; k=d.keys(); d[n]=6; return list(k), len(k), n in k, k=={1,3,5}, k-{1}, k|{7}, k&{1}, {1}-k, {1}|k, k^{1}

d={1:2}; return d.keys()==d.keys(), d.items()=={(1,2)}, d.items()<={(1,2),(3,4)}, d.keys()==[1], d.items()=={1:2}.items()

d={1:2}; return d.keys()[0]

d={1:2}; return d.values()+1

d={1:n}; f=d.get; return f(1), f(2), f(2,7)

return {1:2}.pop(*(n,7,8)[:2]), {5:6}.pop(*(5,7,8)[:n])

return {5:6}.pop(*(n,7,8)[:1])

d={(0,0):1}; return d[0,0], d[(0,0)], d.get((0,1)), (0,0.0) in d, d[False,0]

d={(0,(1,2)):n,(1,):3}; return d[0,(1,2)], d[1,], (0,(1,n)) in d

d={'a':1,'b':n}; return d['a'], 'c' in d, [k for k in d], sum(d.values()), d

d={None:1,0:2,'':3,():4}; return d[None], d[0], d[''], d[()], len(d), list(d.values())

d={1:[1],2:(1,),3:None,4:{5:n}}; return d[1],d[2],d[3],d[4]

d={1.5:1,2:2,float('nan'):3}; return len(d), 1.5 in d, 2.0 in d

d={2**62:1,-2**63:2,U64(2**63):n}; return d[2.0**62], d[-2.0**63], d[2.0**63], U64(2**62) in d

d={f:1 for f in (abs,len)}; return d[abs]

g=[{1:2},{3:n}]; return g[0]|g[1], [x for m in g for x in m], sum(m[k] for m in g for k in m)

s=set(); r=[s,s]; r[0].add(n); return r, s, r[1] is s

d={}; e={1:d}; d[2]=n; return e, e[1] is d

d={1:1}; d[2],d[3]=d[1],n; return d

d={}; i=1; d[i],i=i,2; return d,i

d={1:0}; d[1]+=d.pop(1); return d

d={1:[2]}; d[1]+=[n]; return d

d={1:5}; d[n]+=1

log=[]; f=lambda x: log.append(x) or x
d={f(1):f(2),f(3):f(4)}; return log,d

log=[]; f=lambda x: log.append(x) or x
d={}; d[f(1)]=f(2); return log

log=[]; f=lambda x: log.append(x) or x
return f({1:2})[f(1)], f(1) in f({1}), log

def g():
    d={1:2,3:n}
    for k,v in d.items(): yield k+v
return list(g()), {x for x in g()}, {x:1 for x in g()}, sorted(set(g()))

def g(d):
    yield from d
return list(g({1:2,n:3})), list(g({1:2}.values()))

def f(d,k):
    d[k]=len(d)
    if k: f(d,k-1)
    return d
return f({},n)

seen=set()
def f(k):
    if k in seen: return 0
    seen.add(k)
    return 1+f(k//2)+f(k-1 if k else 0)
return f(n), sorted(seen)

memo={}
def f(k):
    if k not in memo: memo[k]=k if k<2 else f(k-1)+f(k-2)
    return memo[k]
return f(n*4), len(memo)

s={1,2}; return any(x>1 for x in s), all(x<9 for x in s), sum(x*x for x in s), max(x%3 for x in s), min(-x for x in s), sorted(x+n for x in s), set(x//2 for x in s), sorted([x*2 for x in s]), frozenset(x for x in s if x>1)

s={(1,2),(3,n)}; return sum(a for a,b in s), sorted((b,a) for a,b in s), max(a*b for a,b in s), any(a==b for a,b in s)

s={1,n}; t=[10,20,30,40,50,60]; return sum(t[x] for x in s), max(t[x] for x in s)

s={3,n}; (x,)=s-{3}; return x

return {1,2}.isdisjoint({3}), {1}.issubset({1,2}), {1}.issubset([1]), {1,n}.issuperset({1}), {1}.issuperset([[1]]), {1}.isdisjoint([1,[2]])

return {1}.isdisjoint([[2]])

x={1:{2:{3:n}}}; x[1][2][4]=5; return x

d={}
for i in range(n):
    for j in range(n):
        d.setdefault(i+j,set()).add(i)
return {k:sorted(v) for k,v in d.items()}

d={i:i for i in range(100)}
for i in range(100): d.pop(i); d[i+100]=i
return list(d)[:3], len(d)

d={}
for i in range(50): d[i]=i
while d: d.popitem()
for i in range(50): d[-i]=i
return list(d)

s=set()
for i in range(3000): s.add(i*i%1009)
for i in range(0,1009,2): s.discard(i)
return len(s), sum(s)

return {1:2}.nope

return {1}.append(2)

return {1:2}()

return {}.get()

return {1}.add()

return {1}.union(1)

return {1}.symmetric_difference(5)

return set(5)

return set(1,2)

f=frozenset((1,)); f.add(2)

d={1:2}; d.keys().add(3)

return {**{1:2}, **[1]}

return {*[1,2],*{3:4},n}

return {*5}

d={1:2,**{n:3}}; return d

return [1,2] in ({1:2},[1,2]), {1:2} in [{1:2}], [{n}]==[{5}], ({1},)==({1},), {1:{2}}=={1:{2}}

x={1} if n>3 else {2:3}; return len(x), 1 in x

x={1} if n>3 else None; return x is None, x

return isinstance({},dict), isinstance({1},set), isinstance(Counter(),dict), isinstance(defaultdict(int),dict), isinstance(frozenset(),set)

a,b={1:2},{1:2}; return a is b, a is a, a==b, a is not b
for k in {}: return 1
return 2

for k,v in {}.items(): return 1
else: return 3

return [x for x in {}], list({}), sorted(set()), sum({}), {x for x in {}}, [*{}]

d={}; return len(d), list(d.items()), d.get(1), 1 in d

s=set(); return s|s, s==s, 1 in s, s-{1}, {1}-s

d=[defaultdict(lambda: n), defaultdict(lambda: [n], {1: 9}), defaultdict(int if n else None)]; return d[0][1], d[1][1], d[1][2], d[2][3], d[n-5][7]

d=[defaultdict(bool), FLOATS, defaultdict(None, {2: 3})]; e=d[1].copy(); e[5]; return d[1][1], d[0][4], d[2][2], d, e

d=[defaultdict(bool), FLOATS, defaultdict(None, {2: 3})]; return d[2][4]

d=[1,2,3]; return d.pop(n**2 % 2), d.pop(1 if n else 0.5), d.pop(n > 9), d

d=[1,2,3]; return d.pop(0.5 if n else 1)

return sum(1 for _ in {n % 2, n}), any(x > n for x in {n // 2, 2 * n}), sum(x in (1, n) for x in [{1}, {1, n}][n // 5])

return dict.get({1:2},n), list.index([1,n],n), set.union({1},{n}), sorted(["b","A"],key=str.lower), list(map(int.bit_count,[1,n,n>3]))

d=[]; list.append(d,n); dict.update({},{}); return d

return set.union(frozenset([1]),[2])

return int.bit_count(), n

return int.bit_count(n / 2)

return list.index([1,2])
"""

REFUSED = {
    "return {1, 2, 3}.pop()": "chance",
    "return list({1, 2})": "chance",
    "return [x for x in {1, n}]": "chance",
    "for x in {1, n}: return x": "chance",
    "return sum({1.5, n})": "floats",
    "return sum(x / 2 for x in {1, n})": "floats",
    "return max({1.5, 2.5})": "NaN",
    "return min({1, n}, key=lambda x: x % 2)": "equal keys",
    "return any(10 // x for x in {1, n})": "chance",
    "log = []; return any(log.append(x) for x in {1, n})": "chance",
    "TABLE[n] = 1": "write functools.cache for what calls found",
    "SET.add(n)": "must not be changed",
    "x = frozenset([n])\nfor i in range(n): x = frozenset([x, i])\nreturn x": "contains itself",
}


def function(body: str) -> Any:
    lines = "\n".join("    " + line for line in body.split("\n"))
    return function_of(
        f"def f(n):\n{lines}\n", **NAMES, TABLE={1: 2}, SET={1}, FLOATS=defaultdict(float, {1: 2.5})
    )


@pytest.mark.parametrize("body", BODIES.strip("\n").split("\n\n"))
@pytest.mark.filterwarnings("ignore::SyntaxWarning")
def test_a_function_of_tables_does_what_it_does_in_python(body: str) -> None:
    check(function(body), (5,))


@pytest.mark.parametrize("body", REFUSED)
def test_what_depends_on_the_order_of_a_set_is_refused(body: str) -> None:
    assert REFUSED[body] in refused(function(body), 5)
