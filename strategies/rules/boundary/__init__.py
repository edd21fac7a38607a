"""The boundary: Python's values written to memory, and read from it.

`conversion` does so at each call, `flat` in one go for values of fixed size. `fixed` lays out the
tables that code reads only, and `held` those in fields of the compiled object. It may import
`containers` and what is below. Start with `conversion`.
"""
