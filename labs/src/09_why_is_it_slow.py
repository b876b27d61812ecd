# Lab 09, both languages. `labs/build.py` makes labs/zh/09_why_is_it_slow.ipynb and labs/en/09_why_is_it_slow.ipynb of it.

# %% [markdown] key="title" lang="zh"
# # Lab 09 · 为什么慢？
#
# 核函数算对了，只是慢。改哪里？一篇文章说“先看数据流，再看计算流”，另一篇说“双缓冲让耗时降了三成”，而官方的 Add 样例上，同样的双缓冲只快了 1.7%。三句话都对，差别在瓶颈。本实验先学会读 msprof 的数字，再一次只改一处，把公开的七步 Add 走一遍，模型旁边就是真机的实测。
#
# 学完之后，你能够：
#
# - 从一行 PipeUtilization 和三个指标（搬运、计算、队列空置）说出瓶颈；
# - 用“快一倍会怎样”的办法找到第一处该改的地方，并事先知道能快多少；
# - 说明双缓冲、大 tile、多核、错开 bank 各自在什么时候有用、什么时候没用；
# - 做一份一次只改一个变量的实验记录。
#
# 每一节：阅读，**先预测**，再运行，然后对照。计分的是三道任务（共 100 分），后两道按 HAP 计分。不需要 NPU，也不需要 CANN。大约 100 分钟。

# %% [markdown] key="title" lang="en"
# # Lab 09 · Why is it slow?
#
# The kernel is right, only slow. What should be changed? One article says "look at the data flow first, then at the computation"; another that double buffering took a third off; and on the official Add sample the same double buffering gained 1.7 %. All three are right: it depends on the bottleneck. First you learn to read the figures of msprof; then you take the seven published steps of Add, one change at a time, with silicon beside the model.
#
# Afterwards you can
#
# - tell the bottleneck from a row of PipeUtilization and three indicators (copying, computing, empty queues);
# - find the first thing to change by asking "what if this were twice as fast", and know beforehand what it gains;
# - say when double buffers, large tiles, more cores and banks apart help, and when they do not;
# - keep a log of experiments in which one variable changes at a time.
#
# Every section: read, **predict**, run, compare. Three tasks are marked (100 points together), the last two by HAP. You need no NPU and no CANN. Allow about 100 minutes.

# %% key="start"
import importlib.util

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, acl, course, tuning, view
from ascend_lab.engine.errors import LabError
from ascend_lab.profile import Experiments, indicators

lab = course.start("09")
lang = lab.lang

# %% [markdown] key="profile" lang="zh"
# ## 1 读一份 profile
#
# `add_half` 是常见的写法：三个队列，每次处理 `tile` 个元素。tile、缓冲区个数、L2 提示都是参数，之后每一步只改其中一个。

# %% [markdown] key="profile" lang="en"
# ## 1 Reading a profile
#
# `add_half` is written the usual way: three queues, `tile` elements at a time. Tile, number of buffers and the hint to L2 are parameters; each later step changes one of them.


# %% key="add"
@asc.jit
def add_half(
    x: asc.GlobalAddress,
    y: asc.GlobalAddress,
    z: asc.GlobalAddress,
    n: int,
    tile: asc.ConstExpr[int],
    buffers: asc.ConstExpr[int],
    bypass: asc.ConstExpr[bool],
):
    tiles = n // tile
    x_gm = asc.GlobalTensor()
    y_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, n)
    y_gm.set_global_buffer(y, n)
    z_gm.set_global_buffer(z, n)
    if bypass:
        x_gm.set_l2_cache_hint(asc.CacheMode.CACHE_MODE_DISABLE)
        y_gm.set_l2_cache_hint(asc.CacheMode.CACHE_MODE_DISABLE)
    pipe = asc.TPipe()
    in_x = asc.TQue(asc.TPosition.VECIN, 1)
    in_y = asc.TQue(asc.TPosition.VECIN, 1)
    out_z = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(in_x, buffers, tile * 2)
    pipe.init_buffer(in_y, buffers, tile * 2)
    pipe.init_buffer(out_z, buffers, tile * 2)
    for at in range(asc.get_block_idx(), tiles, asc.get_block_num()):
        x_local = in_x.alloc_tensor(x.dtype)
        y_local = in_y.alloc_tensor(x.dtype)
        asc.data_copy(x_local, x_gm[at * tile :], tile)
        asc.data_copy(y_local, y_gm[at * tile :], tile)
        in_x.enque(x_local)
        in_y.enque(y_local)
        x_local = in_x.deque(x.dtype)
        y_local = in_y.deque(x.dtype)
        z_local = out_z.alloc_tensor(x.dtype)
        asc.add(z_local, x_local, y_local, tile)
        out_z.enque(z_local)
        in_x.free_tensor(x_local)
        in_y.free_tensor(y_local)
        z_local = out_z.deque(x.dtype)
        asc.data_copy(z_gm[at * tile :], z_local, tile)
        out_z.free_tensor(z_local)


def run_add(n, cores, tile, buffers=1, bypass=False, performance=False):
    n = n // tile * tile
    x, y, z = np.ones(n, np.float16), np.ones(n, np.float16), np.zeros(n, np.float16)
    device = Device(performance=performance)
    result = device.launch(add_half, cores, x, y, z, n, tile, buffers, bypass)
    assert (z == 2).all()
    return result


first = run_add(1 << 18, cores=8, tile=2048)
view.metrics_table(first, lang=lang)

# %% [markdown] key="three" lang="zh"
# ### 预测：先改什么？
#
# 第一篇文章建议先看三个指标：DataCopy 耗时、计算耗时、队列空置耗时。上面的表里，MTE2、V 各占多少？据此，先改哪一样最有希望？
#
# - **A** 换更快的矢量指令
# - **B** 减少搬运的次数，或让搬运和计算重叠
# - **C** 把 Add 拆成更小的指令

# %% [markdown] key="three" lang="en"
# ### Predict: what to change first?
#
# The first article wants three indicators: the time of DataCopy, the time of computation, and how long queues stand empty. How much have MTE2 and V in the table above? So which change has the best chance?
#
# - **A** a faster vector instruction
# - **B** fewer copies, or copies that overlap with the computation
# - **C** smaller instructions in place of Add

# %% key="three-predict"
lab.predict("09/three", None)

# %% key="three-run"
seen = indicators(first.trace, first.spec)
for name in ("copy", "compute", "queue_idle", "full_idle"):
    print(f"{name:11} {getattr(seen, name):7.3f} us  {getattr(seen, name) / seen.total:4.0%}")
print(f"overlap     {seen.overlap:.0%}")
lab.reveal("09/three", {"copy": "B", "compute": "A"}.get(seen.advice, "C"))

# %% key="three-view"
view.occupancy(first, lang=lang)

# %% [markdown] key="bottleneck" lang="zh"
# `queue_idle` 是 V 站着等数据的时间，`full_idle` 是 MTE2 等空闲缓冲区的时间。占用图里斜线就是等待：单看 busy 的比例，会以为谁都不忙，其实是在互相等。表里的 scalar 含核的启动（第一条指令之前的一段），这和 msprof 一样；图里的 S 不含它，所以两处不同。
#
# **快一倍会怎样。** 要知道瓶颈，最可靠的办法是假设：如果 MTE2 快一倍，总时间少多少？如果 V 快一倍呢？真机上做不到，模型上可以：`tuning.bottleneck` 把同一个核函数再运行若干次，每次只改一项代价或去掉一种等待，再按收益给出第一项改动。命令行里是 `ascend-lab bottleneck FILE`，详细的表是 `ascend-lab prof FILE --out DIR`：其中的 CSV 和 msprof op 的文件、字段同名，`trace.json` 可以用 Perfetto 打开。

# %% [markdown] key="bottleneck" lang="en"
# `queue_idle` is how long V stands waiting for data, `full_idle` how long MTE2 waits for a free buffer. In the picture of occupancy waiting is hatched: by busy ratios alone nobody seems busy, because all wait for each other. The table's scalar includes the start of the core, before the first instruction, as msprof has it; the S of the picture does not, so the two differ.
#
# **What if it were twice as fast?** The surest way to a bottleneck is to suppose: if MTE2 were twice as fast, how much less would the whole take? And V? On silicon that cannot be had, on a model it can: `tuning.bottleneck` runs the same kernel again several times, each time with one cost or one wait changed, and names the first change by its gain. On the command line it is `ascend-lab bottleneck FILE`; `ascend-lab prof FILE --out DIR` writes the tables: CSV files and fields are called as msprof op calls them, and Perfetto opens `trace.json`.


# %% key="bottleneck-run"
def arguments(n, tile, buffers, bypass=False):
    n = n // tile * tile
    return (
        np.ones(n, np.float16),
        np.ones(n, np.float16),
        np.zeros(n, np.float16),
        n,
        tile,
        buffers,
        bypass,
    )


diagnosis = tuning.bottleneck(add_half, 8, *arguments(1 << 17, 2048, 1))
print(*diagnosis.lines(lang), sep="\n")

# %% [markdown] key="table-text" lang="zh"
# ## 2 任务 09/table（易，20 分）：读懂一行
#
# `read_table` 得到 msprof 的一行数字（周期）和各核的平均、最慢时间，写出 4 个整数：最忙的流水、它的百分比、V 不工作的百分比、判断。规则写在注释里：先看负载，最慢的核超过平均的 1.2 倍就是 1；否则最忙的流水占到 80% 就是 2；否则是 3。

# %% [markdown] key="table-text" lang="en"
# ## 2 Task 09/table (easy, 20 points): reading a row
#
# `read_table` gets a row of msprof (in cycles), and the mean and slowest time of the cores, and writes four integers: the busiest pipe, its percentage, the percentage in which V does not work, and the verdict. The rule is in the comments: imbalance comes first, 1 when the slowest core takes more than 1.2 times the mean; else 2 when the busiest pipe has 80 %; else 3.


# %% key="table" answer="09/table"
@asc.jit
def read_table(
    z: asc.GlobalAddress,
    total: int,
    scalar: int,
    vec: int,
    mte2: int,
    mte3: int,
    mean: int,
    slowest: int,
):
    z_gm = asc.GlobalTensor()
    z_gm.set_global_buffer(z, 8)
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(queue, 1, 8 * z.dtype.sizeof())
    answers = queue.alloc_tensor(z.dtype)
    asc.duplicate(answers, 0, 8)

    # the busiest pipe: 0 S, 1 V, 2 MTE2, 3 MTE3
    answers.set_value(0, 0)
    # its share of the total, in percent, rounded down
    answers.set_value(1, 0)
    # how long V does not work, in percent, rounded down
    answers.set_value(2, 0)
    # 1 imbalance, 2 bound by the busiest pipe, 3 the pipes wait for each other
    answers.set_value(3, 0)

    queue.enque(answers)
    answers = queue.deque(z.dtype)
    asc.data_copy(z_gm, answers, 8)
    queue.free_tensor(answers)


# %% key="table-check"
lab.check("09/table", read_table)

# %% [markdown] key="steps" lang="zh"
# ## 3 公开的七步
#
# asc-devkit 的 `add_high_performance` 把 8192×8192 的 half 加法从标量循环改到极限，每步一张 msprof 表。我们把每一步都走一遍。七步里只有数据量不同：为了几秒钟跑完，这里只算 1/16 的行（最前两步只用一个核，取得更少，再按数据量折算）。
#
# ### 预测：哪一步收获最小？
#
# 从第 1 步（矢量、一个核）开始：
#
# 1. 一个核 → 48 个核
# 2. 每块 8 KB → 32 KB
# 3. 单缓冲 → 双缓冲
#
# （之后还有两步：读 GM 时绕过 L2，错开 bank。它们的收获看数据量，下面再说。）
#
# - **A** 1
# - **B** 2
# - **C** 3

# %% [markdown] key="steps" lang="en"
# ## 3 The seven published steps
#
# `add_high_performance` in asc-devkit takes an addition of 8192×8192 half from a scalar loop to the limit, with a table of msprof for each step. We take every step. Only the amount of data differs: to be done in seconds we do 1/16 of the rows (the first two steps use one core and do less, scaled up by the data).
#
# ### Predict: which step gains least?
#
# From step 1 (vector, one core) on:
#
# 1. one core → 48 cores
# 2. tiles of 8 KB → 32 KB
# 3. single → double buffers
#
# (Two more follow: loads that bypass L2, and banks apart. What they gain depends on the amount of data; see below.)
#
# - **A** 1
# - **B** 2
# - **C** 3

# %% key="steps-predict"
lab.predict("09/least", None)


# %% key="steps-run"
@asc.jit
def add_scalar(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    y_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, n)
    y_gm.set_global_buffer(y, n)
    z_gm.set_global_buffer(z, n)
    a = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, 1024)
    b = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 2048, 1024)
    c = asc.LocalTensor(x.dtype, asc.TPosition.VECOUT, 4096, 1024)
    asc.data_copy(a, x_gm, 1024)
    asc.data_copy(b, y_gm, 1024)
    asc.set_flag(asc.HardEvent.MTE2_S, 0)
    asc.wait_flag(asc.HardEvent.MTE2_S, 0)
    for i in range(1024):
        c.set_value(i, a.get_value(i) + b.get_value(i))
    asc.set_flag(asc.HardEvent.S_MTE3, 0)
    asc.wait_flag(asc.HardEvent.S_MTE3, 0)
    asc.data_copy(z_gm, c, 1024)


FULL = 8192 * 8192
SHARE = FULL // 16


def scaled(result, n, bypass):
    """The time of all elements, from a run of n: what comes once is not multiplied."""
    launch, hint = result.spec.cost.launch, result.spec.cost.dma.hint_us
    once = launch.head_us + launch.prologue_us + launch.per_block_us * result.metrics.block_dim
    once += hint if bypass else 0.0
    return once + (result.time_us - once) * FULL / n


log = Experiments()
x = np.ones(1024, np.float16)
z = np.zeros_like(x)
runs = {"0 scalar": (Device().launch(add_scalar, 1, x, x.copy(), z, 1024), 1024, False)}
how = {
    "1 vector": (SHARE // 32, 1, 4096, 1, False),
    "2 cores": (SHARE, 48, 4096, 1, False),
    "3 large tile": (SHARE, 48, 16384, 1, False),
    "4 double buffer": (SHARE, 48, 16384, 2, False),
    "5 bypass L2": (SHARE, 48, 16384, 2, True),
    "6 banks apart": (SHARE, 48, 16256, 2, True),
}
for name, (n, cores, tile, buffers, bypass) in how.items():
    result = run_add(n, cores, tile, buffers, bypass)
    runs[name] = (result, n // tile * tile, bypass)
    time_us = scaled(*runs[name])
    log.add(name, time_us, cores=cores, tile=tile, buffers=buffers, bypass=bypass)
before = None
for name, (result, n, bypass) in runs.items():
    time_us = scaled(result, n, bypass)
    gain = "" if before is None else f"{1 - time_us / before:6.1%}"
    print(f"{name:16} {time_us:12,.1f} us  {gain:>7}  {result.metrics.bottleneck}")
    before = time_us

# %% key="steps-log"
gains = {step.after.name: step.gain for step in log.steps()}
for step in log.steps():
    print(step.text(lang))
wanted = {"A": "2 cores", "B": "3 large tile", "C": "4 double buffer"}
lab.reveal("09/least", min(wanted, key=lambda letter: gains[wanted[letter]]))

# %% [markdown] key="steps-told" lang="zh"
# 下面是真机：左边是公开的 msprof 数据，中间是模型对**完整的** 8192×8192 的结果，右边是误差。
#
# **为什么这里的数和完整的不同。** 只算 1/16 时，三个数组都放得进 192 MB 的 L2：写出不会被挤到 HBM，绕过 L2 也就没有可省的。完整大小时三个数组共 400 MB，绕过 L2 是第三大的一步（排在用矢量单元和用多核之后）。数据量本身是一个旋钮。

# %% [markdown] key="steps-told" lang="en"
# Below is silicon: on the left the published figures of msprof, in the middle what the model says of the **whole** 8192×8192, on the right the error.
#
# **Why the figures here differ from the whole.** With 1/16 all three arrays fit into the 192 MB of L2: nothing that is written is pushed out to HBM, so there is nothing for a bypass to save. At full size the arrays have 400 MB together, and the bypass is the third largest step, after the vector unit and the many cores. The amount of data is a knob of its own.

# %% key="silicon"
published = {
    "a2_add_c0": "0 scalar",
    "a2_add_c1": "1 vector",
    "a2_add_c2": "2 cores",
    "a2_add_c3": "3 large tile",
    "a2_add_c4": "4 double buffer",
    "a2_add_c5": "5 bypass L2",
    "a2_add_c6": "6 banks apart",
}
view.silicon(published, lang=lang)

# %% [markdown] key="why-little" lang="zh"
# ### 为什么双缓冲在这里只值 1.7%？
#
# 双缓冲把搬运和计算**叠在一起**，最多省下两者中较短的一个。Add 每搬 3 个元素才算一次，V 只占几个百分点；48 个核一起搬的时候，HBM 已经满了，把 V 藏到搬运后面几乎省不出时间。（上面的 1/16 每个核只有五六块，头尾占得多，重叠显得更值；完整大小时每个核有八十多块，实测是 268.5 到 264.0 us，即 1.7%。）收获最大的一步（矢量、多核）改的正是当时的瓶颈。下一节换一个计算多的核函数。
#
# **一次只改一个变量。** 实验记录 `Experiments` 拒绝比较改了两处的运行：

# %% [markdown] key="why-little" lang="en"
# ### Why are double buffers worth only 1.7 % here?
#
# Double buffers lay copying and computing **on top of each other**, which saves the shorter of the two at most. Add computes once for every three elements that are moved, so V has a few percent; and with 48 cores loading at once HBM is full, so to hide V behind the copies saves next to nothing. (In the sixteenth above a core has five or six tiles, start and end have a large part, and overlap looks better than it is; at full size a core has more than eighty, and 268.5 us became 264.0, which is the 1.7 %.) The steps that gained most (vector, cores) changed what was the bottleneck then. The next section has a kernel that computes more.
#
# **One variable at a time.** The log `Experiments` refuses to compare runs in which two were changed:

# %% key="one-knob"
try:
    log.compare("2 cores", "4 double buffer")
except LabError as error:
    print(error.message(lang))

# %% [markdown] key="layernorm" lang="zh"
# ## 4 LayerNorm：单缓冲到双缓冲
#
# 第一篇文章把自己的 LayerNorm 从“搬一段、算一段、写一段”改成双缓冲，耗时降了约三成。下面是一个 LayerNorm，每块一行，全部是矢量指令。它也是任务 09/layernorm 的起点。
#
# ### 预测
#
# 8 个核，64 行，每行 1024 个 float32。只把 `init_buffer` 的 1 改成 2，时间减少多少？
#
# - **A** 不到 5%，和 Add 一样
# - **B** 15% 到 45%
# - **C** 一半以上

# %% [markdown] key="layernorm" lang="en"
# ## 4 LayerNorm: from one buffer to two
#
# The author of the first article changed a LayerNorm from "move a piece, compute it, write it" to double buffers, and it took about a third less. Here is a LayerNorm, one row a tile, in vector instructions alone. It is also where task 09/layernorm starts.
#
# ### Predict
#
# 8 cores, 64 rows of 1024 float32. Only the 1 of `init_buffer` becomes a 2. How much less time?
#
# - **A** less than 5 %, as with Add
# - **B** 15 % to 45 %
# - **C** more than half

# %% key="layernorm-predict"
lab.predict("09/double", None)

# %% key="layernorm-run"
LN_ROWS = 1
LN_COLS = 1024


@asc.jit
def layernorm_by(
    x: asc.GlobalAddress,
    gamma: asc.GlobalAddress,
    beta: asc.GlobalAddress,
    z: asc.GlobalAddress,
    rows: int,
    cols: int,
    buffers: asc.ConstExpr[int],
):
    size = x.dtype.sizeof()
    x_gm = asc.GlobalTensor()
    gamma_gm = asc.GlobalTensor()
    beta_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, rows * cols)
    gamma_gm.set_global_buffer(gamma, cols)
    beta_gm.set_global_buffer(beta, cols)
    z_gm.set_global_buffer(z, rows * cols)
    pipe = asc.TPipe()
    in_queue = asc.TQue(asc.TPosition.VECIN, 1)
    out_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    weight_queue = asc.TQue(asc.TPosition.VECIN, 1)
    square_buf = asc.TBuf(asc.TPosition.VECCALC)
    sums_buf = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(in_queue, buffers, LN_ROWS * LN_COLS * size)
    pipe.init_buffer(out_queue, buffers, LN_ROWS * LN_COLS * size)
    pipe.init_buffer(weight_queue, 1, 2 * LN_COLS * size)
    pipe.init_buffer(square_buf, 1 * LN_COLS * size)
    pipe.init_buffer(sums_buf, 1024 * size)
    square = square_buf.get(x.dtype)
    sums = sums_buf.get(x.dtype)
    spread = sums[512:]

    weights = weight_queue.alloc_tensor(x.dtype)
    asc.data_copy(weights, gamma_gm, cols)
    asc.data_copy(weights[LN_COLS:], beta_gm, cols)
    weight_queue.enque(weights)
    weights = weight_queue.deque(x.dtype)

    fill = asc.BrcbRepeatParams(1, 8)
    by_row = asc.BinaryRepeatParams(1, 1, 0, 8, 8, 0)
    tiles = (rows + LN_ROWS - 1) // LN_ROWS
    for tile in range(asc.get_block_idx(), tiles, asc.get_block_num()):
        first = tile * LN_ROWS
        count = LN_ROWS if rows - first > LN_ROWS else rows - first
        x_local = in_queue.alloc_tensor(x.dtype)
        asc.data_copy(x_local, x_gm[first * cols :], count * cols)
        in_queue.enque(x_local)

        x_local = in_queue.deque(x.dtype)
        z_local = out_queue.alloc_tensor(z.dtype)
        for row in range(count):
            line = x_local[row * cols :]
            result = z_local[row * cols :]
            asc.muls(square, line, 1.0 / cols, cols)
            asc.reduce_sum(sums, square, sums[64:], cols)
            asc.brcb(spread, sums, 1, fill)
            asc.sub(result, line, spread, 64, cols // 64, by_row)
            asc.mul(square, result, result, cols)
            asc.muls(square, square, 1.0 / cols, cols)
            asc.reduce_sum(sums, square, sums[64:], cols)
            asc.adds(sums, sums, 0.00001, 1)
            asc.sqrt(sums, sums, 1)
            asc.brcb(spread, sums, 1, fill)
            asc.div(result, result, spread, 64, cols // 64, by_row)
            asc.mul(result, result, weights, cols)
            asc.add(result, result, weights[LN_COLS:], cols)
        out_queue.enque(z_local)
        in_queue.free_tensor(x_local)

        z_local = out_queue.deque(z.dtype)
        asc.data_copy(z_gm[first * cols :], z_local, count * cols)
        out_queue.free_tensor(z_local)
    weight_queue.free_tensor(weights)


def rows_of(rows, cols, buffers):
    rng = np.random.default_rng(9)
    x = rng.uniform(-2, 2, (rows, cols)).astype(np.float32)
    gamma, beta = np.full(cols, 1.5, np.float32), np.full(cols, 4.0, np.float32)
    return x, gamma, beta, np.zeros_like(x), rows, cols, buffers


timed = {b: Device().launch(layernorm_by, 8, *rows_of(64, 1024, b)) for b in (1, 2)}
kernel_us = {b: r.time_us - r.metrics.launch_us for b, r in timed.items()}
less = 1 - kernel_us[2] / kernel_us[1]
seen = indicators(timed[1].trace, timed[1].spec)
print(f"copies {seen.copy:.2f} us, V {seen.compute:.2f} us")
print(f"one buffer {kernel_us[1]:.2f} us, two {kernel_us[2]:.2f} us: {less:.0%} less")
lab.reveal("09/double", "A" if less < 0.05 else "B" if 0.15 <= less <= 0.45 else "C")

# %% key="layernorm-timelines"
lab.timelines({"num=1": timed[1], "num=2": timed[2]})

# %% [markdown] key="layernorm-told" lang="zh"
# 这里搬运要 V 的一半以上，叠起来，搬运的时间就省下大半。同一个改动，收益由“较短的那一个有多长”决定：先看三个指标，就能事先算出来。再看 roofline：两个点的计算强度相同，差别只在离屋顶多远。

# %% [markdown] key="layernorm-told" lang="en"
# Here the copies take more than half as long as V, and laid on top of it most of their time is saved. The same change gains what the shorter one is long at most, and the three indicators tell that beforehand. In the roofline the points have the same intensity; they differ in how far they stay below the roof.

# %% key="layernorm-roof"
view.roofline({"num=1": timed[1], "num=2": timed[2]}, lang=lang)

# %% [markdown] key="sweep" lang="zh"
# ## 5 tile 多大？
#
# 第二篇文章把 tile 调成“跟 Local Memory 匹配的整数倍，吞吐翻了一倍多”。扫一遍：8 个核，双缓冲，tile 从 512 到 16384 个 half。
#
# ### 预测：从哪里起，再放大也没有多少收获（与最好的相差 10% 以内）？
#
# - **A** 1 KB
# - **B** 4 KB 到 16 KB
# - **C** 只有 UB 放得下的最大值

# %% [markdown] key="sweep" lang="en"
# ## 5 How large a tile?
#
# The second article made the tile "a whole multiple that matches Local Memory, and throughput more than doubled". Sweep it: 8 cores, double buffers, tiles of 512 to 16384 half.
#
# ### Predict: from where on does a larger tile gain little (within 10 % of the best)?
#
# - **A** 1 KB
# - **B** 4 KB to 16 KB
# - **C** only the largest that the UB holds

# %% key="sweep-predict"
lab.predict("09/tile", None)

# %% key="sweep-run"
sweep = {}
for tile in (512, 1024, 2048, 4096, 8192, 16384):
    result = run_add(1 << 18, cores=8, tile=tile, buffers=2)
    sweep[tile] = result.time_us - result.metrics.launch_us
best = min(sweep.values())
for tile, us in sweep.items():
    print(f"{tile * 2 / 1024:4g} KB {us:7.2f} us {'#' * round(40 * us / max(sweep.values()))}")
enough = min(tile for tile, us in sweep.items() if us <= 1.1 * best)
print(f"within 10 % of the best: {enough * 2 / 1024:g} KB")
lab.reveal("09/tile", "A" if enough <= 512 else "C" if enough == 16384 else "B")

# %% [markdown] key="sweep-told" lang="zh"
# 小 tile 的时间花在每块一次的开销上：队列的几次调用、搬运的启动、矢量指令的启动。tile 大到这些开销可以忽略之后，再放大就没有用了；而块数太少时，两个缓冲区也排不开，尾巴还会变长。所以官方建议是“一次至少搬 16 KB”，不是“越大越好”。文章里“翻一倍多”，说明原来的 tile 很小。

# %% [markdown] key="sweep-told" lang="en"
# Small tiles spend their time on what comes once a tile: the calls of the queues, the start of a copy, the start-up of an instruction. Once the tile is large enough to forget these, a larger one does nothing; and with too few tiles two buffers have nothing to overlap, and the tail gets longer. Hence the official advice is 16 KB a copy at least, not "the larger the better". That throughput more than doubled in the article says that its tiles had been small.

# %% [markdown] key="banks" lang="zh"
# ## 6 bank 冲突
#
# UB 有 16 个 bank group。一条 Add 每次迭代从两个源各读 256 B；两个源的地址若相差 512 B 的倍数，同一周期就撞在同一个 group 上（**K4**）。第 6 步把 tile 从 16384 改成 16256 个元素，y 因此错开了 256 B。单独看这一条：

# %% [markdown] key="banks" lang="en"
# ## 6 Bank conflicts
#
# The UB has 16 bank groups. In each repeat Add reads 256 B of both sources; when their addresses differ by a multiple of 512 B, they meet in one group in the same cycle (**K4**). Step 6 made the tile 16256 in place of 16384 elements, which put y 256 B out of step. By itself:


# %% key="banks-run"
@asc.jit
def add_many(x: asc.GlobalAddress, z: asc.GlobalAddress, second: asc.ConstExpr[int]):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    a = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, 4096)
    b = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, second, 4096)
    c = asc.LocalTensor(x.dtype, asc.TPosition.VECOUT, 0x20000, 4096)
    asc.data_copy(a, x_gm, 4096)
    asc.data_copy(b, x_gm, 4096)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    for turn in range(100):
        asc.add(c, a, b, 4096)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(z_gm, c, 4096)


def run_banks(second):
    x, z = np.ones(4096, np.float32), np.zeros(4096, np.float32)
    return Device(performance=True).launch(add_many, 1, x, z, second)


together, apart = run_banks(0x10000), run_banks(0x10100)
for name, result in (("0x10000", together), ("0x10100", apart)):
    ids = ", ".join(id for id in result.findings.ids if id == "K4") or "-"
    print(f"second source at {name}: V {result.metrics['aiv_vec_time(us)']:.2f} us   {ids}")
view.banks(together, lang=lang)

# %% [markdown] key="async" lang="zh"
# ## 7 在核函数之外：异步拷贝
#
# 第二篇文章里，把同步的 H2D 拷贝改成异步，整个推理快了近四分之一。核函数一个字也没有改：慢的是主机在等。下面两个主机程序做同样的四批数据；`overlapped` 用两个 stream，让下一批的拷入和这一批的计算同时进行。要求指出慢处（`performance=True`）时，模型也会指出主机在等（**K17**），并估计能省多少。

# %% [markdown] key="async" lang="en"
# ## 7 Outside the kernel: asynchronous copies
#
# In the second article the whole inference became a quarter faster when synchronous copies to the device were made asynchronous. Not a word of the kernels changed: it was the host that waited. These two host programs do the same four batches; `overlapped` uses two streams, so that the next batch is copied in while this one is computed. Asked for what is slow (`performance=True`), the model also says that the host waits (**K17**), and what could be saved.


# %% key="async-work"
@asc.jit
def work(x: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    pipe = asc.TPipe()
    in_queue = asc.TQue(asc.TPosition.VECIN, 1)
    out_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(in_queue, 2, 8192 * 4)
    pipe.init_buffer(out_queue, 2, 8192 * 4)
    for tile in range(asc.get_block_idx(), n // 8192, asc.get_block_num()):
        x_local = in_queue.alloc_tensor(x.dtype)
        asc.data_copy(x_local, x_gm[tile * 8192 :], 8192)
        in_queue.enque(x_local)
        x_local = in_queue.deque(x.dtype)
        z_local = out_queue.alloc_tensor(z.dtype)
        asc.exp(z_local, x_local, 8192)
        for _ in range(12):
            asc.sqrt(z_local, z_local, 8192)
        out_queue.enque(z_local)
        in_queue.free_tensor(x_local)
        z_local = out_queue.deque(z.dtype)
        asc.data_copy(z_gm[tile * 8192 :], z_local, 8192)
        out_queue.free_tensor(z_local)


N, BATCHES = 1 << 16, 4


def batches(streams):
    acl.init()
    acl.rt.set_device(0)
    made = [acl.rt.create_stream()[0] for _ in range(streams)]
    host, _ = acl.rt.malloc_host(BATCHES * N * 4)
    acl.util.ptr_to_numpy(host, (BATCHES * N,), 11)[:] = 1.0
    places = [(acl.rt.malloc(N * 4, 0)[0], acl.rt.malloc(N * 4, 0)[0]) for _ in made]
    for batch in range(BATCHES):
        stream, (source, target) = made[batch % streams], places[batch % streams]
        acl.rt.memcpy_async(source, N * 4, host + batch * N * 4, N * 4, 1, stream)
        if streams == 1:
            acl.rt.synchronize_stream(stream)  # as memcpy would: the host waits for the copy
        work[1, stream](acl.typed(source, np.float32), acl.typed(target, np.float32), N)
    for stream in made:
        acl.rt.synchronize_stream(stream)
    for source, target in places:
        acl.rt.free(source)
        acl.rt.free(target)
    acl.rt.free_host(host)
    for stream in made:
        acl.rt.destroy_stream(stream)
    acl.rt.reset_device(0)
    acl.finalize()


def host(streams):
    runtime = acl.Runtime(acl.HostDevice(performance=True), strict=True)
    with acl.using(runtime):
        batches(streams)
    return runtime


waiting, overlapped = host(1), host(2)
for name, runtime in (("waiting", waiting), ("overlapped", overlapped)):
    print(f"{name:11} {runtime.now_us:6.1f} us   {', '.join(runtime.findings.ids) or '-'}")
print(f"{1 - overlapped.now_us / waiting.now_us:.0%} less")
for finding in waiting.findings:
    print(finding.part("text", lang))

# %% key="async-show"
lab.run_host(batches, 2)

# %% [markdown] key="debug" lang="zh"
# ## 8 “怎么调都没有变化”
#
# 速查表的最后一行：“计算性能无论怎么调都没有变化——编译优化开关未打开”。同一类的还有忘在核函数里的打印。性能检查（`Device(performance=True)`，`ascend-lab prof` 总是打开）会指出它。同一张清单上还有：许多核同时读同一地址（**K6**）、只读一次的数据占满 L2（**K11**）、中间结果写到 GM 又读回（**K12**）、没有工作的 block（**K13**）、得不偿失的双缓冲（**K15**），每一条都给出按模型能省多少。

# %% [markdown] key="debug" lang="en"
# ## 8 "No change, whatever I tune"
#
# The last line of the article's table: "performance does not change whatever I tune: the switch for compiler optimisation is off". Of the same kind is a print that was left in a kernel. The checks of performance (`Device(performance=True)`; `ascend-lab prof` always has them on) point it out. The same list has many cores at one address (**K6**), L2 filled with what is read once (**K11**), results that go to GM and come back (**K12**), blocks without work (**K13**), and double buffers that do not pay (**K15**), each with what it would save by the model:


# %% key="debug-run"
@asc.jit
def left_on(x: asc.GlobalAddress, z: asc.GlobalAddress, tile: asc.ConstExpr[int]):
    n = 16384
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x + asc.get_block_idx() * n, n)
    z_gm.set_global_buffer(z + asc.get_block_idx() * n, n)
    pipe = asc.TPipe()
    in_queue = asc.TQue(asc.TPosition.VECIN, 1)
    out_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(in_queue, 2, tile * 4)
    pipe.init_buffer(out_queue, 2, tile * 4)
    for start in range(0, n, tile):
        x_local = in_queue.alloc_tensor(x.dtype)
        asc.data_copy(x_local, x_gm[start:], tile)
        in_queue.enque(x_local)
        x_local = in_queue.deque(x.dtype)
        z_local = out_queue.alloc_tensor(z.dtype)
        asc.relu(z_local, x_local, tile)
        asc.printf("start %d\n", start)
        asc.printf("count %d\n", tile)
        out_queue.enque(z_local)
        in_queue.free_tensor(x_local)
        z_local = out_queue.deque(z.dtype)
        asc.data_copy(z_gm[start:], z_local, tile)
        out_queue.free_tensor(z_local)


x, z = np.ones(8 * 16384, np.float32), np.zeros(8 * 16384, np.float32)
lab.show(Device(performance=True).launch(left_on, 8, x, z, 2048))

# %% [markdown] key="add-text" lang="zh"
# ## 9 任务 09/add（中，35 分）：让 Add 快起来
#
# `fast_add` 给出时是对的，只是慢。把它改快，结果仍要对：任意长度，任意核数，float16 或 float32。
#
# 按 **HAP** 计分：`HAP = (T基线 − T极限) / ((T答案 − T极限) + (T基线 − T极限))`。与基线相同是 0.5，到硬件极限是 1。基线是第 2 步（48 个核，4096 个元素一块，单缓冲）；极限是每个字节只搬一次所需的时间。0.5 通过，0.6 满分。

# %% [markdown] key="add-text" lang="en"
# ## 9 Task 09/add (medium, 35 points): make Add fast
#
# `fast_add` as handed out is right, only slow. Make it fast, and keep it right: any length, any number of cores, float16 or float32.
#
# It is marked by **HAP**: `HAP = (T_base − T_limit) / ((T_answer − T_limit) + (T_base − T_limit))`. As fast as the baseline is 0.5, the limit of the hardware is 1. The baseline is step 2 (48 cores, tiles of 4096 elements, single buffers); the limit is the time to move every byte once. 0.5 passes, 0.6 has all points.

# %% key="fast-add" answer="09/add"
TILE = 2048


@asc.jit
def fast_add(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, length: int):
    start = 0
    own = length if asc.get_block_idx() == 0 else 0
    x_gm = asc.GlobalTensor()
    y_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, length)
    y_gm.set_global_buffer(y, length)
    z_gm.set_global_buffer(z, length)
    pipe = asc.TPipe()
    in_x = asc.TQue(asc.TPosition.VECIN, 1)
    in_y = asc.TQue(asc.TPosition.VECIN, 1)
    out_z = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(in_x, 1, TILE * x.dtype.sizeof())
    pipe.init_buffer(in_y, 1, TILE * y.dtype.sizeof())
    pipe.init_buffer(out_z, 1, TILE * z.dtype.sizeof())
    pad = asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0)
    for at in range(0, own, TILE):
        count = TILE if own - at > TILE else own - at
        move = asc.DataCopyExtParams(1, count * x.dtype.sizeof(), 0, 0, 0)
        x_local = in_x.alloc_tensor(x.dtype)
        y_local = in_y.alloc_tensor(y.dtype)
        asc.data_copy_pad(x_local, x_gm[start + at :], move, pad)
        asc.data_copy_pad(y_local, y_gm[start + at :], move, pad)
        in_x.enque(x_local)
        in_y.enque(y_local)

        x_local = in_x.deque(x.dtype)
        y_local = in_y.deque(y.dtype)
        z_local = out_z.alloc_tensor(z.dtype)
        asc.add(z_local, x_local, y_local, count)
        out_z.enque(z_local)
        in_x.free_tensor(x_local)
        in_y.free_tensor(y_local)

        z_local = out_z.deque(z.dtype)
        asc.data_copy_pad(z_gm[start + at :], z_local, move)
        out_z.free_tensor(z_local)


# %% key="add-check"
lab.check("09/add", fast_add)

# %% [markdown] key="norm-text" lang="zh"
# ## 10 任务 09/layernorm（难，45 分）：让 LayerNorm 快起来
#
# 从第 4 节的核函数开始。基线是它的双缓冲版本（HAP 0.5），0.54 满分：双缓冲之后，V 成了瓶颈，而 V 的时间大半是每条指令的启动。库函数 LayerNorm 不能用。

# %% [markdown] key="norm-text" lang="en"
# ## 10 Task 09/layernorm (hard, 45 points): make LayerNorm fast
#
# Start from the kernel of section 4. The baseline is its version with double buffers (HAP 0.5); all points are given from 0.54: with double buffers V is the bound, and most of its time is the start-up of instructions. The library's LayerNorm is not allowed.

# %% key="norm" answer="09/layernorm"
TILE_ROWS = 1
MAX_COLS = 1024


@asc.jit
def layernorm_rows(
    x: asc.GlobalAddress,
    gamma: asc.GlobalAddress,
    beta: asc.GlobalAddress,
    z: asc.GlobalAddress,
    rows: int,
    cols: int,
):
    size = x.dtype.sizeof()
    x_gm = asc.GlobalTensor()
    gamma_gm = asc.GlobalTensor()
    beta_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, rows * cols)
    gamma_gm.set_global_buffer(gamma, cols)
    beta_gm.set_global_buffer(beta, cols)
    z_gm.set_global_buffer(z, rows * cols)
    pipe = asc.TPipe()
    in_queue = asc.TQue(asc.TPosition.VECIN, 1)
    out_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    weight_queue = asc.TQue(asc.TPosition.VECIN, 1)
    square_buf = asc.TBuf(asc.TPosition.VECCALC)
    sums_buf = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(in_queue, 1, TILE_ROWS * MAX_COLS * size)
    pipe.init_buffer(out_queue, 1, TILE_ROWS * MAX_COLS * size)
    pipe.init_buffer(weight_queue, 1, 2 * MAX_COLS * size)
    pipe.init_buffer(square_buf, 1 * MAX_COLS * size)
    pipe.init_buffer(sums_buf, 1024 * size)
    square = square_buf.get(x.dtype)
    sums = sums_buf.get(x.dtype)
    spread = sums[512:]

    weights = weight_queue.alloc_tensor(x.dtype)
    asc.data_copy(weights, gamma_gm, cols)
    asc.data_copy(weights[MAX_COLS:], beta_gm, cols)
    weight_queue.enque(weights)
    weights = weight_queue.deque(x.dtype)

    fill = asc.BrcbRepeatParams(1, 8)
    by_row = asc.BinaryRepeatParams(1, 1, 0, 8, 8, 0)
    tiles = (rows + TILE_ROWS - 1) // TILE_ROWS
    for tile in range(asc.get_block_idx(), tiles, asc.get_block_num()):
        first = tile * TILE_ROWS
        count = TILE_ROWS if rows - first > TILE_ROWS else rows - first
        x_local = in_queue.alloc_tensor(x.dtype)
        asc.data_copy(x_local, x_gm[first * cols :], count * cols)
        in_queue.enque(x_local)

        x_local = in_queue.deque(x.dtype)
        z_local = out_queue.alloc_tensor(z.dtype)
        for row in range(count):
            line = x_local[row * cols :]
            result = z_local[row * cols :]
            asc.muls(square, line, 1.0 / cols, cols)
            asc.reduce_sum(sums, square, sums[64:], cols)
            asc.brcb(spread, sums, 1, fill)
            asc.sub(result, line, spread, 64, cols // 64, by_row)
            asc.mul(square, result, result, cols)
            asc.muls(square, square, 1.0 / cols, cols)
            asc.reduce_sum(sums, square, sums[64:], cols)
            asc.adds(sums, sums, 0.00001, 1)
            asc.sqrt(sums, sums, 1)
            asc.brcb(spread, sums, 1, fill)
            asc.div(result, result, spread, 64, cols // 64, by_row)
            asc.mul(result, result, weights, cols)
            asc.add(result, result, weights[MAX_COLS:], cols)
        out_queue.enque(z_local)
        in_queue.free_tensor(x_local)

        z_local = out_queue.deque(z.dtype)
        asc.data_copy(z_gm[first * cols :], z_local, count * cols)
        out_queue.free_tensor(z_local)
    weight_queue.free_tensor(weights)


# %% key="norm-check"
lab.check("09/layernorm", layernorm_rows)

# %% [markdown] key="hunt" lang="zh"
# ## 11 找慢
#
# 三个核函数，结果都对，都慢，各有一处原因。只读代码，写出编号和行号（行号是它所在单元格中的行）。候选编号：K1（没有重叠）、K2（每次搬运太小）、K4（bank 冲突）、K8（多余的屏障）、K14（大量很短的矢量指令）、K18（调试输出）。

# %% [markdown] key="hunt" lang="en"
# ## 11 Hunt
#
# Three kernels that are right and slow, each for one reason. Read the code, and give the id and the line (counted in its cell). The ids to choose from: K1 (no overlap), K2 (copies too small), K4 (bank conflict), K8 (a barrier too many), K14 (many short vector instructions), K18 (debug output).

# %% key="hunt-1"
TILE = 8192


@asc.jit
def hunt_1(x: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    own = n // asc.get_block_num()
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x + own * asc.get_block_idx(), own)
    z_gm.set_global_buffer(z + own * asc.get_block_idx(), own)
    pipe = asc.TPipe()
    in_queue = asc.TQue(asc.TPosition.VECIN, 2)
    out_queue = asc.TQue(asc.TPosition.VECOUT, 2)
    pipe.init_buffer(in_queue, 1, TILE * x.dtype.sizeof())
    pipe.init_buffer(out_queue, 2, TILE * z.dtype.sizeof())
    for tile in range(own // TILE):
        start = tile * TILE
        x_local = in_queue.alloc_tensor(x.dtype)
        asc.data_copy(x_local, x_gm[start:], TILE)
        in_queue.enque(x_local)

        x_local = in_queue.deque(x.dtype)
        z_local = out_queue.alloc_tensor(z.dtype)
        asc.exp(z_local, x_local, TILE)
        asc.ln(z_local, z_local, TILE)
        out_queue.enque(z_local)
        in_queue.free_tensor(x_local)

        z_local = out_queue.deque(z.dtype)
        asc.data_copy(z_gm[start:], z_local, TILE)
        out_queue.free_tensor(z_local)


# %% key="hunt-2"
TILE = 8192


@asc.jit
def hunt_2(x: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    own = n // asc.get_block_num()
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x + own * asc.get_block_idx(), own)
    z_gm.set_global_buffer(z + own * asc.get_block_idx(), own)
    pipe = asc.TPipe()
    in_queue = asc.TQue(asc.TPosition.VECIN, 2)
    out_queue = asc.TQue(asc.TPosition.VECOUT, 2)
    pipe.init_buffer(in_queue, 2, TILE * x.dtype.sizeof())
    pipe.init_buffer(out_queue, 2, TILE * z.dtype.sizeof())
    for tile in range(own // TILE):
        start = tile * TILE
        x_local = in_queue.alloc_tensor(x.dtype)
        asc.data_copy(x_local, x_gm[start:], TILE)
        in_queue.enque(x_local)

        x_local = in_queue.deque(x.dtype)
        z_local = out_queue.alloc_tensor(z.dtype)
        for row in range(0, TILE, 32):
            asc.relu(z_local[row:], x_local[row:], 32)
        out_queue.enque(z_local)
        in_queue.free_tensor(x_local)

        z_local = out_queue.deque(z.dtype)
        asc.data_copy(z_gm[start:], z_local, TILE)
        out_queue.free_tensor(z_local)


# %% key="hunt-3"
TILE = 4096


@asc.jit
def hunt_3(x: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    own = n // asc.get_block_num()
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x + own * asc.get_block_idx(), own)
    z_gm.set_global_buffer(z + own * asc.get_block_idx(), own)
    pipe = asc.TPipe()
    in_queue = asc.TQue(asc.TPosition.VECIN, 2)
    out_queue = asc.TQue(asc.TPosition.VECOUT, 2)
    pipe.init_buffer(in_queue, 2, TILE * x.dtype.sizeof())
    pipe.init_buffer(out_queue, 2, TILE * z.dtype.sizeof())
    for tile in range(own // TILE):
        start = tile * TILE
        x_local = in_queue.alloc_tensor(x.dtype)
        asc.data_copy(x_local, x_gm[start:], TILE)
        in_queue.enque(x_local)

        x_local = in_queue.deque(x.dtype)
        z_local = out_queue.alloc_tensor(z.dtype)
        asc.exp(z_local, x_local, TILE)
        asc.pipe_barrier(asc.PipeID.PIPE_ALL)
        asc.ln(z_local, z_local, TILE)
        asc.muls(z_local, z_local, 0.5, TILE)
        out_queue.enque(z_local)
        in_queue.free_tensor(x_local)

        z_local = out_queue.deque(z.dtype)
        asc.data_copy(z_gm[start:], z_local, TILE)
        out_queue.free_tensor(z_local)


# %% key="hunt-answers"
lab.hunt("09/hunt-1", {})
lab.hunt("09/hunt-2", {})
lab.hunt("09/hunt-3", {})

# %% [markdown] key="counterpart" lang="zh"
# ## 12 官方对应内容
#
# - **asc-devkit**：`examples/01_simd_cpp_api/05_best_practices/00_vector_compute/add_high_performance`（七步，第 3 节的实测）、`04_memory_access/bank_conflict_ub`（第 6 节）、`04_memory_access/data_copy`。在卡上用 `msopprof ./demo` 得到同名的 CSV。
# - **官方指南** “算子实践参考 / SIMD 算子性能优化”：DoubleBuffer、一次搬运较大的数据块、避免 bank 冲突、核间负载均衡、设置合适的核数。
# - **官方课程**第 8 章：章末任务是 [45, 20480] float 的 Add 低于 80 us。
# - 计分公式来自 cann-bench 的 HAP。
#
# **这个模型说明什么，不说明什么。** 端到端时间和 V、S 的忙碌时间对照公开实测校准（表在第 3 节）；MTE2、MTE3 的忙碌时间只供参考；L2 命中按地址估计。310P3 和 910B3 没有公开实测，它们的数字处处标“未校准”。
#
# **小结**
#
# - 先问瓶颈，再动手：改不是瓶颈的东西，不会变快（双缓冲的 1.7%）。
# - 较短的那一个有多长，重叠就最多省多少。
# - 每条指令有固定开销：tile 和指令都要够大，够大就行。
# - 一次只改一个变量，并和基线比较。

# %% [markdown] key="counterpart" lang="en"
# ## 12 The official counterpart
#
# - **asc-devkit**: `examples/01_simd_cpp_api/05_best_practices/00_vector_compute/add_high_performance` (the seven steps, the measurements of section 3), `04_memory_access/bank_conflict_ub` (section 6), `04_memory_access/data_copy`. On a card `msopprof ./demo` writes CSV files of the same names.
# - **Official guide**, its chapter on performance of SIMD operators: double buffers, larger copies, bank conflicts, balance of cores, number of cores.
# - **Official course**, chapter 8: its last task is an Add of [45, 20480] float below 80 us.
# - The formula of the score is HAP of cann-bench.
#
# **What this model shows and what it does not.** End-to-end times and busy times of V and S are calibrated on published measurements (the table of section 3); busy times of MTE2 and MTE3 are indicative; hits of L2 are counted from addresses. Nothing is published for the 310P3 and the 910B3: wherever one of their figures stands, it says "not calibrated".
#
# **Summary**
#
# - Ask for the bottleneck first: to change anything else gains nothing (the 1.7 % of double buffers).
# - Overlap saves at most what the shorter of the two is long.
# - Every instruction has a fixed cost: tiles and instructions have to be large enough, and large enough will do.
# - Change one variable at a time, against a baseline.

# %% key="about"
lab.progress()
