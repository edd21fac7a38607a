"""The law "native is Python" over programs generated from a grammar of the language of rules."""
