import sys
from pathlib import Path

import numpy as np

scenario = int(sys.argv[sys.argv.index("--scenario") + 1])
x = np.random.default_rng(scenario).uniform(-8, 8, 1024).astype(np.float32)
Path("input").mkdir(exist_ok=True)
Path("output").mkdir(exist_ok=True)
x.tofile("input/x.bin")
(x * np.float32(scenario)).tofile("output/golden.bin")
