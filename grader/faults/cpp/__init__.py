"""Faults in Ascend C sources: the same classes and texts as for Python kernels, rewritings by tree-sitter."""
