"""The boundary: Python's values written to memory, and read from it.

`conversion` does so at each call, `flat` in one go for values of fixed size. `held` lays out what
rules share: fixed containers, and tables in fields of the compiled object. It may import
`containers` and what is below. Start with `conversion`.
"""
