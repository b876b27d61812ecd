# Lab 01, both languages. `labs/build.py` makes labs/zh/01_host_and_device.ipynb and labs/en/01_host_and_device.ipynb of it.

# %% [markdown] key="title" lang="zh"
# # Lab 01 · 主机和 Device：acl 运行时
#
# 核函数运行在 Device 上，数据和命令来自主机。中间这一层是 acl 运行时：申请 Device 内存、拷贝、启动、等待、释放。它的错误很少当场报出来：多数调用只返回一个没有人看的错误码，或者立即返回，而事情还没有做。
#
# 学完之后，你能够：
#
# - 按顺序写出一个主机程序的全部调用，并说出每一步需要什么；
# - 按字节计算大小，说清 `memset` 写的是什么；
# - 用 stream 让拷贝与计算重叠，并知道什么时候必须等待；
# - 区分“内存泄漏”和“页太大”两种内存不足。
#
# 每一节的做法都一样：阅读，**先预测**，再运行，然后对照。计分的是三道任务（共 100 分）。接口与 pyACL 同名；时间是模型里的时间。不需要 NPU，也不需要 CANN。大约 60 分钟。

# %% [markdown] key="title" lang="en"
# # Lab 01 · Host and device: the acl runtime
#
# A kernel runs on the device; its data and its orders come from the host. The layer between them is the acl runtime: it allocates device memory, copies, launches, waits and frees. Its mistakes rarely show where they are made: most calls return a code that nobody looks at, or return before anything has been done.
#
# Afterwards you can
#
# - write the calls of a host program in order, and say what each of them needs;
# - count in bytes, and say what `memset` writes;
# - let copies run beside kernels with streams, and know when to wait;
# - tell a leak from pages that are too large when memory runs out.
#
# Every section works the same way: read, **predict**, run, compare. Three tasks are marked (100 points together). The names are those of pyACL, times are the model's. You need no NPU and no CANN. Allow about 60 minutes.

# %% key="start"
import numpy as np

import ascend_lab.acl as acl
import ascend_lab.asc as asc
from ascend_lab import course

lab = course.start("01")

# %% [markdown] key="calls" lang="zh"
# ## 1 一个来回
#
# | 步骤 | pyACL | C | 撤销它的调用 |
# |---|---|---|---|
# | 初始化 | `acl.init()` | `aclInit` | `acl.finalize()` |
# | 选择 Device | `acl.rt.set_device(0)` | `aclrtSetDevice` | `acl.rt.reset_device(0)` |
# | Device 内存 | `acl.rt.malloc(字节数, 策略)` | `aclrtMalloc` | `acl.rt.free` |
# | 拷贝 | `acl.rt.memcpy(目的, 目的大小, 源, 字节数, kind)` | `aclrtMemcpy` | |
#
# kind：1 主机到 Device，2 Device 到主机，3 Device 内。每个调用都返回错误码，0 是成功；`malloc` 返回 `(指针, 错误码)`。
#
# ### 预测：memset 写了什么？
#
# `memset(device, 大小, 1, 大小)` 之后，把其中 4 个字节当作一个 int32 读回来，是多少？
#
# - **A** 1
# - **B** 0x01000000
# - **C** 0x01010101
# - **D** 没有定义

# %% [markdown] key="calls" lang="en"
# ## 1 There and back
#
# | step | pyACL | C | what undoes it |
# |---|---|---|---|
# | initialise | `acl.init()` | `aclInit` | `acl.finalize()` |
# | choose the device | `acl.rt.set_device(0)` | `aclrtSetDevice` | `acl.rt.reset_device(0)` |
# | device memory | `acl.rt.malloc(bytes, policy)` | `aclrtMalloc` | `acl.rt.free` |
# | copy | `acl.rt.memcpy(to, size there, from, bytes, kind)` | `aclrtMemcpy` | |
#
# kind: 1 host to device, 2 device to host, 3 within the device. Every call returns a code, 0 for success; `malloc` returns `(pointer, code)`.
#
# ### Predict: what does memset write?
#
# After `memset(device, size, 1, size)` four of the bytes are read back as an int32. What is it?
#
# - **A** 1
# - **B** 0x01000000
# - **C** 0x01010101
# - **D** undefined

# %% key="memset-predict"
lab.predict("01/memset", None)


# %% key="memset-run"
def set_ones():
    words = np.zeros(8, np.int32)
    acl.init()
    acl.rt.set_device(0)
    device, ret = acl.rt.malloc(words.nbytes, 0)
    acl.rt.memset(device, words.nbytes, 1, words.nbytes)
    acl.rt.memcpy(acl.util.numpy_to_ptr(words), words.nbytes, device, words.nbytes, 2)
    acl.rt.free(device)
    acl.rt.reset_device(0)
    acl.finalize()
    return words


word = int(lab.run_host(set_ones)[0])
print(f"0x{word:08x}")
lab.reveal("01/memset", {1: "A", 0x01000000: "B", 0x01010101: "C"}.get(word, "D"))

# %% [markdown] key="order-text" lang="zh"
# ## 2 任务 01/order（易，25 分）：调用顺序
#
# `round_trip` 应把 x 拷到 Device 再拷回来。调用一个不少，顺序却不对。改到没有任何检查结果（提示也算）。

# %% [markdown] key="order-text" lang="en"
# ## 2 Task 01/order (easy, 25 points): the order of the calls
#
# `round_trip` shall copy x to the device and back. All the calls are there, in the wrong order. Put them right, until nothing is found (notes count).


# %% key="order"
def round_trip(x):
    back = np.zeros_like(x)
    acl.rt.set_device(0)
    acl.init()
    acl.rt.memcpy(0, x.nbytes, acl.util.numpy_to_ptr(x), x.nbytes, 1)
    device, _ = acl.rt.malloc(x.nbytes, 0)
    acl.rt.reset_device(0)
    acl.rt.memcpy(acl.util.numpy_to_ptr(back), x.nbytes, device, x.nbytes, 2)
    acl.rt.free(device)
    acl.finalize()
    return back


# %% key="order-run"
print(lab.run_host(round_trip, np.arange(5, dtype=np.int32)))

# %% key="order-check"
lab.check("01/order", round_trip)

# %% [markdown] key="bytes-text" lang="zh"
# ## 3 任务 01/bytes（中，35 分）：字节，而不是元素
#
# `shift(x, value)` 应在 Device 上准备一块 2n 个 int32 的内存：前 n 个是 `value`，后 n 个是 x，然后整块取回。

# %% [markdown] key="bytes-text" lang="en"
# ## 3 Task 01/bytes (medium, 35 points): bytes, not elements
#
# `shift(x, value)` shall prepare 2n int32 on the device, n times `value` and behind them x, and fetch the whole block.


# %% key="bytes"
def shift(x, value):
    n = len(x)
    size = 2 * x.nbytes
    result = np.zeros(2 * n, np.int32)
    acl.init()
    acl.rt.set_device(0)
    device, _ = acl.rt.malloc(size, 0)
    acl.rt.memset(device, size, value, x.nbytes)
    acl.rt.memcpy(device + n, n, acl.util.numpy_to_ptr(x), n, 1)
    acl.rt.memcpy(acl.util.numpy_to_ptr(result), size, device, size, 2)
    acl.rt.free(device)
    acl.rt.reset_device(0)
    acl.finalize()
    return result


# %% key="bytes-run"
print(lab.run_host(shift, np.arange(4, dtype=np.int32), 3))

# %% key="bytes-check"
lab.check("01/bytes", shift)

# %% [markdown] key="async" lang="zh"
# ## 4 stream：立即返回
#
# 启动核函数、`memcpy_async` 都只是把任务放进 stream，立即返回。同一个 stream 里的任务依次执行，不同 stream 的任务可以同时执行：拷入、计算、拷出由不同的部件完成。`synchronize_stream` 才是等待。异步拷贝的主机内存要用 `malloc_host` 申请。
#
# ### 预测：读得太早
#
# 下面的程序把 Device 上的 7 异步拷进主机内存，紧接着读取，之后才同步。读到的是什么？
#
# - **A** 7：stream 是空的，拷贝马上就完成
# - **B** 原来的 0
# - **C** 程序在读取处等到拷贝完成，再得到 7

# %% [markdown] key="async" lang="en"
# ## 4 Streams: calls that return at once
#
# A launch and a `memcpy_async` only put a task into a stream and return. Tasks of one stream run one after the other; tasks of different streams may run at the same time, for copying in, computing and copying out are the work of different units. To wait is `synchronize_stream`. The host memory of an asynchronous copy comes from `malloc_host`.
#
# ### Predict: read too early
#
# This program copies a 7 from the device to host memory asynchronously, reads it right away, and synchronises after that. What does it read?
#
# - **A** 7: the stream is empty, so the copy is done immediately
# - **B** the old 0
# - **C** 7, for the program waits at the read until the copy is done

# %% key="async-predict"
lab.predict("01/early", None)


# %% key="async-run"
def too_early():
    acl.init()
    acl.rt.set_device(0)
    stream, _ = acl.rt.create_stream()
    host, _ = acl.rt.malloc_host(32)
    device, _ = acl.rt.malloc(32, 0)
    words = acl.util.ptr_to_numpy(host, (8,), 5)
    words[:] = 0
    acl.rt.memcpy(device, 32, acl.util.numpy_to_ptr(np.full(8, 7, np.int32)), 32, 1)
    acl.rt.memcpy_async(host, 32, device, 32, 2, stream)
    early = np.frombuffer(acl.util.ptr_to_bytes(host, 32), np.int32)[0]
    acl.rt.synchronize_stream(stream)
    late = np.frombuffer(acl.util.ptr_to_bytes(host, 32), np.int32)[0]
    acl.rt.free(device)
    acl.rt.free_host(host)
    acl.rt.destroy_stream(stream)
    acl.rt.reset_device(0)
    acl.finalize()
    return int(early), int(late)


early, late = lab.run_host(too_early)
print("before the wait:", early, " after it:", late)
lab.reveal("01/early", "B" if (early, late) == (0, 7) else "A")

# %% [markdown] key="overlap-text" lang="zh"
# ## 5 任务 01/overlap（难，40 分）：拷贝与计算重叠
#
# `stream_through` 把 4 MB 的 x 分成 4 块，每块拷入、计算（`work` 给每个元素加 16）、拷出。现在一块接一块，图上每个时刻只有一个部件在工作。用两个 stream 让它们重叠：整个程序在模型上不超过 450 us，没有检查结果，返回值正确。

# %% [markdown] key="overlap-text" lang="en"
# ## 5 Task 01/overlap (hard, 40 points): copies beside kernels
#
# `stream_through` cuts 4 MB of x into 4 chunks; each is copied in, computed (`work` adds 16 to every element) and copied out. Now it is one chunk after the other, and in the picture one unit works at a time. Let them overlap with two streams: at most 450 us on the model for the whole program, no findings, and the right result.


# %% key="work"
TILE = 8192
ROUNDS = 15


@asc.jit
def work(x: asc.GlobalAddress, z: asc.GlobalAddress, length: int):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    pipe = asc.TPipe()
    x_queue = asc.TQue(asc.TPosition.VECIN, 1)
    z_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(x_queue, 2, TILE * 4)
    pipe.init_buffer(z_queue, 2, TILE * 4)
    for tile in range(asc.get_block_idx(), length // TILE, asc.get_block_num()):
        x_local = x_queue.alloc_tensor(x.dtype)
        asc.data_copy(x_local, x_gm[tile * TILE :], TILE)
        x_queue.enque(x_local)
        x_local = x_queue.deque(x.dtype)
        z_local = z_queue.alloc_tensor(z.dtype)
        asc.adds(z_local, x_local, 1.0, TILE)
        for _ in range(ROUNDS):
            asc.adds(z_local, z_local, 1.0, TILE)
        z_queue.enque(z_local)
        x_queue.free_tensor(x_local)
        z_local = z_queue.deque(z.dtype)
        asc.data_copy(z_gm[tile * TILE :], z_local, TILE)
        z_queue.free_tensor(z_local)


# %% key="overlap"
CHUNKS = 4


def stream_through(x, work):
    n = len(x) // CHUNKS
    size = n * x.itemsize
    acl.init()
    acl.rt.set_device(0)
    stream, _ = acl.rt.create_stream()
    host_in, _ = acl.rt.malloc_host(x.nbytes)
    host_out, _ = acl.rt.malloc_host(x.nbytes)
    acl.util.ptr_to_numpy(host_in, (len(x),), 11)[:] = x
    dev_in, _ = acl.rt.malloc(size, 0)
    dev_out, _ = acl.rt.malloc(size, 0)
    for chunk in range(CHUNKS):
        at = chunk * size
        acl.rt.memcpy_async(dev_in, size, host_in + at, size, 1, stream)
        work[1, stream](acl.typed(dev_in, np.float32), acl.typed(dev_out, np.float32), n)
        acl.rt.memcpy_async(host_out + at, size, dev_out, size, 2, stream)
        acl.rt.synchronize_stream(stream)
    result = acl.util.ptr_to_numpy(host_out, (len(x),), 11).copy()
    acl.rt.free(dev_in)
    acl.rt.free(dev_out)
    acl.rt.free_host(host_in)
    acl.rt.free_host(host_out)
    acl.rt.destroy_stream(stream)
    acl.rt.reset_device(0)
    acl.finalize()
    return result


# %% key="overlap-run"
ramp = np.arange(1 << 20, dtype=np.float32)
result = lab.run_host(stream_through, ramp, work)
print("right:", np.array_equal(result, ramp + 16))

# %% key="overlap-check"
lab.check("01/overlap", stream_through)

# %% [markdown] key="memory" lang="zh"
# ## 6 内存不足，可是看起来还够
#
# 一篇文章的速查表把它归因于“碎片化，或内存没有释放”。两种原因看 `get_mem_info` 就能分开：泄漏会越跑越少；而页的浪费在释放之后全部回来。`malloc` 的策略 1 只用大页（2 MB），策略 2 用普通页。
#
# ### 预测
#
# 用策略 1 申请 64 块，每块 1 KB。Device 的空闲内存减少多少？
#
# - **A** 64 KB
# - **B** 2 MB
# - **C** 128 MB

# %% [markdown] key="memory" lang="en"
# ## 6 Out of memory, though there seems to be enough
#
# An article's table of symptoms puts this down to "fragmentation, or memory that was not released". `get_mem_info` tells the two apart: with a leak there is less after every round; what pages waste comes back when they are freed. Policy 1 of `malloc` takes large pages (2 MB) only, policy 2 normal ones.
#
# ### Predict
#
# 64 blocks of 1 KB each are allocated with policy 1. How much less free memory has the device?
#
# - **A** 64 KB
# - **B** 2 MB
# - **C** 128 MB

# %% key="memory-predict"
lab.predict("01/pages", None)


# %% key="memory-run"
def free_kb():
    return acl.rt.get_mem_info(0)[0] >> 10


def allocate(policy, rounds, forget):
    acl.init()
    acl.rt.set_device(0)
    before, seen = free_kb(), []
    for _ in range(rounds):
        blocks = [acl.rt.malloc(1024, policy)[0] for _ in range(64)]
        seen.append(before - free_kb())
        for block in blocks[forget:]:
            acl.rt.free(block)
    print(f"policy {policy}, KB in use in each round: {seen}, at the end: {before - free_kb()}")
    acl.rt.reset_device(0)
    acl.finalize()
    return seen[0]


huge = lab.run_host(allocate, 1, 3, 0)
lab.run_host(allocate, 2, 3, 0)
lab.run_host(allocate, 1, 3, 8)
lab.reveal("01/pages", {64: "A", 2048: "B", 131072: "C"}[huge])

# %% [markdown] key="memory-told" lang="zh"
# 前两次每轮一样，释放之后归零：只是页的大小。第三次每轮忘记释放 8 块，数字一轮比一轮大，这才是泄漏，检查结果指出第一块是在哪一行申请的。小块内存应合并成一块大的，自己切分。（模型按页计算占用；地址空间的碎片在这里不会出现，因为页可以映射到任何地址。）

# %% [markdown] key="memory-told" lang="en"
# The first two are alike in every round and end at zero: that is the size of pages. The third forgets 8 blocks a round, and the figure grows from round to round. That is a leak, and the finding says in which line the first of them was allocated. Put small pieces into one large block and divide it yourself. (The model counts pages; address space does not fragment here, for a page can be mapped at any address.)

# %% [markdown] key="hunt" lang="zh"
# ## 7 找错
#
# 三个主机程序，各有一处错误。只读代码，不运行，写出编号和行号（所在单元格中的行；JupyterLab 中按 Shift+L 显示）。答完之后用 `lab.run_host(hunt_1, ramp, work)` 等运行，看看模型怎么说。
#
# | 编号 | 问题 |
# |---|---|
# | J1 | 初始化的顺序 |
# | J3 | 拷贝方向与指针不符 |
# | J4 | 字节数写成了元素个数 |
# | J5 | 没有等待就读取结果 |
# | J11 | 还在使用的内存被释放 |

# %% [markdown] key="hunt" lang="en"
# ## 7 Fault hunt
#
# Three host programs with one mistake each. Read the code, do not run it, and give the id and the line (counted in its cell; Shift+L shows line numbers in JupyterLab). When you have answered, run them with `lab.run_host(hunt_1, ramp, work)` and so on, and see what the model says.
#
# | id | problem |
# |---|---|
# | J1 | the order of initialisation |
# | J3 | the direction of a copy does not match its pointers |
# | J4 | elements counted instead of bytes |
# | J5 | a result is read before anyone has waited |
# | J11 | memory in use is freed |


# %% key="hunt-1"
def hunt_1(x, work):
    acl.init()
    acl.rt.set_device(0)
    stream, _ = acl.rt.create_stream()
    host, _ = acl.rt.malloc_host(x.nbytes)
    source, _ = acl.rt.malloc(x.nbytes, 0)
    target, _ = acl.rt.malloc(x.nbytes, 0)
    acl.rt.memcpy(source, x.nbytes, acl.util.numpy_to_ptr(x), x.nbytes, 1)
    work[1, stream](acl.typed(source, np.float32), acl.typed(target, np.float32), len(x))
    acl.rt.memcpy_async(host, x.nbytes, target, x.nbytes, 2, stream)
    result = np.frombuffer(acl.util.ptr_to_bytes(host, x.nbytes), np.float32)
    acl.rt.synchronize_stream(stream)
    acl.rt.free(source)
    acl.rt.free(target)
    acl.rt.free_host(host)
    acl.rt.destroy_stream(stream)
    acl.rt.reset_device(0)
    acl.finalize()
    return result


# %% key="hunt-2"
def hunt_2(x):
    back = np.zeros_like(x)
    acl.init()
    acl.rt.set_device(0)
    device, _ = acl.rt.malloc(x.nbytes, 0)
    acl.rt.memcpy(device, x.nbytes, acl.util.numpy_to_ptr(x), x.nbytes, 2)
    acl.rt.memcpy(acl.util.numpy_to_ptr(back), x.nbytes, device, x.nbytes, 2)
    acl.rt.free(device)
    acl.rt.reset_device(0)
    acl.finalize()
    return back


# %% key="hunt-3"
def hunt_3(x, work):
    back = np.zeros_like(x)
    acl.init()
    acl.rt.set_device(0)
    stream, _ = acl.rt.create_stream()
    source, _ = acl.rt.malloc(x.nbytes, 0)
    target, _ = acl.rt.malloc(x.nbytes, 0)
    acl.rt.memcpy(source, x.nbytes, acl.util.numpy_to_ptr(x), x.nbytes, 1)
    work[1, stream](acl.typed(source, np.float32), acl.typed(target, np.float32), len(x))
    acl.rt.free(source)
    acl.rt.synchronize_stream(stream)
    acl.rt.memcpy(acl.util.numpy_to_ptr(back), x.nbytes, target, x.nbytes, 2)
    acl.rt.free(target)
    acl.rt.destroy_stream(stream)
    acl.rt.reset_device(0)
    acl.finalize()
    return back


# %% key="hunt-answers"
lab.hunt("01/hunt-1", {})
lab.hunt("01/hunt-2", {})
lab.hunt("01/hunt-3", {})

# %% [markdown] key="cpp" lang="zh"
# ## 8 同一个程序，用 C++ 写
#
# 一篇文章（第 2.3 节）用这个程序验证环境。先照原文运行；没有 C++ 编译器时，这些单元会说明怎样安装，然后跳过。

# %% [markdown] key="cpp" lang="en"
# ## 8 The same program in C++
#
# An article (its section 2.3) tries its environment with this program. First as it is printed; without a C++ compiler these cells say how to get one, and are left out.

# %% key="cpp-seed" ascendc="01_round_trip.asc" tags=["nbval-ignore-output"]

# %% [markdown] key="cpp-seed-2" lang="zh"
# 原文编译不过：`aclrtMalloc` 要写回指针，需要 `&devPtr`；`delete[]` 一个 `void*` 也没有定义。改好这两处，就能打印 1：

# %% [markdown] key="cpp-seed-2" lang="en"
# As printed it does not compile: `aclrtMalloc` hands a pointer back and needs `&devPtr`, and `delete[]` of a `void*` is undefined. With both repaired it prints 1:

# %% key="cpp-seed-2-run" ascendc="01_round_trip_2.asc"

# %% [markdown] key="counterpart" lang="zh"
# ## 9 官方对应内容
#
# - **asc-devkit** 编程指南中的“异构系统与编程模型”和“异步执行”；**官方课程**第 3 章 3.03 的 aclnn 调用，主机代码就是这里的顺序。
# - **pyACL** 的函数名、参数和返回值与这里相同；在卡上把 `import ascend_lab.acl as acl` 换成 `import acl`，启动核函数的写法换成 pyasc 或 `<<<>>>`。
#
# **这个模型说明什么，不说明什么。** 任务的先后、谁等谁、每个调用的返回值，与卡上一致；拷贝和启动的微秒数是假定的速率，只用来比较。
#
# **小结**
#
# - init、set_device、malloc、memcpy、启动、synchronize、free、reset_device、finalize：建立和撤销成对，顺序相反。
# - 大小都是字节；memset 设的是每个字节。
# - 异步调用立即返回；读结果、改源数据、释放内存之前，都要先等待。
# - 每个调用的返回值都要看：第一个错误才是原因。

# %% [markdown] key="counterpart" lang="en"
# ## 9 The official counterpart
#
# - **asc-devkit**: the guide's pages on the heterogeneous system and on asynchronous execution. **Official course**, chapter 3, 3.03: the call of aclnn, whose host code has the order of this lab.
# - **pyACL** has the same names, parameters and results. On a card replace `import ascend_lab.acl as acl` by `import acl`, and launch kernels as pyasc or `<<<>>>` does.
#
# **What this model shows and what it does not.** The order of tasks, who waits for whom, and what each call returns are as on a card. The microseconds of copies and launches come from assumed rates and are there for comparison only.
#
# **Summary**
#
# - init, set_device, malloc, memcpy, launch, synchronize, free, reset_device, finalize: what is set up is taken down in the opposite order.
# - Sizes are bytes, and memset sets each byte.
# - Asynchronous calls return at once; wait before you read a result, change a source, or free memory.
# - Look at what every call returns: the first error is the cause.

# %% key="about"
lab.progress()
