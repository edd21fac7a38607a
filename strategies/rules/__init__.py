"""The compiler of rules: functions of ordinary Python as machine code, with Python's results.

It knows nothing of games or searches. Start with `door.compile_function`. A function is compiled
for the kinds of its arguments: its syntax tree is walked until the kinds of all expressions are
known, then once more to emit LLVM's code. What it cannot do exactly as Python does, it refuses
before the function runs.

Its layers, from the top: `door` and `entries`, which compile a function and the rules of a game;
`placing`, which finds the rule that a refusal is about; `syntax`, what each statement and
expression does; `builtins`; `calls`, `operations` and `iteration`; `boundary`, Python's values in
memory; `containers` and `values`; `code`, the walk and the program; `machine`, `kinds` and
`language`.
"""

from __future__ import annotations
