"""The scenario: one made-up history that every vendor says in its own dialect."""
