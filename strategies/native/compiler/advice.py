"""Advice on what to write instead of what rules cannot do, by the text of Numba's messages."""

from __future__ import annotations

import re

ADVICE = (
    (
        r"Unknown attribute 'chain' of type Module\(<module 'itertools'",
        "itertools.chain cannot be compiled: use chain.from_iterable, or [*a, *b]",
    ),
    (
        r"Unknown attribute '(\w+)' of type Function\(<class '(\w+)'>",
        "{1}.{0}(x) cannot be compiled: write x.{0}()",
    ),
    (
        r"Unknown attribute '(__\w+__)' of type",
        "{0} cannot be used by name: write the operator, in a lambda if a function is needed",
    ),
    (
        r"IntEnum class<.*?>\((\w+)\) with parameters",
        "{0}(…) of a number cannot be compiled: use the number, which equals the member",
    ),
    (
        r"or_\(Enum<|and_\(Enum<|xor\(Enum<",
        "members of an IntFlag cannot be combined: use an IntEnum, or numbers",
    ),
    (r">>> reduce\(", "reduce cannot be compiled with these arguments: write a loop"),
    (
        r">>> (?:eq|ne)\(list\(.*Tuple|>>> (?:eq|ne)\((?:Uni)?Tuple\(.*, list\(",
        "a slice with computed ends is a list, which is not compared with a tuple: compare the "
        "elements, as in all(…)",
    ),
    (r">>> _?pow\((?:.*, ){2}", "pow with three numbers cannot be compiled: write a ** b % m"),
    (r"getitem\(range_", "a range has no index in compiled rules: make a list of it"),
    (
        r">>> _?(sum|min|max|sorted|any|all)\(D(?:ict\(|ictType)",
        "{0}(…) of a dict cannot be compiled: pass its keys or values as a list or tuple",
    ),
    (
        r">>> truth\((?:OptionalType|Optional)",
        "a value that may be None cannot be a condition: compare it with None, or use a number "
        "for nothing",
    ),
    (
        r"Can't unify return type from the following types: [^\n]*(?:list\(|RowType)",
        "the lists that it returns differ in form: start with found = [], append to it, and return "
        "it on every path",
    ),
    (
        r"Can't unify return type from the following types: [^\n]*Tuple",
        "the tuples that it returns differ in length or type: return tuples of one length, or a "
        "list that starts as [] and is appended to",
    ),
    (
        r"getiter with parameters \(none\)",
        "None is iterated here, or a generator calls itself: use a list of what is left to do",
    ),
    (
        r">>> (\w+)\((?:[\w.<>]+\.)?(\w+)#\w+\(",
        "{0} of a {1} cannot be compiled: read its fields, or call a method by its name",
    ),
    (
        r"(?:getiter with parameters |unpack(?: unsized)? )\(?(?:[\w.<>]+\.)?(\w+)#\w+\(",
        "{0} cannot be iterated or unpacked in compiled rules: read its fields by name",
    ),
    (
        r"expected a type instance, got \{",
        "** cannot be used in the parameters of a function: write out the arguments",
    ),
    (
        r"runaway recursion",
        "the type of a function that calls itself is unknown: start it with an `if` and a "
        "`return` without such a call",
    ),
    (
        r"Unknown attribute '(\w+)' of type Module\(<module '(\w+)'",
        "{1}.{0} cannot be compiled: write a function",
    ),
    (
        r"Int value is too large: (-?\d+)",
        "{0} needs more than 64 bits: use a smaller number or U64",
    ),
    (
        r"Untyped global name '(\w+)'",
        "{0} is not defined, or cannot be compiled: use numbers, tuples, states and functions",
    ),
    (r"NameError: name '(\w+)' is not defined|name '(\w+)' is not defined", "{0} is not defined"),
    (
        r"Unknown attribute '(\w+)' of type (?:int64|float64|bool)\b",
        "compiled rules cannot use {0} of a number: write a function that computes it",
    ),
    (r"Unknown attribute '(\w+)' of type (?:\S+\.)?(\w+)[#(]", "{1} has no field or rule {0}"),
    (r"Unknown attribute '(\w+)' of type \w*Enum class<.*?>\((\w+)\)", "{1} has no member {0}"),
    (
        r"Signature mismatch: (\d+) argument types given, but function takes (\d+) arguments",
        "this call passes {0} arguments, but the function takes {1}",
    ),
    (
        r"YIELD_FROM|GET_YIELD_FROM_ITER",
        "`yield from` cannot be compiled here: write a for loop with yield",
    ),
    (
        r"Cannot (?:unify|cast) RowType\([^\n]* x (\d+)\) (?:and|to) RowType\([^\n]* x \1\)",
        "the elements of this list differ in type between paths: use one type on every path",
    ),
    (
        r"Cannot (?:unify|cast) (?:RowType|list\([^\n]* (?:and|to) RowType)",
        "the length of this list differs between paths: start with [] and append to it",
    ),
    (
        r">>> setitem\(RowType",
        "this list has a second name, or belongs to the caller, and can be changed only by its "
        "first name: use that name, or return a changed copy",
    ),
    (
        r">>> setitem\((?:Uni)?Tuple",
        "a tuple cannot be changed: use put(row, index, value), or change a list made from it",
    ),
    (
        r"imprecise type: list\(undefined\)|list\(undefined\)",
        "the element type of an empty list is unknown: append to it in the rule that makes it, and "
        "if it may stay empty, return it instead of []",
    ),
    (
        r"DictType\[undefined|dict\(undefined",
        "the types in an empty dict are unknown when it is read: put an entry into it first",
    ),
    (r"unicode_type|Literal\[str\]|f-strings", "text cannot be compiled: use numbers"),
    (
        r"cannot safely cast (\w+) to (\w+)",
        "a {0} is put into a dict or set of {1}: the first entry decides the type, make it a {0}",
    ),
    (
        r"reflected list|List\(|DictType|Set\(|LiteralList|LiteralStrKeyDict",
        "a list, dict or set cannot be used here: use a tuple or U64",
    ),
    (
        r"Type of variable '\$\S+' cannot be determined",
        "an assignment with := that some paths skip cannot be compiled: write it as a statement",
    ),
    (r"getiter with parameters \(Enum class", "a rule cannot iterate over an Enum: use an IntEnum"),
    (
        r"getitem\(Tuple\(",
        "the elements of this tuple differ in type or length: use only constants as its index",
    ),
    (
        r"exception_match|unsupported opcode \((?:\w*EXC\w*)",
        "try … except cannot be compiled: test with `if` first",
    ),
    (r"\(MATCH_\w+\)", "only numbers can be the cases of a match: use `if`"),
    (
        r"\(UNPACK_EX\)",
        "*rest cannot be used in the target of a loop, or for a list that changes: use row[1:]",
    ),
    (r"\(STORE_GLOBAL\)", "a rule cannot change a global variable: keep the value in the state"),
    (
        r"\(DICT_MERGE\)|CALL_FUNCTION_EX",
        "* and ** cannot be used in a call: write out the arguments",
    ),
    (
        r"DICT_UPDATE",
        "** cannot be used in a dict: start with an empty dict and set its entries",
    ),
    (
        r">>> tuple\(|list_to_tuple",
        "the length of this tuple is not known at compile time: make a list, or a tuple that "
        "always has the same length",
    ),
    (r"'with \(context manager\)", "`with` cannot be compiled: leave it out"),
    (
        r"cell variable encountered",
        "a function inside a rule cannot call itself or a later one: move it out of the rule",
    ),
    (
        r"re-entrant",
        "a method that calls itself cannot be compiled: make it a function of the module, which "
        "starts with an `if` and a `return` without such a call",
    ),
    (
        r"to signature '\(([^']*)\)' due to \"TypeError: ([^\"]*?)\.?\"",
        "the function called here takes ({0}): {1}",
    ),
    (
        r">>> stub\(",
        "the arguments of a generator cannot be passed by name here: pass them by position",
    ),
    (
        r"\Atuple index out of range\Z",  # the whole message of Numba
        "a keyword-only argument without a default comes after one with a default: put it first",
    ),
    (
        r"tuple index out of range",
        "this index is out of range, because the row has fewer elements: if a test excludes that, "
        "write it with len(row)",
    ),
    (
        r"No definition for lowering .*\.\w+ = ",
        "a state cannot be changed: return a new one, as attrs.evolve does",
    ),
    (
        r">>> type\(|has no field or rule __class__",
        "type(…) cannot be compiled: write the name of the class",
    ),
    (r"use of yield in a closure", "a generator cannot be used here: write a loop"),
    (
        r">>> (?:truth|not_|bool)\(.* generator\(",
        "this call returns a generator, which is always true: write any(True for _ in …)",
    ),
    (
        r">>> \w+\(.* generator\(",
        "the argument is a generator, which a loop can use only once: pass list(…), or let the "
        "rule return a list",
    ),
    (
        r"Cannot capture the non-constant value",
        "a function inside a rule that reads variables of the rule cannot be stored or passed on: "
        "pass their values as arguments, or write a loop",
    ),
    (
        r"with kwdefaults",
        "a function inside a rule has a keyword-only argument without a default after an argument "
        "with one: give each keyword-only argument a default, or move the function out of the rule",
    ),
    (r"Illegal IR, del", "a rule cannot delete a variable: leave `del` out"),
    (
        r"getiter with parameters \(Tuple\(\)",
        "this tuple is empty, and the length of a tuple cannot change: start with its final "
        "length, filled with 0 or -1",
    ),
    (
        r"getiter with parameters \(Tuple\(",
        "the elements of this tuple differ in type: write one statement for each, not a loop",
    ),
    (r">>> set\(.*#", "a set in a rule cannot hold states: store numbers taken from them"),
    (
        r">>> add\(list\(.*Tuple|>>> add\((?:Uni)?Tuple\(.*, list\(",
        "a slice with computed ends is a list, which cannot be added to a tuple: use "
        "put(row, index, value), or copy the row to a list and change that",
    ),
    (
        r">>> _put\(.*int64 x \d+\), int64, float64\)",
        "a float is put into a tuple of int: use // or int(…)",
    ),
    (
        r"imprecise type: set\(undefined\)|set\(undefined\)",
        "the element type of an empty set is unknown: add to it in the rule that makes it, and "
        "read it in loops of that rule, not in a lambda",
    ),
    (
        r"Cannot unify (?:Uni)?Tuple\(.* and (?:Uni)?Tuple\(",
        "the length or type of a tuple differs between paths: use lists, or tuples of one length",
    ),
    (
        r"Cannot (?:unify|cast) ([^\n]*?) (?:and|to) ([^\n]*?)(?: for '|: %|$)",
        "this value is {0} on one path and {1} on another: use one type on every path",
    ),
    (
        r"\d ambiguous signatures",
        "values of different types are combined here: use one type, all int or all float",
    ),
    (
        r">>> \w+\((?:.*, )?Tuple\(\)",
        "this tuple is empty, and the length of a tuple cannot change: start with its final "
        "length, filled with 0 or -1",
    ),
    (
        r"Undecided type",
        "the types in an empty list or dict are unknown: put an element into it before it is read",
    ),
    (r">>> _?(\w+\(.*\))", "compiled rules have no operation {0}"),
)

INSTEAD = {
    "super": "call a function instead",
    "Counter": "use row.count(x), or a list of counts",
    "defaultdict": "use a list of known length, or a dict",
    "OrderedDict": "use a dict",
    "bin": "use .bit_count() and shifts",
    "accumulate": "write a loop",
    "groupby": "write a loop",
}

KINDS = {"Tuple": "tuple", "UniTuple": "tuple", "RowType": "list", "List": "list", "Table": "list"}
"""Python's names of types to which Numba gives other names."""


def in_plain_words(text: str) -> str:
    """Return a part of a message with Python's names of types in place of Numba's.

    >>> in_plain_words("add(list(int64)<iv=None>, UniTuple(Tuple(int64, float64) x 2))")
    'add(list, tuple)'
    """
    text = re.sub(r"Literal\[(\w+)\]\([^()]*\)|\breflected |<iv=[^<>]*>", r"\1", text)
    text = re.sub(r"\bu?(int|float)\d+\b", r"\1", text)
    text = re.sub(r"\bboolean\b", "bool", text)
    before = ""
    while before != text:  # innermost names first
        before = text
        text = re.sub(
            r"\b(Tuple|UniTuple|RowType|List|Table|list|set)\([^()]*\)",
            lambda found: KINDS.get(found[1], found[1]),
            text,
        )
    return re.sub(r"\b(?:DictType|dict)\[[^\[\]]*\]", "dict", text)
