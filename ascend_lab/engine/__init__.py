"""The model of the chip: clock, pipes, memory, instructions, cost, trace. It knows no rule of the lab."""
