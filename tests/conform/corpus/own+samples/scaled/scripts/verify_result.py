import sys

import numpy as np

output, golden = (np.fromfile(name, dtype=np.float32) for name in sys.argv[1:3])
print("test pass!" if np.array_equal(output, golden) else "[ERROR] result error")
