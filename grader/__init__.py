"""Grades folders of submissions on the modelled chip.

>>> grader grade submissions/ --only 03
"""
