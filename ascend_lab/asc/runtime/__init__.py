"""Kernels, launching, and which chip they run on."""
