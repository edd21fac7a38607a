"""The language of rules as tables of templates, a file for each family of values."""
