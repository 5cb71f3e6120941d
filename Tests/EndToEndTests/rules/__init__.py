"""design.md in Python: written from that page alone, so that it can judge the Swift program."""
