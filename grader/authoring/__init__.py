"""For authors of the bank: ``grader new`` writes a file to start from, ``grader validate`` checks files."""
