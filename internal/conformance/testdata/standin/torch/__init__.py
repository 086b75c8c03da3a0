"""Stands in for PyTorch: the names that the README's reader takes from it."""
