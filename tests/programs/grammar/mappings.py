"""Expressions that give sets, dicts, counters and dicts with a default."""

MAPPINGS = """
2* set[K]         {{{K}, {K}}}
set[K]            set()
2* set[K]         set({iter[K]})
2* set[K]         {{{K:x=S} for {x} in {iter[S]:-}}}
set[K]            {{{K:x=S} for {x} in {iter[S]:-} if {bool:x=S}}}
2* set[K]         {set[K]} | {set[K]}
set[K]            {set[K]} & {set[K]}
set[K]            {set[K]} - {set[K]}
set[K]            {set[K]} ^ {set[K]}
set[K]            {set[K]} - {{{K}}}
set[K]            {set[K]} | {frozen[K]}
set[K]            {set[K]}.union({iter[K]})
set[K]            {set[K]}.union({iter[K]}, {iter[K]})
set[K]            {set[K]}.intersection({iter[K]})
set[K]            {set[K]}.difference({iter[K]})
set[K]            {set[K]}.symmetric_difference({iter[K]})
set[K]            {set[K]}.copy()
set[K]            {{*{iter[K]}, {K}}}
set[K]            set({dict[K,T]})
set[K]            ({var set[K]}.add({K}), {var set[K]})[1]
set[int]          {{{int:x=int} for {x} in {set[int]:-}}}
2* frozen[K]      frozenset({iter[K]})
frozen[K]         frozenset({{{K}, {K}}})
frozen[K]         frozenset({K:x=S} for {x} in {iter[S]:-})
frozen[K]         {frozen[K]} | {set[K]}
frozen[K]         {frozen[K]} & {frozen[K]}
frozen[K]         {frozen[K]} - {set[K]}
frozen[K]         {frozen[K]}.union({iter[K]})
frozen[K]         frozenset({set[K]})
3* dict[K,T]      {{{K}: {T}, {K}: {T}}}
dict[K,T]         {{{K}: {T}}}
dict[K,T]         {{}}
2* dict[K,T]      {{{K:x=S}: {T:x=S} for {x} in {iter[S]:-}}}
dict[K,T]         {{{K:x=S}: {T:x=S} for {x} in {iter[S]:-} if {bool:x=S}}}
dict[K,T]         {{{x}: {T:x=K;y=V} for {x}, {y} in {dict[K,V]:-}.items()}}
dict[K,T]         dict(zip({iter[K]}, {iter[T]}))
dict[K,T]         dict({iter[tup[K,T]]})
dict[K,T]         dict({dict[K,T]})
dict[int,T]       dict(enumerate({iter[T]}))
dict[K,T]         {dict[K,T]} | {dict[K,T]}
dict[K,T]         {{**{dict[K,T]}, {K}: {T}}}
dict[K,T]         {{**{dict[K,T]}, **{dict[K,T]}}}
dict[K,T]         {dict[K,T]}.copy()
dict[K,T]         dict.fromkeys({iter[K]}, {T})
dict[K,list[T]]   {{{K}: {list[T]}}}
dict[K,list[T]]   dict.fromkeys({iter[K]}, {list[T]})
dict[K,num]       {{{K}: {int}, {K}: {float}}}
dict[tag,fn[S,T]] {{"keep": {fn[S,T]}, "roll": {fn[S,T]}}}
2* counter[K]     Counter({iter[K]})
counter[K]        Counter({{{K}: {int}}})
counter[K]        Counter({K:x=S} for {x} in {iter[S]:-})
counter[K]        {counter[K]} + {counter[K]}
counter[K]        {counter[K]} - {counter[K]}
counter[K]        {counter[K]} & {counter[K]}
counter[K]        {counter[K]} | {counter[K]}
counter[K]        +{counter[K]}
ddict[K,int]      defaultdict(int)
ddict[K,int]      defaultdict(int, {dict[K,int]})
ddict[K,list[T]]  defaultdict(list)
ddict[K,list[T]]  defaultdict(list, {{{K}: {list[T]}}})
ddict[K,set[S]]   defaultdict(set)
ddict[K,T]        defaultdict(lambda: {T:-})
"""
