# Lab 04, both languages. `labs/build.py` makes labs/zh/04_moving_data.ipynb and labs/en/04_moving_data.ipynb of it.

# %% [markdown] key="title" lang="zh"
# # Lab 04 · 搬运数据：Copy 算子
#
# 把一段数据原样搬到另一处，在 CUDA 里是一行代码。在这里，数据要先进 UB 再出来，而搬运指令有自己的单位：32 字节。地址、长度、间隔，三者的规则各不相同，弄错了有的当场中止，有的一声不响。本实验先把规则一条条试出来，再写一个任意长度的 Copy，最后只靠搬运完成拼接和转置。
#
# 学完之后，你能够：
#
# - 说出 `data_copy` 和 `data_copy_pad` 各自对 UB 地址、GM 地址、长度的要求，以及违反时会发生什么；
# - 算出一次搬运移动多少字节、在 UB 里占多少字节、每行从哪里开始；
# - 写对 `DataCopyParams` 和 `DataCopyExtParams`：字段的顺序、单位、间隔和上限；
# - 让搬出的长度正好，不碰相邻的数据。
#
# 每一节的做法都一样：阅读，**先预测**，再运行，然后对照。计分的是三道任务（共 100 分）。队列的用法见 Lab 03。不需要 NPU，也不需要 CANN。全部做完大约 90 分钟。

# %% [markdown] key="title" lang="en"
# # Lab 04 · Moving data: the Copy operator
#
# To bring some data unchanged to another place is one line in CUDA. Here the data has to go into the UB and out again, and the instructions that move it have a unit of their own: 32 bytes. Addresses, lengths and gaps follow different rules; some mistakes stop the core at once, others say nothing at all. This lab tries the rules one by one, then you write a Copy for any length, and finally join and transpose matrices by copies alone.
#
# Afterwards you can
#
# - say what `data_copy` and `data_copy_pad` ask of a UB address, a GM address and a length, and what happens otherwise;
# - work out how many bytes a copy moves, how many it takes in the UB, and where each row starts;
# - fill in `DataCopyParams` and `DataCopyExtParams`: order, units, gaps and limits of their fields;
# - store exactly as much as you mean to, and nothing beside it.
#
# Every section works the same way: read, **predict**, run, compare. Three tasks are marked (100 points together). Queues are the subject of lab 03. You need no NPU and no CANN. Allow about 90 minutes.

# %% key="start"
import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, course, view

lab = course.start("04")

# %% [markdown] key="copy" lang="zh"
# ## 1 一进一出
#
# GM 到 GM 没有直接通路：**MTE2** 把一块数据（tile）搬入 UB，**MTE3** 再把它搬出。V 没有事做，所以不需要两个队列：`TQueBind` 的两端分别是 VECIN 和 VECOUT，搬入者 `enque`，搬出者 `deque`，用的是同一个缓冲区。

# %% [markdown] key="copy" lang="en"
# ## 1 In and out
#
# There is no path from GM to GM: **MTE2** brings a tile into the UB, **MTE3** takes it out. V has nothing to do, so two queues are not needed: a `TQueBind` has VECIN at one end and VECOUT at the other; who loads calls `enque`, who stores calls `deque`, and both use the same buffer.


# %% key="copy-run"
@asc.jit
def copy_32(x: asc.GlobalAddress, z: asc.GlobalAddress, length: int):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, length)
    z_gm.set_global_buffer(z, length)
    pipe = asc.TPipe()
    queue = asc.TQueBind(asc.TPosition.VECIN, asc.TPosition.VECOUT, 1)
    pipe.init_buffer(queue, 2, 1024 * x.dtype.sizeof())
    for tile in range(asc.get_block_idx(), length // 1024, asc.get_block_num()):
        start = tile * 1024
        local = queue.alloc_tensor(x.dtype)
        asc.data_copy(local, x_gm[start:], 1024)
        queue.enque(local)
        local = queue.deque(x.dtype)
        asc.data_copy(z_gm[start:], local, 1024)
        queue.free_tensor(local)


x = np.arange(8192, dtype=np.float32)
z = np.zeros_like(x)
copied = Device().launch(copy_32, 2, x, z, x.size)
print("equal:", np.array_equal(x, z))
view.dataflow(copied, lang=lab.lang)

# %% key="copy-memory"
view.memory(copied, lang=lab.lang)

# %% [markdown] key="copy-told" lang="zh"
# **看图。** 第一张图是一个 tile 的路径：每一步由谁执行、多少字节、从何时到何时。第二张图是一个核的 UB：从上到下是地址，从左到右是时间。两个缓冲区各 4096 字节，轮流被 MTE2 写、被 MTE3 读。`copy_32` 要求长度是 1024 的倍数；这一点稍后由你去掉。

# %% [markdown] key="copy-told" lang="en"
# **Look at the pictures.** The first is the way of one tile: who carried out each step, how many bytes, from when to when. The second is the UB of a core, addresses from top to bottom, time to the right. The two buffers of 4096 bytes each are written by MTE2 and read by MTE3 in turn. `copy_32` asks for a length that is a multiple of 1024; you will do away with that.

# %% [markdown] key="aligned" lang="zh"
# ## 2 对齐：32 字节
#
# ### 预测：哪一种“不对齐”会让核停下来？
#
# 一篇文章的速查表写着：“DataCopy 运行时崩溃——地址未按 32 字节对齐。”哪个地址？长度呢？下面的 `shifted` 从 `x_gm[gm:]` 搬 `count` 个 float32 到 `local[ub:]`，再搬出去。三次启动：
#
# 1. UB 地址错开 1 个元素（4 字节）；
# 2. 长度是 61 个元素（244 字节，不是 32 的倍数）；
# 3. GM 地址错开 1 个元素。
#
# 核会停在哪几次？
#
# - **A** 只有 1
# - **B** 只有 2
# - **C** 1 和 2
# - **D** 三次都会

# %% [markdown] key="aligned" lang="en"
# ## 2 Alignment: 32 bytes
#
# ### Predict: which kind of "unaligned" stops the core?
#
# A table in an article says: "DataCopy crashes at run time: the address is not aligned to 32 bytes." Which address? And the length? `shifted` below copies `count` float32 from `x_gm[gm:]` to `local[ub:]`, and out again. Three launches:
#
# 1. the UB address is off by one element (4 bytes);
# 2. the length is 61 elements (244 bytes, no multiple of 32);
# 3. the GM address is off by one element.
#
# In which of them does the core stop?
#
# - **A** only 1
# - **B** only 2
# - **C** 1 and 2
# - **D** all three

# %% key="aligned-predict"
lab.predict("04/aligned", None)


# %% key="aligned-run"
@asc.jit
def shifted(x: asc.GlobalAddress, z: asc.GlobalAddress, ub: int, gm: int, count: int):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    pipe = asc.TPipe()
    queue = asc.TQueBind(asc.TPosition.VECIN, asc.TPosition.VECOUT, 1)
    pipe.init_buffer(queue, 1, 512)
    local = queue.alloc_tensor(x.dtype)
    asc.data_copy(local[ub:], x_gm[gm:], count)
    queue.enque(local)
    local = queue.deque(x.dtype)
    asc.data_copy(z_gm, local[ub:], count)
    queue.free_tensor(local)


def run_shifted(name, ub, gm, count):
    x, z = np.arange(100, 200, dtype=np.float32), np.zeros(count, np.float32)
    result = Device().launch(shifted, 1, x, z, ub, gm, count)
    arrived = int(np.count_nonzero(z == x[gm : gm + count]))
    ids = ", ".join(dict.fromkeys(finding.id for finding in result.findings)) or "-"
    print(f"{name:10} {arrived:2} of {count} elements arrived   {ids}")
    return result, arrived


launches = {"UB address": (1, 0, 64), "length": (0, 0, 61), "GM address": (0, 1, 64)}
tried = {name: run_shifted(name, *how) for name, how in launches.items()}
stopped = [name for name, (_, arrived) in tried.items() if arrived == 0]
answers = {"A": ["UB address"], "B": ["length"], "C": ["UB address", "length"], "D": [*launches]}
lab.reveal("04/aligned", next(letter for letter, names in answers.items() if names == stopped))

# %% key="aligned-show"
lab.show(tried["UB address"][0])
lab.show(tried["length"][0])

# %% [markdown] key="aligned-told" lang="zh"
# 会停下来的只有 UB 地址（**A1**，卡上的日志写 ADDR_MISALIGN；矢量指令的操作数也一样，那是 **A5**）。长度不是 32 字节的倍数时不会崩溃，而是**向下取整**，剩下的悄悄不搬（**A2**）：结果前面都对，只有最后几个元素是旧的。比起崩溃，这更难发现。
#
# | | `data_copy` | `data_copy_pad` | 违反时 |
# |---|---|---|---|
# | UB 地址 | 32 字节的倍数 | 32 字节的倍数 | A1：中止 |
# | 长度 | 32 字节的整数倍，余下的不搬 | 任意字节数 | A2：不报错 |
# | GM 地址 | 元素大小的倍数 | 任意 | |
#
# 有人于是自己**向上取整**：搬入时多读一点，搬出时多写一点。多读通常无害（除非越过末尾，B3），多写就会盖住别人的数据（**A3**），写过末尾则是 B4。搬出必须正好，这就是 `data_copy_pad` 的用处（Ascend310P3 没有它，那里要用别的办法）。

# %% [markdown] key="aligned-told" lang="en"
# Only the UB address stops it (**A1**; the log of a card says ADDR_MISALIGN. Operands of vector instructions are under the same rule, that is **A5**). A length that is no multiple of 32 bytes does not crash: it is **rounded down**, and the rest is silently left out (**A2**). The result is right except for its last few elements, which are old. That is harder to notice than a crash.
#
# | | `data_copy` | `data_copy_pad` | otherwise |
# |---|---|---|---|
# | UB address | multiple of 32 bytes | multiple of 32 bytes | A1: the core stops |
# | length | whole 32 bytes, the rest is left out | any number of bytes | A2: no error |
# | GM address | multiple of the element size | any | |
#
# Some then round **up** by themselves and load or store a little more. To load more usually does no harm (unless it runs beyond the end, B3); to store more overwrites somebody else's data (**A3**), and beyond the end it is B4. A store has to be exact, which is what `data_copy_pad` is for (the Ascend310P3 has none and needs other means).

# %% [markdown] key="slot" lang="zh"
# ## 3 UB 里的行
#
# ### 预测：第 1 行从哪里开始？
#
# `data_copy_pad` 可以一次搬多段（block），例如矩阵的若干行：
#
# ```python
# # rows blocks of cols float32, and how each block is padded
# move = asc.DataCopyExtParams(rows, cols * 4, 0, 0, 0)
# pad = asc.DataCopyPadExtParams(x.dtype, is_pad, left, right, padding_value)
# asc.data_copy_pad(local, x_gm, move, pad)
# ```
#
# x 有 3 行，每行 5 个 float32（20 字节），在 GM 里首尾相接。搬入 UB 之后，第 1 行（从 0 数起）从 `local` 的第几个字节开始？
#
# - **A** 20：和 GM 里一样
# - **B** 24
# - **C** 32
# - **D** 不到 32 字节的 block 不合法，核停下来

# %% [markdown] key="slot" lang="en"
# ## 3 Rows in the UB
#
# ### Predict: where does row 1 start?
#
# `data_copy_pad` can move several blocks at once, such as the rows of a matrix:
#
# ```python
# # rows blocks of cols float32, and how each block is padded
# move = asc.DataCopyExtParams(rows, cols * 4, 0, 0, 0)
# pad = asc.DataCopyPadExtParams(x.dtype, is_pad, left, right, padding_value)
# asc.data_copy_pad(local, x_gm, move, pad)
# ```
#
# x has 3 rows of 5 float32 (20 bytes), which join in GM. In the UB, at which byte of `local` does row 1 (counted from 0) start?
#
# - **A** 20, as in GM
# - **B** 24
# - **C** 32
# - **D** a block of less than 32 bytes is illegal, and the core stops

# %% key="slot-predict"
lab.predict("04/slot", None)


# %% key="slot-run"
@asc.jit
def peek(x: asc.GlobalAddress, is_pad: asc.ConstExpr[bool], right: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECIN, 1)
    pipe.init_buffer(queue, 1, 96)
    local = queue.alloc_tensor(x.dtype)
    move = asc.DataCopyExtParams(3, 5 * x.dtype.sizeof(), 0, 0, 0)
    pad = asc.DataCopyPadExtParams(x.dtype, is_pad, 0, right, -1)
    asc.data_copy_pad(local, x_gm, move, pad)
    queue.enque(local)
    local = queue.deque(x.dtype)
    asc.dump_tensor(local, 0, 24)
    queue.free_tensor(local)


def in_ub(is_pad, right):
    result = Device().launch(peek, 1, np.arange(15, dtype=np.float32), is_pad, right)
    numbers = result.stdout.partition("[")[2].partition("]")[0].split(",")
    print(f"is_pad={is_pad}, right={right}")
    for byte in range(0, 96, 32):
        cells = numbers[byte // 4 : byte // 4 + 8]
        print(f"  byte {byte:2}:", " ".join(f"{float(cell):5.0f}" for cell in cells))
    return result, [float(number) for number in numbers]


_, numbers = in_ub(False, 0)
row_1 = 4 * numbers.index(5.0)
lab.reveal("04/slot", {20: "A", 24: "B", 32: "C"}.get(row_1, "D"))

# %% [markdown] key="slot-told" lang="zh"
# ![x 的三行在 GM 里首尾相接，在 UB 里每行各占 32 字节，后面是填充](pictures/04_slots.png)
#
# 每个 block 在 UB 里从 32 字节的整数倍开始，不足的部分有**填充**。搬出也是如此：UB 一侧每个 block 各占自己的位置，填充的字节不会写出去。谁以为 UB 里的行还是首尾相接的，第 0 行之后就全错位了（**A4**）。
#
# 填充什么由 `DataCopyPadExtParams` 决定：`is_pad=True` 时填 `padding_value`；`left` 和 `right` 以**元素**计，各不超过 32 字节。都为 0 时，填的是这一行的第一个元素，不要依赖它。再看三次：

# %% [markdown] key="slot-told" lang="en"
# ![The three rows of x join in GM; in the UB each has 32 bytes of its own, with filler behind it](pictures/04_slots.png)
#
# Each block starts at a multiple of 32 bytes in the UB, with **filler** behind it. A store works the same way: every block has its own place on the UB side, and the filler stays behind. Whoever takes the rows in the UB for joined has everything after row 0 in the wrong place (**A4**).
#
# What is filled in is decided by `DataCopyPadExtParams`: with `is_pad=True` it is `padding_value`; `left` and `right` count **elements**, at most 32 bytes each. With both 0 the filler is the first element of the row; do not rely on it. Three more looks:

# %% key="slot-pads"
in_ub(True, 3)
in_ub(False, 3)
in_bytes, _ = in_ub(True, 3 * 4)
lab.show(in_bytes)

# %% [markdown] key="pads-told" lang="zh"
# 第二次 `is_pad=False`，`right` 又不为 0：填充是随机值，模型里显示为 nan。第三次把 3 个元素写成了 12 个“字节”：**A8**，超出 32 字节的上限；每行因此占了 96 字节，缓冲区也放不下了（B2）。
#
# ## 4 间隔
#
# ### 预测：src_stride 写多少？
#
# 从 24 列的 float32 矩阵（每行 96 字节）里取前 8 列（32 字节），取 4 行。`DataCopyExtParams(4, 32, src_stride, 0, 0)` 的 `src_stride` 应当是多少？
#
# - **A** 96
# - **B** 64
# - **C** 16
# - **D** 2

# %% [markdown] key="pads-told" lang="en"
# The second has `is_pad=False` and a `right` other than 0: the filler is random, which the model shows as nan. The third gives 3 elements as 12 "bytes": **A8**, beyond the limit of 32 bytes; each row then takes 96 bytes, more than the buffer has room for (B2).
#
# ## 4 Gaps
#
# ### Predict: what is src_stride?
#
# Of a float32 matrix with 24 columns (96 bytes a row), take the first 8 columns (32 bytes) of 4 rows. What does `src_stride` have to be in `DataCopyExtParams(4, 32, src_stride, 0, 0)`?
#
# - **A** 96
# - **B** 64
# - **C** 16
# - **D** 2

# %% key="gap-predict"
lab.predict("04/gap", None)


# %% key="gap-run"
@asc.jit
def columns(x: asc.GlobalAddress, z: asc.GlobalAddress, src_stride: int):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    pipe = asc.TPipe()
    queue = asc.TQueBind(asc.TPosition.VECIN, asc.TPosition.VECOUT, 1)
    pipe.init_buffer(queue, 1, 128)
    local = queue.alloc_tensor(x.dtype)
    move = asc.DataCopyExtParams(4, 32, src_stride, 0, 0)
    pad = asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0)
    asc.data_copy_pad(local, x_gm, move, pad)
    queue.enque(local)
    local = queue.deque(x.dtype)
    asc.data_copy(z_gm, local, 32)
    queue.free_tensor(local)


# element = 100 * row + column
matrix = np.add.outer(100 * np.arange(8), np.arange(24)).astype(np.float32)
right = []
for letter, src_stride in {"A": 96, "B": 64, "C": 16, "D": 2}.items():
    z = np.zeros((4, 8), np.float32)
    Device().launch(columns, 1, matrix, z, src_stride)
    starts = " ".join(f"{value:5.1f}" for value in z[:, 0])
    print(f"{letter}  src_stride={src_stride:2}: the four blocks start with {starts}")
    if np.array_equal(z, matrix[:4, :8]):
        right.append(letter)
lab.reveal("04/gap", right[0])

# %% [markdown] key="gap-told" lang="zh"
# 它是**间隔**：从一个 block 的末尾到下一个的开头，不是行距（**A6**）。96 − 32 = 64。写成行距 96，每行就多错开 32 字节；写成元素数 16，取到的是第 0 行的后半；写成块数 2，第 1 行的开头甚至不在元素的边界上。四次都没有崩溃：读到的都是合法的地址。
#
# 两种参数的字段顺序相同，单位不同：
#
# | | `data_copy` + `DataCopyParams` | `data_copy_pad` + `DataCopyExtParams` |
# |---|---|---|
# | 1 `block_count` | ≤ 4095 | ≤ 4095 |
# | 2 `block_len` | 32 字节为单位，≤ 65 535 | **字节**，≤ 2 097 151 |
# | 3、4 `src_stride`、`dst_stride`，GM 一侧 | 32 字节为单位 | **字节** |
# | 3、4 `src_stride`、`dst_stride`，UB 一侧 | 32 字节为单位 | 32 字节为单位 |
#
# 再看两个常见的笔误：把 `block_count` 和 `block_len` 写反（**I7**），以及 `block_count` 超过 4095（**G7**）。

# %% [markdown] key="gap-told" lang="en"
# It is the **gap**: from the end of one block to the start of the next, not the pitch (**A6**). 96 − 32 = 64. With the pitch of 96 each row is off by another 32 bytes; with 16, counted in elements, the second block is the rest of row 0; with 2, counted in blocks of 32 bytes, it does not even start where an element does. None of the four crashed: all those addresses are legal.
#
# The two kinds of parameters have the same order of fields, and different units:
#
# | | `data_copy` + `DataCopyParams` | `data_copy_pad` + `DataCopyExtParams` |
# |---|---|---|
# | 1 `block_count` | ≤ 4095 | ≤ 4095 |
# | 2 `block_len` | in 32 bytes, ≤ 65 535 | in **bytes**, ≤ 2 097 151 |
# | 3, 4 `src_stride`, `dst_stride`, GM side | in 32 bytes | in **bytes** |
# | 3, 4 `src_stride`, `dst_stride`, UB side | in 32 bytes | in 32 bytes |
#
# Two more slips that are often seen: `block_count` and `block_len` exchanged (**I7**), and a `block_count` beyond 4095 (**G7**).


# %% key="fields-run"
@asc.jit
def blocks_of(x: asc.GlobalAddress, z: asc.GlobalAddress, count: int, length: int):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    pipe = asc.TPipe()
    queue = asc.TQueBind(asc.TPosition.VECIN, asc.TPosition.VECOUT, 1)
    pipe.init_buffer(queue, 1, count * length * 32)
    local = queue.alloc_tensor(x.dtype)
    asc.data_copy(local, x_gm, asc.DataCopyParams(count, length, 2, 0))
    queue.enque(local)
    local = queue.deque(x.dtype)
    asc.data_copy(z_gm, local, count * length * 8)
    queue.free_tensor(local)


for count, length in ((4, 1), (1, 4)):
    z = np.zeros((4, 8), np.float32)
    Device().launch(blocks_of, 1, matrix, z, count, length)
    starts = " ".join(f"{value:5.1f}" for value in z[:, 0])
    print(f"DataCopyParams({count}, {length}, 2, 0): {starts}")

many = np.zeros(5000 * 24, np.float32)
lab.show(Device().launch(blocks_of, 1, many, np.zeros(5000 * 8, np.float32), 5000, 1))

# %% [markdown] key="bytes-text" lang="zh"
# ## 5 任务 04/bytes（易，20 分）：预测搬运的字节数
#
# 不搬数据，只用公式回答。把下面的 8 个 `0` 换成由 `size`（一个元素的字节数）、`count`、`rows`、`cols`、`width` 组成的表达式（整数运算，除法用 `//`）。先在纸上用 133 个 float32 算一遍。
#
# | | 问题 |
# |---|---|
# | 0 | `asc.data_copy(local, x_gm, count)` 移动多少字节？ |
# | 1 | `data_copy_pad` 用一个 block 搬入 `count` 个元素，从 GM 读多少字节？ |
# | 2 | 这个 block 在 UB 里占多少字节？ |
# | 3 | 如果把搬出的长度向上取整到 32 字节，会多写多少字节？ |
# | 4 | `data_copy_pad` 搬入 `rows` 行、每行 `cols` 个元素（每行一个 block）：第 1 行从 UB 的第几个字节开始？ |
# | 5 | 这些行在 UB 里一共占多少字节？ |
# | 6 | 每行后面有几个填充元素？ |
# | 7 | 从每行 `width` 个元素的矩阵里取前 `cols` 列：`src_stride` 是多少？ |
#
# `set_value` 由标量单元写 UB；真正的核函数里不要这样逐个写数据。

# %% [markdown] key="bytes-text" lang="en"
# ## 5 Task 04/bytes (easy, 20 points): predict the bytes
#
# No data is moved; answer with formulas. Replace the eight `0` by expressions of `size` (the bytes of an element), `count`, `rows`, `cols` and `width` (in whole numbers, divide with `//`). Do it on paper for 133 float32 first.
#
# | | question |
# |---|---|
# | 0 | How many bytes does `asc.data_copy(local, x_gm, count)` move? |
# | 1 | `data_copy_pad` loads `count` elements as one block: how many bytes are read from GM? |
# | 2 | How many bytes does this block take in the UB? |
# | 3 | If you round the length of a store up to 32 bytes, how many bytes too many are written? |
# | 4 | `data_copy_pad` loads `rows` rows of `cols` elements, one block each: at which byte of the UB does row 1 start? |
# | 5 | How many bytes do these rows take in the UB? |
# | 6 | How many elements of filler are behind each row? |
# | 7 | The first `cols` columns are taken from a matrix with `width` elements a row: what is `src_stride`? |
#
# `set_value` lets the scalar unit write into the UB; a real kernel does not write its data that way.


# %% key="bytes" answer="04/bytes"
@asc.jit
def count_bytes(z: asc.GlobalAddress, size: int, count: int, rows: int, cols: int, width: int):
    z_gm = asc.GlobalTensor()
    z_gm.set_global_buffer(z, 8)
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(queue, 1, 8 * z.dtype.sizeof())
    answers = queue.alloc_tensor(z.dtype)

    answers.set_value(0, 0)
    answers.set_value(1, 0)
    answers.set_value(2, 0)
    answers.set_value(3, 0)
    answers.set_value(4, 0)
    answers.set_value(5, 0)
    answers.set_value(6, 0)
    answers.set_value(7, 0)

    queue.enque(answers)
    answers = queue.deque(z.dtype)
    asc.data_copy(z_gm, answers, 8)
    queue.free_tensor(answers)


# %% key="bytes-check"
lab.check("04/bytes", count_bytes)

# %% [markdown] key="copy-text" lang="zh"
# ## 6 任务 04/copy（中，35 分）：任意长度的 Copy
#
# `z[before : before + length] = x[0 : length]`。x 和 z 类型相同，可能是 1、2 或 4 字节；`length` 是任意正整数，`before` 是任意非负整数；核数由启动决定。z 里其余的元素都属于别人：**一个字节也不许动**。结果按字节比较。
#
# 从 `copy_32` 开始改。UB 一侧总是对齐的，不对齐的只是 GM 一侧。

# %% [markdown] key="copy-text" lang="en"
# ## 6 Task 04/copy (medium, 35 points): Copy of any length
#
# `z[before : before + length] = x[0 : length]`. x and z have the same type, of 1, 2 or 4 bytes; `length` is any positive number, `before` any number from 0 on; the launch decides the number of cores. All other elements of z are somebody else's: **not one byte of them may change**. The result is compared byte by byte.
#
# Start from `copy_32`. The UB side is always aligned; only the GM side is not.

# %% key="copy-any" answer="04/copy"
COPY_BYTES = 16384


@asc.jit
def copy_any(x: asc.GlobalAddress, z: asc.GlobalAddress, before: int, length: int):
    raise NotImplementedError


# %% key="copy-check"
lab.check("04/copy", copy_any)

# %% [markdown] key="join-text" lang="zh"
# ## 7 任务 04/join（难，45 分）：拼接与转置
#
# x 是 `rows × a` 的矩阵，y 是 `b × rows`，z 是 `rows × (a + b)`，都按行存放：
#
# $$z = [\,x \mid y^T\,]$$
#
# 即 z 的每一行左边是 x 的一行，右边是 y 的一列。类型是 float32 或 float16，形状任意；核数由启动决定。只用 `data_copy_pad`，不用计算，也不逐个元素搬：一次启动最多 400 条 `DataCopyPad`。
#
# - x 的部分是**带间隔的搬出**：z 的行比 x 的行长。
# - y 的部分是**转置**：y 的一行在 z 里是一列。想一想第 3 节：`block_len` 只有一个元素时，每个元素在 UB 里占多少字节？搬出时又可以隔多远？
# - 注意 UB 的大小：`JOIN_BYTES` 是一个缓冲区的字节数，行数多时要分几次。

# %% [markdown] key="join-text" lang="en"
# ## 7 Task 04/join (hard, 45 points): join and transpose
#
# x is a matrix of `rows × a`, y of `b × rows`, z of `rows × (a + b)`, all stored by rows:
#
# $$z = [\,x \mid y^T\,]$$
#
# Every row of z has a row of x on the left and a column of y on the right. The type is float32 or float16, the shape is anything; the launch decides the number of cores. Use `data_copy_pad` alone: no computing, and no element-by-element copies, since one launch may issue at most 400 `DataCopyPad`.
#
# - The part of x is a **store with gaps**: the rows of z are longer than those of x.
# - The part of y is a **transposition**: a row of y is a column of z. Think of section 3: when `block_len` is a single element, how many bytes does each element take in the UB? And how far apart can they be stored?
# - Mind the size of the UB: `JOIN_BYTES` are the bytes of one buffer; many rows take several rounds.

# %% key="join" answer="04/join"
JOIN_BYTES = 32768


@asc.jit
def join(
    x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, rows: int, a: int, b: int
):
    raise NotImplementedError


# %% key="join-check"
lab.check("04/join", join)

# %% [markdown] key="cost" lang="zh"
# ## 8 不对齐要付多少代价？
#
# ### 预测：哪一种最慢？
#
# 48 个核一起从 GM 搬入，总字节数相同：
#
# 1. 每行 512 字节；
# 2. 每行 128 字节；
# 3. 每行 512 字节，但行的起点都错开 4 字节。
#
# - **A** 一样快
# - **B** 2 最慢
# - **C** 3 最慢

# %% [markdown] key="cost" lang="en"
# ## 8 What does misalignment cost?
#
# ### Predict: which is slowest?
#
# 48 cores load from GM together, the same number of bytes each time:
#
# 1. rows of 512 bytes;
# 2. rows of 128 bytes;
# 3. rows of 512 bytes whose start is off by 4 bytes.
#
# - **A** all the same
# - **B** 2 is slowest
# - **C** 3 is slowest

# %% key="cost-predict"
lab.predict("04/cost", None)


# %% key="cost-run"
@asc.jit
def load(x: asc.GlobalAddress, start: int, rows: int, row_bytes: int):
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECIN, 1)
    pipe.init_buffer(queue, 2, 32768)
    move = asc.DataCopyExtParams(rows, row_bytes, row_bytes, 0, 0)
    pad = asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0)
    for tile in range(8):
        at = (asc.get_block_idx() * 8 + tile) * 65536 + start
        local = queue.alloc_tensor(x.dtype)
        asc.data_copy_pad(local, x_gm[at:], move, pad)
        queue.enque(local)
        local = queue.deque(x.dtype)
        queue.free_tensor(local)


def run_load(start, rows, row_bytes):
    x = np.zeros(48 * 8 * 65536 + 512, np.int8)
    return Device().launch(load, 48, x, start, rows, row_bytes).time_us


patterns = {"512 B": (0, 64, 512), "128 B": (0, 256, 128), "512 B, off by 4 B": (4, 64, 512)}
timed = {name: run_load(*how) for name, how in patterns.items()}
for name, time_us in timed.items():
    print(f"{name:18} {time_us:5.2f} us, {time_us / timed['512 B']:.2f} times")
slowest = max(timed, key=timed.get)
lab.reveal("04/cost", {"512 B": "A", "128 B": "B"}.get(slowest, "C"))

# %% [markdown] key="cost-told" lang="zh"
# GM 按 128 字节的行取数。一行数据的两端都落在这样的边界上时，取多少就是多少；否则模型按整个 512 字节的请求来取：512 字节晚 4 字节开始，就要两个请求。公开的 Atlas A2 实测（asc-devkit 的 `data_copy` 样例）里，起点错开的搬运只剩约 77% 的带宽，128 字节一行的约为 92%；后一项模型没有体现。
#
# 官方指南还建议 GM 地址尽量按 **512 字节**对齐：在 Atlas A2 上，同样的搬运量，32 字节对齐时带宽最低只有 512 字节对齐时的 70%。把上面的 4 换成 32 再试一次。Lab 09 再谈带宽。

# %% [markdown] key="cost-told" lang="en"
# GM is fetched in lines of 128 bytes. Where both ends of a row lie on such a boundary, what is asked for is what is fetched; elsewhere the model fetches whole requests of 512 bytes: 512 bytes that start 4 bytes late take two of them. In the measurements published for Atlas A2 (the `data_copy` sample of asc-devkit) rows that are off keep about 77 % of the bandwidth and rows of 128 bytes about 92 %; the latter the model does not show.
#
# The official guide also advises **512-byte** alignment of GM addresses: on Atlas A2, for the same amount of data, alignment to 32 bytes gave as little as 70 % of the bandwidth of alignment to 512. Put 32 in place of the 4 above and look again. Lab 09 returns to bandwidth.

# %% [markdown] key="hunt" lang="zh"
# ## 9 找错
#
# 三个核函数，各有一处错误，都与搬运有关。下面是使用者的描述。只读代码，不运行，写出编号和行号（行号是它所在单元格中的行；在 JupyterLab 中按 Shift+L 显示行号）。候选编号：A1、A2、A3、A4、A5、A6、A8。答完之后可以启动它们，看看模型怎么说。
#
# - **hunt_1**：窄行 ReLU。核函数在上板时直接报 507015，日志里有 ADDR_MISALIGN；输出还是启动前的内容。同样的代码在别的 shape 上曾经跑通过。
# - **hunt_2**：乘以 0.5，任意长度。单核时正确，多核时每一段的开头偶尔有几个元素不对，而且每次运行不一样；有时报 GM 越界。
# - **hunt_3**：把每行补零到 32 字节的整数倍。列数是某些值时结果正确，另一些值时行尾的数是乱的；编译没有问题。

# %% [markdown] key="hunt" lang="en"
# ## 9 Fault hunt
#
# Three kernels with one mistake each, all about copies. This is what their users report. Read the code, do not run it, and give the id and the line (counted in its cell; Shift+L shows line numbers in JupyterLab). The ids to choose from: A1, A2, A3, A4, A5, A6, A8. When you have answered, launch them and see what the model says.
#
# - **hunt_1**: ReLU of narrow rows. On the card the launch ends with 507015 and the log says ADDR_MISALIGN; the output is as it was before. With another shape the kernel once ran.
# - **hunt_2**: Half of everything, any length. Right on one core. On several, a few elements at the start of a part are sometimes wrong, and differ from run to run; now and then a GM access is out of range.
# - **hunt_3**: Rows filled up with zeros to whole 32 bytes. For some numbers of columns the result is right, for others the end of each row is garbage; it compiles without a word.

# %% key="hunt-1"
TILE_ROWS = 16
MAX_COLS = 128


@asc.jit
def hunt_1(x: asc.GlobalAddress, z: asc.GlobalAddress, rows: int, cols: int):
    size = x.dtype.sizeof()
    pitch = (cols * size + 31) // 32 * 32 // size
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, rows * cols)
    z_gm.set_global_buffer(z, rows * cols)
    pipe = asc.TPipe()
    in_queue = asc.TQue(asc.TPosition.VECIN, 1)
    out_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(in_queue, 2, TILE_ROWS * MAX_COLS * size)
    pipe.init_buffer(out_queue, 2, TILE_ROWS * MAX_COLS * size)

    tiles = (rows + TILE_ROWS - 1) // TILE_ROWS
    pad = asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0)
    for tile in range(asc.get_block_idx(), tiles, asc.get_block_num()):
        start = tile * TILE_ROWS
        left = rows - start
        count = TILE_ROWS if left > TILE_ROWS else left
        move = asc.DataCopyExtParams(count, cols * size, 0, 0, 0)
        x_local = in_queue.alloc_tensor(x.dtype)
        asc.data_copy_pad(x_local[7:], x_gm[start * cols :], move, pad)
        in_queue.enque(x_local)

        x_local = in_queue.deque(x.dtype)
        z_local = out_queue.alloc_tensor(z.dtype)
        asc.relu(z_local, x_local, count * pitch)
        out_queue.enque(z_local)
        in_queue.free_tensor(x_local)

        z_local = out_queue.deque(z.dtype)
        asc.data_copy_pad(z_gm[start * cols :], z_local, move)
        out_queue.free_tensor(z_local)


# %% key="hunt-2"
TILE_LENGTH = 1024


@asc.jit
def hunt_2(x: asc.GlobalAddress, z: asc.GlobalAddress, length: int):
    size = x.dtype.sizeof()
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, length)
    z_gm.set_global_buffer(z, length)
    pipe = asc.TPipe()
    in_queue = asc.TQue(asc.TPosition.VECIN, 1)
    out_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(in_queue, 2, TILE_LENGTH * size)
    pipe.init_buffer(out_queue, 2, TILE_LENGTH * size)

    pad = asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0)
    tiles = (length + TILE_LENGTH - 1) // TILE_LENGTH
    for tile in range(asc.get_block_idx(), tiles, asc.get_block_num()):
        start = tile * TILE_LENGTH
        left = length - start
        count = TILE_LENGTH if left > TILE_LENGTH else left
        move = asc.DataCopyExtParams(1, count * size, 0, 0, 0)
        x_local = in_queue.alloc_tensor(x.dtype)
        asc.data_copy_pad(x_local, x_gm[start:], move, pad)
        in_queue.enque(x_local)

        x_local = in_queue.deque(x.dtype)
        z_local = out_queue.alloc_tensor(z.dtype)
        asc.muls(z_local, x_local, 0.5, count)
        out_queue.enque(z_local)
        in_queue.free_tensor(x_local)

        z_local = out_queue.deque(z.dtype)
        asc.data_copy(z_gm[start:], z_local, (count * size + 31) // 32 * 32 // size)
        out_queue.free_tensor(z_local)


# %% key="hunt-3"
TILE_BYTES = 8192


@asc.jit
def hunt_3(x: asc.GlobalAddress, z: asc.GlobalAddress, rows: int, cols: int):
    size = x.dtype.sizeof()
    pitch = (cols * size + 31) // 32 * 32 // size
    missing = pitch - cols
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, rows * cols)
    z_gm.set_global_buffer(z, rows * pitch)
    pipe = asc.TPipe()
    queue = asc.TQueBind(asc.TPosition.VECIN, asc.TPosition.VECOUT, 1)
    pipe.init_buffer(queue, 2, TILE_BYTES)

    tile_rows = TILE_BYTES // (pitch * size)
    tiles = (rows + tile_rows - 1) // tile_rows
    pad = asc.DataCopyPadExtParams(x.dtype, True, 0, missing * size, 0)
    for tile in range(asc.get_block_idx(), tiles, asc.get_block_num()):
        start = tile * tile_rows
        left = rows - start
        count = tile_rows if left > tile_rows else left
        move = asc.DataCopyExtParams(count, cols * size, 0, 0, 0)
        local = queue.alloc_tensor(x.dtype)
        asc.data_copy_pad(local, x_gm[start * cols :], move, pad)
        queue.enque(local)
        local = queue.deque(x.dtype)
        asc.data_copy(z_gm[start * pitch :], local, count * pitch)
        queue.free_tensor(local)


# %% key="hunt-answers"
lab.hunt("04/hunt-1", {})
lab.hunt("04/hunt-2", {})
lab.hunt("04/hunt-3", {})

# %% [markdown] key="cpp" lang="zh"
# ## 10 C++ 里的 Copy
#
# 规则由硬件决定，与语言无关。下面是 Ascend C 的 Copy，5003 个 float32，4 个核（单元格由本机的 g++ 编译；没有编译器时会说明怎样安装，然后跳过）。先只用 `DataCopy`：编译没有警告，在卡上运行也没有报错。

# %% [markdown] key="cpp" lang="en"
# ## 10 Copy in C++
#
# The rules are the hardware's, whatever the language. Here is Copy in Ascend C: 5003 float32 on 4 cores (the g++ of your computer compiles these cells; without a compiler they say how to get one, and are left out). First with `DataCopy` alone: no warning when it is compiled, and no error on a card.


# %% key="cpp-run"
def run_copy_cpp(kernel, n=5003, blocks=4):
    x, z = np.arange(n, dtype=np.float32), np.full(n, np.nan, np.float32)
    result = Device().launch(kernel, blocks, x, z, n, outputs=["z"])
    print(f"{np.count_nonzero(z == x)} of {n} elements are right")
    return result


# %% key="cpp-blocks" ascendc="04_copy_blocks.asc"

# %% [markdown] key="cpp-pad" lang="zh"
# 最后一块有 907 个元素，3628 字节；`DataCopy` 向下取整到 3616 字节，进出各丢 3 个（A2）。换成 `DataCopyPad`：长度以字节计，GM 一侧不必对齐。

# %% [markdown] key="cpp-pad" lang="en"
# The last tile has 907 elements, 3628 bytes; `DataCopy` rounds them down to 3616, and 3 elements are lost on the way in and on the way out (A2). With `DataCopyPad` the length is in bytes, and the GM side needs no alignment:

# %% key="cpp-pad-run" ascendc="04_copy_any.asc"

# %% [markdown] key="counterpart" lang="zh"
# ## 11 官方对应内容
#
# - **asc-devkit** 的样例 `data_copy_pad_gm2ub_ub2gm`（在 `examples/01_simd_cpp_api/03_basic_api/00_data_movement`）：非对齐的搬入和搬出；`05_best_practices/04_memory_access/data_copy`：第 8 节那些带宽的实测。
# - **官方指南** “算子实践参考”中的“非对齐场景”，以及性能优化中的“GM 地址尽量 512B 对齐”。API 文档：DataCopy、DataCopyPad（GM 到 UB、UB 到 GM）。
# - **在卡上运行你的核函数**：把 `import ascend_lab.asc as asc` 换成 `import asc`，参数换成 NPU 上的 torch tensor，再用 `copy_any[8, rt.current_stream()](x, z, before, n)` 启动。`TQueBind` 在 Ascend C 里可以直接用；pyasc 的 `init_buffer` 目前只接受 TQue 和 TBuf，所以先换成一个 VECIN 和一个 VECOUT 的 `TQue`，中间用 `asc.data_copy` 从 UB 搬到 UB。
#
# **这个模型说明什么，不说明什么。** 每次搬运读写了哪些字节、在 UB 里落在哪里、哪些字节没有人写过，与卡上一致；错误的地址在卡上由硬件报告，措辞不同。带宽只区分上面三种情形，MTE2 和 MTE3 的忙碌时间只供参考。
#
# **小结**
#
# - UB 地址必须是 32 字节的倍数，否则停下（A1、A5）；`data_copy` 的长度向下取整，不报错（A2）；搬出不能向上取整（A3）。
# - 每个 block 在 UB 里从 32 字节的整数倍开始；行距变了，后面的计算也要跟着变（A4）。
# - 间隔从末尾算到开头；`data_copy_pad` 的 GM 一侧以字节计，UB 一侧以 32 字节计（A6、I7）；填充以元素计，不超过 32 字节（A8）；`block_count` 不超过 4095（G7）。

# %% [markdown] key="counterpart" lang="en"
# ## 11 The official counterpart
#
# - **asc-devkit**: the sample `data_copy_pad_gm2ub_ub2gm` (in `examples/01_simd_cpp_api/03_basic_api/00_data_movement`) loads and stores what is not aligned; `05_best_practices/04_memory_access/data_copy` holds the measurements behind section 8.
# - **Official guide**: the page on unaligned data in its chapter on vector programming, and among the performance hints the page on 512-byte alignment of GM addresses. API pages: DataCopy, DataCopyPad (GM to UB, UB to GM).
# - **Your kernel on a card**: replace `import ascend_lab.asc as asc` by `import asc`, pass torch tensors that live on the NPU, and launch with `copy_any[8, rt.current_stream()](x, z, before, n)`. Ascend C takes `TQueBind` as it is; pyasc's `init_buffer` takes only TQue and TBuf so far, so use one `TQue` at VECIN and one at VECOUT there, with `asc.data_copy` from UB to UB in between.
#
# **What this model shows and what it does not.** Which bytes a copy reads and writes, where they land in the UB, and which bytes nobody wrote is the same on a card; there the hardware reports a wrong address, in other words. The bandwidth distinguishes only the three cases above, and busy times of MTE2 and MTE3 are indicative.
#
# **Summary**
#
# - A UB address is a multiple of 32 bytes, or the core stops (A1, A5); the length of `data_copy` is rounded down without an error (A2); a store must not be rounded up (A3).
# - In the UB each block starts at a multiple of 32 bytes; what follows has to reckon with that pitch (A4).
# - A gap runs from end to start; `data_copy_pad` counts bytes on the GM side and 32 bytes on the UB side (A6, I7); padding counts elements, at most 32 bytes (A8); `block_count` is at most 4095 (G7).

# %% key="about"
lab.progress()
