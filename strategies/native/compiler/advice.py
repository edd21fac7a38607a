"""What to write instead of what rules cannot do, by the words of Numba's messages."""

from __future__ import annotations

import re

ADVICE = (
    (r"Unknown attribute '(\w+)' of type Module\(<module '(\w+)'", "{1}.{0} cannot be compiled"),
    (
        r"Int value is too large: (-?\d+)",
        "{0} is beyond 64 bits: a smaller number, or U64, compiles",
    ),
    (r"Untyped global name '(\w+)'", "{0} is not defined, or not something that can be compiled"),
    (r"NameError: name '(\w+)' is not defined|name '(\w+)' is not defined", "{0} is not defined"),
    (
        r"Unknown attribute '(\w+)' of type (?:int64|float64|bool)\b",
        "compiled rules cannot read {0} of a number: write a function of it",
    ),
    (r"Unknown attribute '(\w+)' of type (?:\S+\.)?(\w+)[#(]", "{1} has no field or rule {0}"),
    (r"Unknown attribute '(\w+)' of type \w*Enum class<.*?>\((\w+)\)", "{1} has no {0}"),
    (
        r"Signature mismatch: (\d+) argument types given, but function takes (\d+) arguments",
        "it is given {0} arguments, but takes {1}",
    ),
    (r"YIELD_FROM|GET_YIELD_FROM_ITER", "write a for loop with yield instead of `yield from`"),
    (
        r"Cannot (?:unify|cast) RowType\([^\n]* x (\d+)\) (?:and|to) RowType\([^\n]* x \1\)",
        "lists of different types meet here: make their elements of one type",
    ),
    (
        r"Cannot (?:unify|cast) (?:RowType|list\([^\n]* (?:and|to) RowType)",
        "lists of different lengths meet here: begin with [] and append to it",
    ),
    (
        r">>> setitem\(RowType",
        "this list has another name, or the caller made it: change it under the name that it was "
        "made for, or return a changed copy",
    ),
    (
        r">>> setitem\((?:Uni)?Tuple",
        "an element of a tuple cannot be set: use put(row, index, value), or change a list of it",
    ),
    (
        r"imprecise type: list\(undefined\)|list\(undefined\)",
        "nothing tells what an empty list holds: append to it in the rule that makes it",
    ),
    (
        r"DictType\[undefined|dict\(undefined",
        "nothing tells what an empty dict holds before it is read: put something into it first",
    ),
    (r"unicode_type|Literal\[str\]|f-strings", "text cannot be compiled: use numbers"),
    (
        r"cannot safely cast (\w+) to (\w+)",
        "a dict or set of {1} is given a {0}: let the first that is put into it be a {0}",
    ),
    (
        r"reflected list|List\(|DictType|Set\(|LiteralList|LiteralStrKeyDict",
        "lists, dicts and sets do not fit here: use tuples or U64",
    ),
    (
        r"Type of variable '\$\S+' cannot be determined",
        "write an assignment with := that may not happen as a statement of its own",
    ),
    (r"getiter with parameters \(Enum class", "a rule cannot iterate over an Enum: use an IntEnum"),
    (
        r"getitem\(Tuple\(",
        "the parts of this tuple differ in type or length: only constants can be its index",
    ),
    (r"exception_match|unsupported opcode \((?:\w*EXC\w*)", "test first, in place of try … except"),
    (r"\(MATCH_\w+\)", "only numbers can be cases of a match: use if"),
    (
        r"\(UNPACK_EX\)",
        "*rest cannot stand in a loop, nor be a list that changes: write out the parts",
    ),
    (r"\(STORE_GLOBAL\)", "a rule cannot change a global: it belongs into the state"),
    (r"\(DICT_MERGE\)|CALL_FUNCTION_EX", "write the arguments out in place of ** and *"),
    (
        r"DICT_UPDATE",
        "write out what the dict holds in place of **: begin with a new one, and set it",
    ),
    (
        r">>> tuple\(|list_to_tuple",
        "the length of this tuple is not known before the rules run: make a list of these parts, "
        "or a tuple whose length is the same everywhere",
    ),
    (r"'with \(context manager\)", "a rule cannot use `with`"),
    (
        r"cell variable encountered",
        "a function inside a rule cannot call itself, nor a later one: move it out",
    ),
    (r"re-entrant", "end a function that calls itself by an `if` with its own return, first"),
    (
        r"to signature '\(([^']*)\)' due to \"TypeError: ([^\"]*?)\.?\"",
        "what is called here takes ({0}): {1}",
    ),
    (
        r">>> stub\(",
        "a function that yields is given its arguments without their names here: leave them out",
    ),
    (
        r"\Atuple index out of range\Z",  # all that Numba says of it
        "an argument by name only that has no default comes after one that has: put it first",
    ),
    (r"tuple index out of range", "this index is beyond the end of the row"),
    (r"No definition for lowering .*\.\w+ = ", "a state cannot be changed: return a new one"),
    (r">>> type\(|has no field or rule __class__", "name the class in place of type(…)"),
    (r"use of yield in a closure", "a generator cannot stand here: write a loop"),
    (
        r">>> (?:truth|not_|bool)\(.* generator\(",
        "this call gives a generator, which is always true: write any(True for _ in …)",
    ),
    (
        r">>> \w+\(.* generator\(",
        "the argument is a generator, which can only be iterated over, once: let the rule that "
        "yields return a list, or write list(…)",
    ),
    (
        r"Cannot capture the non-constant value",
        "a function inside a rule cannot be kept while names that it reads change: pass their "
        "values as arguments",
    ),
    (
        r"with kwdefaults",
        "a function inside a rule has an argument by name only without a default after one with a "
        "default: give each argument by name only a default, or move the function out",
    ),
    (r"Illegal IR, del", "a rule cannot delete a name: leave it, or use another one"),
    (
        r"getiter with parameters \(Tuple\(\)",
        "this tuple is empty, and always stays so: give it as many parts as it will ever "
        "have, filled with 0 or -1",
    ),
    (
        r"getiter with parameters \(Tuple\(",
        "the parts of this tuple differ in type: write the loop out, part by part",
    ),
    (r">>> set\(.*#", "a set in a rule cannot hold states: put their numbers into it"),
    (
        r">>> add\(list\(.*Tuple|>>> add\((?:Uni)?Tuple\(.*, list\(",
        "a part of a row whose ends are computed is a list, which joins no tuple: use "
        "put(row, index, value), or change a list of the row",
    ),
    (
        r">>> _put\(.*int64 x \d+\), int64, float64\)",
        "a float is put into a tuple of int: use // or int(…)",
    ),
    (
        r"imprecise type: set\(undefined\)|set\(undefined\)",
        "nothing tells what an empty set holds: add to it in the rule that makes it, and read it "
        "in loops of that rule, not in a lambda",
    ),
    (
        r"Cannot unify (?:Uni)?Tuple\(.* and (?:Uni)?Tuple\(",
        "tuples of different lengths or types meet here: use lists, or tuples of one length",
    ),
    (
        r"Cannot (?:unify|cast) ([^\n]*?) (?:and|to) ([^\n]*?)(?: for '|: %|$)",
        "{0} and {1} meet here: make it one type on every path",
    ),
    (
        r"\d ambiguous signatures",
        "values of different types meet here: make them one type, as all int or all float",
    ),
    (
        r">>> \w+\((?:.*, )?Tuple\(\)",
        "this tuple is empty, and always stays so: give it as many parts as it will ever "
        "have, filled with 0 or -1",
    ),
    (
        r"Undecided type",
        "nothing tells what an empty list or dict holds: put something into it before it is read",
    ),
    (r">>> _?(\w+\(.*\))", "compiled rules have no operation {0}"),
)

INSTEAD = {
    "super": "call a function instead",
    "Counter": "use row.count(x), or a list of counts",
    "defaultdict": "use a list of known length, or a dict",
    "OrderedDict": "use a dict",
    "print": "rules have nobody to tell",
}

KINDS = {"Tuple": "tuple", "UniTuple": "tuple", "RowType": "list", "List": "list", "Table": "list"}
"""What people call types that Numba calls otherwise."""


def in_plain_words(text: str) -> str:
    """A part of a message without Numba's names of types.

    >>> in_plain_words("add(list(int64)<iv=None>, UniTuple(Tuple(int64, float64) x 2))")
    'add(list, tuple)'
    """
    text = re.sub(r"Literal\[(\w+)\]\([^()]*\)|\breflected |<iv=[^<>]*>", r"\1", text)
    text = re.sub(r"\bu?(int|float)\d+\b", r"\1", text)
    text = re.sub(r"\bboolean\b", "bool", text)
    before = ""
    while before != text:  # what is inside comes first
        before = text
        text = re.sub(
            r"\b(Tuple|UniTuple|RowType|List|Table|list|set)\([^()]*\)",
            lambda found: KINDS.get(found[1], found[1]),
            text,
        )
    return re.sub(r"\b(?:DictType|dict)\[[^\[\]]*\]", "dict", text)
