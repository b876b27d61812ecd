# Lab 02, both languages. `labs/build.py` makes labs/zh/02_many_cores.ipynb and labs/en/02_many_cores.ipynb of it.

# %% [markdown] key="title" lang="zh"
# # Lab 02 · 第一个核函数：一份代码，很多个核
#
# 启动一个核函数，就是让许多个核同时执行同一份代码。谁处理哪一段数据，由代码自己决定；没有人替它检查。本实验从打印一行字开始，用覆盖图看清每个核写了哪里，最后把一个 CUDA 核函数改成昇腾的写法。
#
# 学完之后，你能够：
#
# - 用三种写法启动核函数，说出 block 数、核数和数据量之间的关系；
# - 用 `get_block_num` 和 `get_block_idx` 把数据分给各个核，包括除不尽的长度；
# - 看覆盖图和检查结果，认出三类多核错误：没有按核偏移（E1）、范围重叠（E2）、有遗漏（E3）；
# - 说清为什么 CUDA 的“一个线程一个元素”不能照搬。
#
# 每一节的做法都一样：阅读，**先预测**，再运行，然后对照。计分的是三道任务（共 100 分），其余都只是练习。不需要 NPU，也不需要 CANN。全部做完大约 75 分钟。

# %% [markdown] key="title" lang="en"
# # Lab 02 · First kernel: one text, many cores
#
# To launch a kernel is to have many cores carry out the same code at the same time. Which core works on which data is decided by that code alone, and nobody checks it. This lab starts with a printed line, shows on a map who wrote what, and ends with a CUDA kernel turned into one for these chips.
#
# Afterwards you can
#
# - launch a kernel in three ways, and say how blocks, cores and the amount of data go together;
# - deal out data to the cores with `get_block_num` and `get_block_idx`, lengths that do not divide included;
# - recognise on the coverage map and in the findings the three mistakes of several cores: the offset of the core is missing (E1), ranges overlap (E2), something is left out (E3);
# - say why "one thread, one element" of CUDA does not carry over.
#
# Every section works the same way: read, **predict**, run, compare. Three tasks are marked (100 points together); everything else is practice. You need no NPU and no CANN. Allow about 75 minutes.

# %% key="start"
import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, course, view

lab = course.start("02")

# %% [markdown] key="launch" lang="zh"
# ## 1 启动
#
# ![一次启动：四个核执行同一份代码，只有核号不同，各写 z 的一段](pictures/02_cores.png)
#
# `@asc.jit` 标明这是一个核函数。启动时要说用几个 **block**；每个 block 由一个核执行，得到的代码和参数完全相同，只有 `get_block_idx()` 不同。
#
# | 写在哪里 | 写法 |
# |---|---|
# | Ascend C（C++） | `kernel<<<numBlocks, dynUBufSize, stream>>>(z)` |
# | pyasc | `kernel[numBlocks, stream](z)`，也可以只写 `kernel[numBlocks](z)` |
# | 本课程 | `result = Device().launch(kernel, numBlocks, z)`：启动相同，另外把过程记录在 `result` 中 |

# %% [markdown] key="launch" lang="en"
# ## 1 Launching
#
# ![One launch: four cores carry out the same code, only their number differs, and each writes a part of z](pictures/02_cores.png)
#
# `@asc.jit` marks a kernel. A launch says on how many **blocks** it runs; each block is carried out by a core and gets the same code and the same arguments. Only `get_block_idx()` differs.
#
# | where | form |
# |---|---|
# | Ascend C (C++) | `kernel<<<numBlocks, dynUBufSize, stream>>>(z)` |
# | pyasc | `kernel[numBlocks, stream](z)`, or just `kernel[numBlocks](z)` |
# | these labs | `result = Device().launch(kernel, numBlocks, z)`: the same launch, with a record of what happened in `result` |


# %% key="greet"
@asc.jit
def greet():
    asc.printf("core %d of %d\n", asc.get_block_idx(), asc.get_block_num())


greet[4]()

# %% [markdown] key="same" lang="zh"
# ### 预测：不用核号会怎样？
#
# 输入和输出在 Global Memory（GM）里，所有的核都看得到；每个核自己还有一小块片上内存，叫 Unified Buffer（UB）。要写 GM，数据先得在 UB 里。下面的 `fill` 已经写好：把 `count` 个 `value` 写到 `z_gm` 从 `start` 开始的地方。其中的队列留到 Lab 03，现在只要会调用它。
#
# `mark` 用 8 个核写 4096 个元素，每个核写 `4096 // 8 = 512` 个，写的是自己的核号，但起点都是 0。4096 个元素里有多少个会被写到？
#
# - **A** 4096 个：系统会把数据分给各个核
# - **B** 512 个
# - **C** 4096 个，而且每个元素被写 8 次
# - **D** 0 个：几个核写同一处，核函数中止
#
# 先把 `None` 换成你的答案，如 `"A"`，再往下运行。

# %% [markdown] key="same" lang="en"
# ### Predict: what if the number of the core is not used?
#
# Inputs and outputs are in Global Memory (GM), which all cores see. Each core has a small memory of its own besides, the Unified Buffer (UB), and what goes to GM has to be there first. `fill` below is given: it writes `count` times `value` to `z_gm` from `start` on. Its queue is the subject of lab 03; here you only call it.
#
# `mark` writes 4096 elements on 8 cores. Each core writes `4096 // 8 = 512` of them, with its own number, but all start at 0. How many of the 4096 elements are written?
#
# - **A** 4096: the system deals out the data
# - **B** 512
# - **C** 4096, each of them 8 times
# - **D** none: several cores write the same place, and the kernel is aborted
#
# Replace `None` by your answer, such as `"A"`, before you go on.

# %% key="same-predict"
lab.predict("02/same", None)


# %% key="same-run"
@asc.jit
def fill(z_gm: asc.GlobalTensor, queue: asc.TQue, start: int, count: int, value: int):
    z_local = queue.alloc_tensor(z_gm.dtype)
    asc.duplicate(z_local, value, count)
    queue.enque(z_local)
    z_local = queue.deque(z_gm.dtype)
    asc.data_copy(z_gm[start:], z_local, count)
    queue.free_tensor(z_local)


@asc.jit
def mark(z: asc.GlobalAddress, total_length: int):
    z_gm = asc.GlobalTensor()
    z_gm.set_global_buffer(z, total_length)
    block_length = total_length // asc.get_block_num()
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(queue, 1, block_length * z.dtype.sizeof())
    fill(z_gm, queue, 0, block_length, asc.get_block_idx())


z = np.full(4096, -1, np.int32)
marked = Device().launch(mark, 8, z, z.size, outputs=["z"])
written = int(np.count_nonzero(z != -1))
print(written, "elements are written")
lab.reveal("02/same", {512: "B", 0: "D"}.get(written, "A"))
lab.show(marked)

# %% [markdown] key="same-told" lang="zh"
# **看图。** 覆盖图的横轴是输出的元素，每个核一种颜色；斜线是没有人写的部分。8 个核都写了 `z[0..511]`，后来的盖住先来的，剩下的 3584 个元素没有人管。在卡上不会有任何报错：单核运行时结果还是对的。这就是 **E1**，多核最常见的错误。
#
# 改一处就够了：起点加上 `asc.get_block_idx() * block_length`。

# %% [markdown] key="same-told" lang="en"
# **Look at the map.** Along it are the elements of the output, each core has a colour, and what nobody wrote is hatched. All eight cores wrote `z[0..511]`, the later over the earlier, and 3584 elements are nobody's. On a card nothing reports this, and on a single core the result is even right. It is **E1**, the most frequent mistake with several cores.
#
# One change is enough: the start has to contain `asc.get_block_idx() * block_length`.

# %% [markdown] key="hello-text" lang="zh"
# ## 2 任务 02/hello（易，20 分）：每个核写一行
#
# 每个核用 `asc.printf` 打印一行，内容自定；然后把自己的核号写进 `z` 中属于自己的 8 个元素：核 0 写 `z[0..7]`，核 1 写 `z[8..15]`，依此类推。8 个 int32 正好是 32 字节，也就是搬运的最小单位。核数由启动决定。

# %% [markdown] key="hello-text" lang="en"
# ## 2 Task 02/hello (easy, 20 points): a line from every core
#
# Each core prints a line with `asc.printf`, whatever it says, and writes its number into the 8 elements of `z` that are its own: core 0 into `z[0..7]`, core 1 into `z[8..15]`, and so on. Eight int32 are 32 bytes, the smallest piece that is ever moved. The launch decides the number of cores.

# %% key="hello" answer="02/hello"
LINE = 8


@asc.jit
def hello(z: asc.GlobalAddress):
    z_gm = asc.GlobalTensor()
    z_gm.set_global_buffer(z)
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(queue, 1, LINE * z.dtype.sizeof())

    # print one line, then call fill once


# %% key="hello-check"
lab.check("02/hello", hello)

# %% [markdown] key="waves" lang="zh"
# ## 3 block 和核
#
# ### 预测：多一个 block，多花多少时间？
#
# 芯片有多少个核，就有多少个 block 能同时运行：Ascend910B1 有 48 个矢量核，Ascend310P3 有 8 个。`busy` 的每个 block 工作量相同。在 Ascend310P3 上用 8 个 block 启动，记下时间；改用 9 个 block，时间会怎样？
#
# - **A** 几乎不变：多出来的一份由大家分担
# - **B** 增加大约 1/8
# - **C** 接近两倍
# - **D** 启动失败：block 数不能超过核数

# %% [markdown] key="waves" lang="en"
# ## 3 Blocks and cores
#
# ### Predict: one block more, how much more time?
#
# As many blocks run at once as the chip has cores: the Ascend910B1 has 48 vector cores, the Ascend310P3 has 8. Every block of `busy` has the same amount of work. We launch 8 blocks on the Ascend310P3, then 9. What becomes of the time?
#
# - **A** nearly the same: all share the additional work
# - **B** about 1/8 more
# - **C** nearly twice as long
# - **D** the launch fails: there must be no more blocks than cores

# %% key="waves-predict"
lab.predict("02/waves", None)


# %% key="waves-run"
@asc.jit
def busy(z: asc.GlobalAddress, rounds: int):
    z_gm = asc.GlobalTensor()
    z_gm.set_global_buffer(z + asc.get_block_idx() * 8, 8)
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(queue, 1, 65536)
    z_local = queue.alloc_tensor(z.dtype)
    asc.duplicate(z_local, 0.0, 16384)
    for _ in range(rounds):
        asc.adds(z_local, z_local, 1.0, 16384)
    queue.enque(z_local)
    z_local = queue.deque(z.dtype)
    asc.data_copy(z_gm, z_local, 8)
    queue.free_tensor(z_local)


def run_busy(blocks, rounds=150):
    z = np.zeros(8 * blocks, np.float32)
    result = Device("Ascend310P3").launch(busy, blocks, z, rounds)
    print(f"{blocks:2} blocks: {result.time_us:6.2f} us")
    return result


runs = {blocks: run_busy(blocks) for blocks in (4, 8, 9, 16)}
ratio = runs[9].time_us / runs[8].time_us
lab.reveal("02/waves", "A" if ratio < 1.05 else "B" if ratio < 1.3 else "C")
view.balance(runs[9], lang=lab.lang)

# %% key="waves-limits"
print(Device().launch(greet, 65536).findings[0].message(lab.lang))

# %% [markdown] key="waves-told" lang="zh"
# 4 个 block 只用了一半的核，时间和 8 个一样；第 9 个要等某个核空出来，于是多出整整一轮，而这一轮里 7 个核都在闲着。16 个 block 的时间与 9 个相同，做的事却多了近一倍。所以 block 数通常就取核数（数据少时更少），核函数内部再用循环处理自己的那部分。
#
# block 数的合法范围是 1 到 65535，超出就是 **E13**，在卡上启动直接返回 107000。它是“多少个核”，不是“多少个元素”。

# %% [markdown] key="waves-told" lang="en"
# 4 blocks use half of the cores and take as long as 8. Block 9 has to wait until a core is free: it costs a whole round more, in which 7 cores have nothing to do. 16 blocks take as long as 9 and do nearly twice the work. So one usually launches as many blocks as there are cores (fewer for little data), and loops inside the kernel.
#
# The number of blocks may be 1 to 65535; anything else is **E13**, and on a card the launch returns 107000. It counts cores, not elements.

# %% [markdown] key="fill-text" lang="zh"
# ## 4 任务 02/fill（中，35 分）：按核填充
#
# 把 `z` 平均分给各个核，每个核用自己的核号填满自己的那一段。`total_length` 是 8 × 核数的倍数，所以每段都是整数个 32 字节；但一段可以很长，而队列的缓冲区只有 `FILL_TILE` 个元素，要分几次写（一次写的叫一个 **tile**），最后一个 tile 可以短一些。
#
# 用 `run_fill` 试运行，在覆盖图上核对。

# %% [markdown] key="fill-text" lang="en"
# ## 4 Task 02/fill (medium, 35 points): fill by block
#
# Deal out `z` to the cores in equal parts; each core fills its part with its number. `total_length` is a multiple of 8 × cores, so every part is whole blocks of 32 bytes. It can be long, though, and the buffer of the queue holds `FILL_TILE` elements: write it piece by piece (such a piece is a **tile**), the last of which may be shorter.
#
# Try it with `run_fill`, and compare with the map.

# %% key="fill" answer="02/fill"
FILL_TILE = 2048


@asc.jit
def fill_blocks(z: asc.GlobalAddress, total_length: int):
    z_gm = asc.GlobalTensor()
    z_gm.set_global_buffer(z, total_length)
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(queue, 2, FILL_TILE * z.dtype.sizeof())

    # call fill once for each tile of this core


# %% key="fill-run"
def run_fill(n=40000, blocks=8):
    z = np.full(n, -1, np.int32)
    result = Device().launch(fill_blocks, blocks, z, n, outputs=["z"])
    right = np.count_nonzero(z == np.arange(n) // (n // blocks))
    print(f"{right} of {n} elements are right")
    return result


lab.show(run_fill())

# %% key="fill-check"
lab.check("02/fill", fill_blocks)

# %% [markdown] key="cuda" lang="zh"
# ## 5 CUDA 不是 CANN
#
# 一篇迁移文章的开头说得好：把 `cudaMalloc` 换成 `aclrtMalloc`、把 `__global__` 换成 `__global__ __aicore__` 的“翻译心态”行不通。我们就来翻译一次，看看究竟错在哪里。CUDA 里人人写过这样的核函数：
#
# ```cuda
# __global__ void scale(const float* x, float* z, int n) {
#     int i = blockIdx.x * blockDim.x + threadIdx.x;
#     if (i < n) z[i] = 2.0f * x[i];
# }
# scale<<<(n + 255) / 256, 256>>>(x, z, n);
# ```
#
# AI Core 里没有线程，能拿到的编号只有 `get_block_idx()`，于是最直接的译法是“一个 block 一个元素”：就是下面的 `scale_1`。
#
# **预测**依次启动三次，各自最先报告的问题是什么：
#
# 1. n = 100 000，按元素数启动：100 000 个 block；
# 2. n = 10 000，先在一个核上试：1 个 block；
# 3. n = 48，一个核一个元素：48 个 block。相邻的线程写相邻的元素，在 CUDA 里叫合并访存，是最好的写法。
#
# | 编号 | 问题 |
# |---|---|
# | B3 | 读到了 x 的末尾之后 |
# | E1 | 没有按核偏移 |
# | E2 | 几个核写了同一段输出 |
# | E3 | 有一段输出没有人写 |
# | E8 | 几个核用标量写同一条缓存行 |
# | E13 | block 数不合法 |

# %% [markdown] key="cuda" lang="en"
# ## 5 CUDA is not CANN
#
# An article on moving from CUDA puts it well: a translator's attitude, `cudaMalloc` becomes `aclrtMalloc` and `__global__` becomes `__global__ __aicore__`, leads nowhere. Let us translate once all the same, to see what exactly goes wrong. Everybody who knows CUDA has written this kernel:
#
# ```cuda
# __global__ void scale(const float* x, float* z, int n) {
#     int i = blockIdx.x * blockDim.x + threadIdx.x;
#     if (i < n) z[i] = 2.0f * x[i];
# }
# scale<<<(n + 255) / 256, 256>>>(x, z, n);
# ```
#
# An AI Core has no threads, and the only number to be had is `get_block_idx()`. So the plainest translation is "one block, one element": `scale_1` below.
#
# **Predict** which problem is reported first in each of three launches:
#
# 1. n = 100 000, launched by the number of elements: 100 000 blocks;
# 2. n = 10 000, tried on a single core: 1 block;
# 3. n = 48, one element for each core: 48 blocks. Threads beside each other write elements beside each other, which is what CUDA likes best (coalesced access).
#
# | id | problem |
# |---|---|
# | B3 | something is read behind the end of x |
# | E1 | the offset of the core is missing |
# | E2 | several cores write the same part of the output |
# | E3 | a part of the output is written by nobody |
# | E8 | scalar stores of several cores share a cache line |
# | E13 | bad number of blocks |

# %% key="cuda-predict"
lab.predict("02/cuda", [None, None, None])


# %% key="cuda-run"
@asc.jit
def scale_1(x: asc.GlobalAddress, z: asc.GlobalAddress, length: int):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, length)
    z_gm.set_global_buffer(z, length)
    i = asc.get_block_idx()
    if i < length:
        z_gm.set_value(i, 2.0 * x_gm.get_value(i))


def run_scale(kernel, n, blocks):
    x = np.arange(n, dtype=np.float32)
    z = np.full(n, np.nan, np.float32)
    result = Device().launch(kernel, blocks, x, z, n, outputs=["z"])
    ids = ", ".join(finding.id for finding in result.findings) or "-"
    print(f"n={n}, {blocks} blocks: {result.cycles:.0f} cycles, {ids}")
    return result


for n, blocks in ((100_000, 100_000), (10_000, 1), (48, 48)):
    translated = run_scale(scale_1, n, blocks)
    lab.reveal("02/cuda", translated)
lab.show(translated)

# %% [markdown] key="scalar" lang="zh"
# ### 预测：改成循环就好了吗？
#
# 第三次每个元素都有人写，没有遗漏，也没有重复，可是在卡上会丢失更新：标量写先进入每个核自己的 DCache，以 64 字节的缓存行写回，相邻的核互相覆盖。先不管它，看看速度。
#
# 既然 block 数应当是核数，那就让每个核循环处理自己的元素：`scale_2` 从核号开始，每次跳过核数个（CUDA 里叫 grid-stride loop）。`scale_3` 则是昇腾的写法：每个核处理整块（tile），一条矢量指令算完一块。4096 个元素、2 个核，`scale_2` 的执行时间是 `scale_3` 的多少倍？
#
# - **A** 差不多
# - **B** 2 到 5 倍
# - **C** 10 倍以上

# %% [markdown] key="scalar" lang="en"
# ### Predict: does a loop repair it?
#
# In the third launch somebody writes every element, nothing is left out and nothing written twice, and still updates get lost on a card: a scalar store goes into the data cache of its core, which writes back whole lines of 64 bytes, and cores beside each other overwrite one another. Leave that aside for a moment and look at the speed.
#
# If the number of blocks is to be that of the cores, let each core loop over its elements: `scale_2` starts at the number of the core and steps by the number of cores (a grid-stride loop, in CUDA's words). `scale_3` is written for these chips: a core works on whole tiles, and one vector instruction computes a tile. With 4096 elements on 2 cores, how many times as long as `scale_3` does `scale_2` take?
#
# - **A** about the same
# - **B** 2 to 5 times
# - **C** more than 10 times

# %% key="scalar-predict"
lab.predict("02/scalar", None)


# %% key="scalar-run"
@asc.jit
def scale_2(x: asc.GlobalAddress, z: asc.GlobalAddress, length: int):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, length)
    z_gm.set_global_buffer(z, length)
    for i in range(asc.get_block_idx(), length, asc.get_block_num()):
        z_gm.set_value(i, 2.0 * x_gm.get_value(i))


@asc.jit
def scale_3(x: asc.GlobalAddress, z: asc.GlobalAddress, length: int):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, length)
    z_gm.set_global_buffer(z, length)
    pipe = asc.TPipe()
    in_queue = asc.TQue(asc.TPosition.VECIN, 1)
    out_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(in_queue, 2, 512 * x.dtype.sizeof())
    pipe.init_buffer(out_queue, 2, 512 * z.dtype.sizeof())
    for tile in range(asc.get_block_idx(), length // 512, asc.get_block_num()):
        x_local = in_queue.alloc_tensor(x.dtype)
        asc.data_copy(x_local, x_gm[tile * 512 :], 512)
        in_queue.enque(x_local)
        x_local = in_queue.deque(x.dtype)
        z_local = out_queue.alloc_tensor(z.dtype)
        asc.muls(z_local, x_local, 2.0, 512)
        out_queue.enque(z_local)
        in_queue.free_tensor(x_local)
        z_local = out_queue.deque(z.dtype)
        asc.data_copy(z_gm[tile * 512 :], z_local, 512)
        out_queue.free_tensor(z_local)


scalar = run_scale(scale_2, 4096, 2)
tiled = run_scale(scale_3, 4096, 2)
times = scalar.cycles / tiled.cycles
print(f"{times:.1f} times as long")
lab.reveal("02/scalar", "A" if times < 2 else "B" if times < 10 else "C")
view.coverage(scalar, lang=lab.lang)

# %% [markdown] key="scalar-told" lang="zh"
# 标量单元一次只处理一个元素，每个元素都要单独读写 GM；矢量指令一次处理 256 字节。覆盖图上两个核的颜色交错得看不清，这正是 E8 的样子：每条缓存行都有两个核在写。按整块分，每个核写自己连续的一段，两个问题一起消失（缓存行的细节见 Lab 08）。
#
# | CUDA | 昇腾 | 在哪里学 |
# |---|---|---|
# | 线程 `threadIdx`，一个线程一个元素 | 没有线程；一条矢量指令处理一块 | 本实验 |
# | `gridDim = (n + 255) / 256`，随数据增长 | block 数 = 核数，数据多就多循环几次 | 本实验 |
# | `if (i < n)` 挡住越界的线程 | 最后一块的 `count` 更短，没有数据的核不搬运 | 任务 02/uneven |
# | 直接读写显存，由 cache 帮忙 | 自己把数据搬进 UB，算完再搬出 | Lab 03、04 |
# | `__syncthreads()` | 单元之间的事件；核之间用 `sync_all` | Lab 06、08 |

# %% [markdown] key="scalar-told" lang="en"
# The scalar unit handles one element at a time and reads and writes GM for each; a vector instruction handles 256 bytes at once. On the map the colours of the two cores alternate too finely to be seen, and that is what E8 looks like: both cores write into every cache line. Deal out whole tiles, so that each core writes a part of its own, and both troubles are gone (more on cache lines in lab 08).
#
# | CUDA | here | where to learn it |
# |---|---|---|
# | threads, `threadIdx`, one element each | no threads; a vector instruction works on a tile | this lab |
# | `gridDim = (n + 255) / 256` grows with the data | as many blocks as cores; more data, more rounds of the loop | this lab |
# | `if (i < n)` holds back threads beyond the end | a shorter `count` for the last tile; a core without data copies nothing | task 02/uneven |
# | memory is read and written directly, caches help | you bring data into the UB yourself, and back | labs 03, 04 |
# | `__syncthreads()` | events between units; `sync_all` between cores | labs 06, 08 |

# %% [markdown] key="uneven-text" lang="zh"
# ## 6 任务 02/uneven（难，45 分）：长度不能整除
#
# 现在把 CUDA 那种“任意长度”重做一遍：按核和 tile 来分。`z[i] = x[i] + 处理第 i 个元素的核的核号`，float32，`length` 是任意正整数。之所以加上核号，是为了让检查能看出谁做了什么。
#
# 分配规则（官方文档称为“尾核”）：
#
# - 以 32 字节，即 8 个 float32（`UNIT`）为单位，最后一个单位可以不满；
# - 每个核分到一段连续的单位，按核号从前往后排；
# - 除不尽时，余下的单位从核 0 开始每核多分一个。例如 11 个单位、4 个核：3、3、3、2；
# - 单位比核少时，后面的核什么也不做。
#
# `stamp_tile` 已经写好：处理从 `start` 开始的 `count` 个元素（不超过 `STAMP_TILE`，可以不是 8 的倍数），加上 `value`。你只需要决定每个核以什么参数调用它几次。

# %% [markdown] key="uneven-text" lang="en"
# ## 6 Task 02/uneven (hard, 45 points): a length that does not divide
#
# Now do again what CUDA does with "any length", with cores and tiles. `z[i] = x[i] + the number of the core that works on element i` in float32; `length` is any positive number. The number of the core is added so that the check can see who did what.
#
# How the elements are dealt out (the official documentation speaks of former and tail cores):
#
# - in units of 32 bytes, which are 8 float32 (`UNIT`); the last unit may be short;
# - each core gets units that follow each other, in the order of the cores;
# - what does not divide goes to the first cores, one unit more for each from core 0 on. Eleven units on 4 cores: 3, 3, 3, 2;
# - with fewer units than cores, the last cores do nothing.
#
# `stamp_tile` is given: it works on `count` elements from `start` on (at most `STAMP_TILE`, not necessarily a multiple of 8) and adds `value`. All you have to decide is with what each core calls it, and how many times.


# %% key="stamp-tile"
@asc.jit
def stamp_tile(
    x_gm: asc.GlobalTensor,
    z_gm: asc.GlobalTensor,
    in_queue: asc.TQue,
    out_queue: asc.TQue,
    start: int,
    count: int,
    value: float,
):
    move = asc.DataCopyExtParams(1, count * x_gm.dtype.sizeof(), 0, 0, 0)
    pad = asc.DataCopyPadExtParams(x_gm.dtype, False, 0, 0, 0)
    x_local = in_queue.alloc_tensor(x_gm.dtype)
    asc.data_copy_pad(x_local, x_gm[start:], move, pad)
    in_queue.enque(x_local)
    x_local = in_queue.deque(x_gm.dtype)
    z_local = out_queue.alloc_tensor(z_gm.dtype)
    asc.adds(z_local, x_local, value, count)
    out_queue.enque(z_local)
    in_queue.free_tensor(x_local)
    z_local = out_queue.deque(z_gm.dtype)
    asc.data_copy_pad(z_gm[start:], z_local, move)
    out_queue.free_tensor(z_local)


# %% key="uneven" answer="02/uneven"
UNIT = 8
STAMP_TILE = 2048


@asc.jit
def stamp(x: asc.GlobalAddress, z: asc.GlobalAddress, length: int):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, length)
    z_gm.set_global_buffer(z, length)
    pipe = asc.TPipe()
    in_queue = asc.TQue(asc.TPosition.VECIN, 1)
    out_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(in_queue, 2, STAMP_TILE * x.dtype.sizeof())
    pipe.init_buffer(out_queue, 2, STAMP_TILE * z.dtype.sizeof())

    # call stamp_tile once for each tile of this core


# %% key="uneven-run"
def run_uneven(n=20011, blocks=8):
    x = np.zeros(n, np.float32)
    z = np.full(n, np.nan, np.float32)
    result = Device().launch(stamp, blocks, x, z, n, outputs=["z"])
    for core in range(blocks):
        mine = np.flatnonzero(z == core)
        where = f"z[{mine[0]}..{mine[-1]}]" if mine.size else "nothing"
        print(f"core {core}: {mine.size:5} elements, {where}")
    return result


lab.show(run_uneven())

# %% key="uneven-check"
lab.check("02/uneven", stamp)

# %% [markdown] key="hunt" lang="zh"
# ## 7 找错
#
# 三个核函数，各有一处错误，都与“哪个核处理哪一段”有关。下面是使用者的描述。只读代码，不运行，写出编号和行号（行号是它所在单元格中的行；在 JupyterLab 中按 Shift+L 显示行号）。候选编号：B4、E1、E2、E3、E4。答完之后可以启动它们，看看覆盖图。
#
# - **hunt_1**：按行分配的复制。单核正确。用多个核时，输出只有开头一段有数据，其余没有写到。
# - **hunt_2**：按核分段的复制。数据能平均分给各核时正确；不能平均时，最后一个核报 GM 越界，其他核没有问题。
# - **hunt_3**：按块轮流的复制。长度能整除时正确；不能整除时，末尾一段保持原样，没有报错。

# %% [markdown] key="hunt" lang="en"
# ## 7 Fault hunt
#
# Three kernels with one mistake each, all about which core works on which part. This is what their users report. Read the code, do not run it, and give the id and the line (counted in its cell; Shift+L shows line numbers in JupyterLab). The ids to choose from: B4, E1, E2, E3, E4. When you have answered, launch them and look at the map.
#
# - **hunt_1**: A copy, so many rows for each core. Right on one core. On several, only the beginning of the output is written.
# - **hunt_2**: A copy, one part for each core. When the data can be dealt out evenly all is well. Otherwise the last core runs out of range, and only that one.
# - **hunt_3**: A copy, the tiles dealt out in turn. Lengths that divide evenly work. With others the end stays as it was, and nothing reports an error.

# %% key="hunt-1"
ROW = 256


@asc.jit
def hunt_1(x: asc.GlobalAddress, z: asc.GlobalAddress, rows: int):
    block_rows = (rows + asc.get_block_num() - 1) // asc.get_block_num()
    first = asc.get_block_idx() * block_rows
    left = rows - first
    own = block_rows if left > block_rows else left
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x + first * ROW)
    z_gm.set_global_buffer(z)
    pipe = asc.TPipe()
    queue = asc.TQueBind(asc.TPosition.VECIN, asc.TPosition.VECOUT, 1)
    pipe.init_buffer(queue, 2, ROW * x.dtype.sizeof())

    for row in range(own):
        local = queue.alloc_tensor(x.dtype)
        asc.data_copy(local, x_gm[row * ROW :], ROW)
        queue.enque(local)
        local = queue.deque(x.dtype)
        asc.data_copy(z_gm[row * ROW :], local, ROW)
        queue.free_tensor(local)


# %% key="hunt-2"
TILE_LENGTH = 1024


@asc.jit
def hunt_2(x: asc.GlobalAddress, z: asc.GlobalAddress, total_length: int):
    block = asc.get_block_idx()
    blocks = asc.get_block_num()
    block_length = (total_length + blocks * 8 - 1) // (blocks * 8) * 8
    offset = block * block_length
    own = block_length
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x + offset)
    z_gm.set_global_buffer(z + offset)
    pipe = asc.TPipe()
    queue = asc.TQueBind(asc.TPosition.VECIN, asc.TPosition.VECOUT, 1)
    pipe.init_buffer(queue, 2, TILE_LENGTH * x.dtype.sizeof())

    tiles = (own + TILE_LENGTH - 1) // TILE_LENGTH
    for tile in range(tiles):
        start = tile * TILE_LENGTH
        left = own - start
        count = TILE_LENGTH if left > TILE_LENGTH else left
        local = queue.alloc_tensor(x.dtype)
        asc.data_copy(local, x_gm[start:], count)
        queue.enque(local)
        local = queue.deque(x.dtype)
        asc.data_copy(z_gm[start:], local, count)
        queue.free_tensor(local)


# %% key="hunt-3"
TILE_LENGTH = 512


@asc.jit
def hunt_3(x: asc.GlobalAddress, z: asc.GlobalAddress, total_length: int):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    pipe = asc.TPipe()
    queue = asc.TQueBind(asc.TPosition.VECIN, asc.TPosition.VECOUT, 1)
    pipe.init_buffer(queue, 2, TILE_LENGTH * x.dtype.sizeof())

    tiles = total_length // TILE_LENGTH
    for tile in range(asc.get_block_idx(), tiles, asc.get_block_num()):
        start = tile * TILE_LENGTH
        left = total_length - start
        count = TILE_LENGTH if left > TILE_LENGTH else left
        local = queue.alloc_tensor(x.dtype)
        asc.data_copy(local, x_gm[start:], count)
        queue.enque(local)
        local = queue.deque(x.dtype)
        asc.data_copy(z_gm[start:], local, count)
        queue.free_tensor(local)


# %% key="hunt-answers"
lab.hunt("02/hunt-1", {})
lab.hunt("02/hunt-2", {})
lab.hunt("02/hunt-3", {})

# %% [markdown] key="cpp" lang="zh"
# ## 8 同样的内容，用 C++ 写
#
# 官方样例和认证都用 C++。单元格第一行写 `%%ascendc`，其余就是 Ascend C：用本机的 g++ 编译，在同一个模型上运行，不需要 CANN。有 `main()` 的单元是完整的程序，包括主机代码；启动写作 `<<<block 数, 动态 UB, stream>>>`。主机上的调用（`acl...`）是 Lab 01 的内容。没有 C++ 编译器时，这些单元会说明怎样安装，然后跳过。

# %% [markdown] key="cpp" lang="en"
# ## 8 The same in C++
#
# The official samples and the exam are in C++. Below `%%ascendc` in its first line a cell is Ascend C: compiled by the g++ of your computer, run on the same model, no CANN needed. A cell with `main()` is a whole program, host code included, and a launch reads `<<<blocks, dynamic UB, stream>>>`. The calls on the host (`acl...`) are the subject of lab 01. Without a C++ compiler these cells say how to get one, and are left out.

# %% key="cpp-hello" ascendc="02_hello.asc"

# %% [markdown] key="cpp-mark" lang="zh"
# 没有 `main()` 的单元只有核函数，可以从 Python 启动，参数就是 NumPy 数组：`mark_cpp[8](z, z.size)`，或者像这里一样用 `Device().launch`。这是第 1 节的 `mark`，已经加上了核的偏移。去掉 `zGm[...]` 里的偏移再运行一次，又会看到 E1。

# %% [markdown] key="cpp-mark" lang="en"
# A cell without `main()` has kernels only. They are launched from Python, with NumPy arrays for arguments: `mark_cpp[8](z, z.size)`, or with `Device().launch` as here. This is `mark` of section 1, with the offset of the core added. Take the offset out of `zGm[...]`, run it again, and there is E1.


# %% key="cpp-run"
def run_mark(kernel):
    z = np.full(4096, -1, np.int32)
    result = Device().launch(kernel, 8, z, z.size, outputs=["z"])
    print(np.count_nonzero(z != -1), "elements are written, the last by core", z[-1])
    return result


# %% key="cpp-mark-run" ascendc="02_mark.asc"

# %% [markdown] key="counterpart" lang="zh"
# ## 9 官方对应内容
#
# - **官方课程** CANN 学习中心“Ascend C 算子开发”2.02 Hello World：用 `<<<>>>` 启动，在几个核上打印。练习正是“在 4 个核上打印”。
# - **asc-devkit** 的 `examples/01_simd_cpp_api/00_introduction/00_quickstart/hello_world`；尾核与尾块见 `docs/zh/guide/算子实践参考/SIMD算子实现/矢量编程`。
# - **pyasc** 的核函数用 `kernel[core_num, stream](...)` 启动，`get_block_idx` 和 `get_block_num` 与这里相同。
# - **在卡上运行你的核函数**：把 `import ascend_lab.asc as asc` 换成 `import asc`，参数换成 NPU 上的 torch tensor，再用 `stamp[48, rt.current_stream()](x, z, n)` 启动。pyasc 的 `init_buffer` 还不接受 `TQueBind`，那里改用 VECIN 和 VECOUT 两个 `TQue`。
#
# **这个模型说明什么，不说明什么。** 哪个核写了哪些字节、谁没有写、谁写重了，在卡上同样如此。Ascend910B1 的时间按公开实测拟合，但不是某一张卡的绝对时间；Ascend310P3 没有公开的实测数据，时间只能用来比较；`printf` 的先后在卡上不保证按核号排列；几个核共用缓存行会报告（E8），但卡上丢的是哪几个更新，每次可能不同。
#
# **小结**
#
# - 一次启动：同一份代码，`get_block_num()` 个 block，每个 block 只有 `get_block_idx()` 不同。
# - block 数取核数，不取元素数；超过核数就要多跑一轮，超过 65535 启动失败。
# - 每个核处理哪一段由代码决定：偏移要有核号（E1），间隔要等于长度（E2），余数要有人处理（E3）。
# - 用覆盖图检查：没有斜线，没有红色，各核长度接近。

# %% [markdown] key="counterpart" lang="en"
# ## 9 The official counterpart
#
# - **Official course**: the CANN learning hub, "Ascend C operator development", 2.02 Hello World: launching with `<<<>>>` and printing from several cores. Its exercise is to print on 4 cores.
# - **asc-devkit**: `examples/01_simd_cpp_api/00_introduction/00_quickstart/hello_world`; tail cores and tail tiles have a page in the guide, under vector programming.
# - **pyasc** launches with `kernel[core_num, stream](...)`; `get_block_idx` and `get_block_num` are the same as here.
# - **Your kernel on a card**: replace `import ascend_lab.asc as asc` by `import asc`, pass torch tensors that live on the NPU, and launch with `stamp[48, rt.current_stream()](x, z, n)`. There `init_buffer` does not take a `TQueBind` yet: use two `TQue`, one at VECIN and one at VECOUT.
#
# **What this model shows and what it does not.** Which core wrote which bytes, what nobody wrote and what was written twice is the same on a card. Times of the Ascend910B1 are fitted to published measurements, but are not those of one particular card; of the Ascend310P3 no measurement is public, and its times serve for comparison only; the lines of `printf` need not come in the order of the cores on a card; cores that share a cache line are reported (E8), but which updates a card loses may differ from run to run.
#
# **Summary**
#
# - One launch: the same code, `get_block_num()` blocks, and only `get_block_idx()` differs.
# - Launch as many blocks as there are cores, not elements; beyond the cores it takes another round, beyond 65535 the launch fails.
# - The code decides which core works on what: the offset needs the number of the core (E1), the step has to be the length (E2), and somebody has to take the remainder (E3).
# - Check it on the map: nothing hatched, nothing red, parts of about the same length.

# %% key="about"
lab.progress()
