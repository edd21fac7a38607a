"""Expressions that make texts, and that tell something of them."""

TEXTS = """
2* tag            {tag} + {tag}
2* tag            {tag}[{int}:]
tag               {tag}[:{int}]
tag               {tag}[{int}:{int}]
tag               {tag}[::-1]
tag               {tag}[:{small}] + {tag} + {tag}[{small}:]
tag               {tag} * {small}
tag               {tag}[{small}]
tag               str({int})
tag               str({bool})
tag               (lambda {x}: f"{{{x}}}")({int})
2* tag            (lambda {x}, {y}: f"{{{x}}}-{{{y}}}")({tag}, {int})
tag               (lambda {x}, {y}: f"{{{x}:>3}}|{{{y}:.2}}")({int}, {tag})
tag               "".join([{tag}, {tag}])
tag               {tag}.join({x} for {x} in {iter[tag]:-})
tag               "-".join({list[tag]})
tag               "".join(sorted({tag}))
tag               "".join([{tag:x=tag} for {x} in {tag:-}])
tag               {tag}.replace({tag}, {tag})
tag               {tag}.replace({tag}, {tag}, {int})
tag               {tag}.upper()
tag               {tag}.strip({tag})
tag               {tag}.zfill({small})
tag               {tag}.center({small}, "*")
tag               {tag} or {tag}
tag               max({tag}, {tag})
tag               "%s:%d" % ({tag}, {int})
tag               chr(97 + {small})
list[tag]         [{tag}, {tag}]
list[tag]         list({tag})
list[tag]         {tag}.split("e")
list[tag]         {tag}.split()
list[tag]         sorted({tag})
list[tag]         sorted([{tag}, {tag}])
tup[tag,tag,tag]  {tag}.partition("o")
2* int            len({tag})
int               {tag}.find({tag})
int               {tag}.rfind({tag}, {int})
int               {tag}.count({tag})
int               {tag}.index("o")
int               sum(1 for {x} in {tag:-} if {bool:x=tag})
int               int(str({int}))
int               {dict[tag,int]}.get({tag}, {int})
int               Counter({tag})["o"]
bool              {tag} in {tag}
bool              {tag} < {tag}
bool              {tag} >= {tag}
bool              {tag} != {tag}
bool              {tag}.startswith({tag})
bool              {tag}.endswith(({tag}, "p"))
bool              {tag}.isalpha()
bool              bool({tag})
bool              {tag} in {list[tag]}
dict[tag,int]     {{{tag}: {int}, {tag}: {int}}}
dict[tag,int]     {{{x}: {int:x=tag} for {x} in {tag:-}}}
"""
