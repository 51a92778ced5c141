"""What the package costs: the same messages through a floor, a hand-written job and the package."""
