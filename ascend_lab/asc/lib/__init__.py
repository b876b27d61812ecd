"""The host libraries pyasc comes with."""
