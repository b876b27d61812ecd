"""Published measurements rebuilt as kernels: see benchmarks/silicon.py."""
