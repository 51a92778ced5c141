"""The story: one made-up history that every vendor tells in its own dialect."""
