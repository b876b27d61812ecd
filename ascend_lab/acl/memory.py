"""Memory of the device and of the host: allocation, memset."""

from __future__ import annotations

from ascend_lab.acl import judging, races
from ascend_lab.acl.codes import Code, Policy
from ascend_lab.acl.ledger import Block
from ascend_lab.acl.session import Session, call
from ascend_lab.acl.timeline import Task, Use
from ascend_lab.engine.errors import NotModelled

HUGE_PAGE, PAGE = 2 << 20, 4096
#: aclrtMalloc takes a huge page for more than this. Source: AscendCL API reference, aclrtMemMallocPolicy.
HUGE_FROM = 1 << 20
#: aclrtMalloc rounds what is asked for up to so many bytes (and gives as many more).
#: Source: cann-learning-hub: quick_start/first_operator_api_call/first_operator_api_call.ipynb, 3.4.
ROUNDED_TO = 32
MODEL_LIMIT = 8 << 30  # one block lies in this machine's memory


class Memory:
    """Memory of the device and of the host."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._zombies: list[Block] = []

    # --- allocation --------------------------------------------------------------------------------

    @call("aclrtMalloc", gives=1)
    def malloc(self, size: int, policy: int = 0) -> Code | tuple[Code, int]:
        """aclrtMalloc: device memory that nobody has written."""
        return self._malloc("aclrtMalloc", size, policy)

    @call("aclrtMallocAlign32", gives=1)
    def malloc_align32(self, size: int, policy: int = 0) -> Code | tuple[Code, int]:
        """aclrtMallocAlign32."""
        return self._malloc("aclrtMallocAlign32", size, policy)

    def _malloc(self, api: str, size: int, policy: int) -> Code | tuple[Code, int]:
        s = self.session
        self._sweep()
        if size <= 0:
            return s.fail(api, Code.INVALID_PARAM, "size is 0")
        if policy & 0xFF not in Policy.__members__.values():
            return s.fail(
                api, Code.INVALID_PARAM, f"policy {policy} is none of aclrtMemMallocPolicy"
            )
        held = _held(size, policy & 0xFF)
        total = s.device.spec.memory.gm_bytes
        if held + s.ledger.held() > total:
            free = total - s.ledger.held()
            reason = f"{size} B asked for, {free} B of {total} B are free"
            return s.fail(api, Code.RT_MEMORY_ALLOCATION, reason)
        if size > MODEL_LIMIT:
            raise NotModelled(api, f"size={size}")
        made = s.memory.alloc(f"gm{s.ledger.count()}", size, reserve=-size % ROUNDED_TO)
        s.ledger.add(Block(made, size, held, s.spot))
        return Code.SUCCESS, made.addr

    @call("aclrtFree", releases=True)
    def free(self, address: int) -> Code:
        """aclrtFree."""
        s = self.session
        block = s.ledger.find(address) if self.session.on_device(address) else None
        if block is None or block.addr != address:
            return self._foreign(address, block)
        if block.freed is not None:
            s.report(
                "J2", {"at": block.freed.line}, variant="again", related=((block.freed, "frees"),)
            )
            return s.fail("aclrtFree", Code.RT_PARAM_INVALID, "the block is freed already")
        races.releases(s, Use(block.addr, block.end, True))
        judging.block_ends(s, block)
        block.freed = s.spot
        self._zombies.append(block)
        self._sweep()
        return Code.SUCCESS

    def _foreign(self, address: int, block: Block | None) -> Code:
        s = self.session
        if address:
            inside = address - block.addr if block is not None else 0
            kind = "inside" if block is not None else "foreign"
            s.report("J2", {"offset": inside}, variant=kind)
        return s.fail("aclrtFree", Code.INVALID_PARAM, "not an address that aclrtMalloc gave")

    def _sweep(self) -> None:
        """Give back what is freed and no task uses any more."""
        kept = []
        for block in self._zombies:
            if self.session.timeline.uses(block.addr, block.end):
                kept.append(block)
            else:
                self.session.memory.free(block.addr)
        self._zombies = kept

    @call("aclrtMallocHost", gives=1)
    def malloc_host(self, size: int, made: int) -> Code | tuple[Code, int]:
        """aclrtMallocHost: ``made`` is the memory that the program's side has ready."""
        s = self.session
        if size <= 0 or not made:
            return s.fail("aclrtMallocHost", Code.INVALID_PARAM, "no size, or no memory")
        s.pinned[made] = (size, s.spot)
        return Code.SUCCESS, made

    @call("aclrtFreeHost", releases=True)
    def free_host(self, address: int) -> Code:
        """aclrtFreeHost."""
        s = self.session
        if address not in s.pinned:
            if address:
                s.report("J2", {"offset": 0}, variant="foreign_host")
            return s.fail("aclrtFreeHost", Code.INVALID_PARAM, "not an address of aclrtMallocHost")
        size, _ = s.pinned[address]
        if races.releases(s, Use(address, address + size, True)):
            s.timeline.wait_for(list(s.timeline.streams))  # its bytes go away: the copies end first
            s.timeline.host_clock = dict(s.timeline.host_clock)
        del s.pinned[address]
        return Code.SUCCESS

    @call("aclrtGetMemInfo", gives=2)
    def get_mem_info(self, attribute: int) -> tuple[Code, int, int]:
        """aclrtGetMemInfo: free and total bytes."""
        total = self.session.device.spec.memory.gm_bytes
        return Code.SUCCESS, total - self.session.ledger.held(), total

    # --- memset ------------------------------------------------------------------------------------

    @call("aclrtMemset")
    def memset(self, to: int, most: int, value: int, size: int) -> Code:
        """aclrtMemset: sets ``size`` bytes."""
        s = self.session
        block = self._fillable("aclrtMemset", to, most, value, size)
        if isinstance(block, Code):
            return block
        races.host_writes(s, Use(to, to + size, True))
        self._fill(block, to, value, size)
        s.timeline.spend(s.pace.fill_us(size))
        return Code.SUCCESS

    @call("aclrtMemsetAsync")
    def memset_async(self, to: int, most: int, value: int, size: int, stream: int) -> Code:
        """aclrtMemsetAsync."""
        s = self.session
        queue = s.stream("aclrtMemsetAsync", stream)
        if isinstance(queue, Code):
            return queue
        block = self._fillable("aclrtMemsetAsync", to, most, value, size)
        if isinstance(block, Code):
            return block
        task = Task("memset", "memset", queue, s.spot, (Use(to, to + size, True),))
        task.begin = lambda: s.pace.fill_us(size)
        task.finish = lambda: self._fill(block, to, value, size)
        s.timeline.enqueue(task)
        races.queued(s, task)
        return Code.SUCCESS

    def _fillable(self, api: str, to: int, most: int, value: int, size: int) -> Block | Code:
        s = self.session
        if size > most:
            s.report("J4", {"api": api, "count": size, "most": most}, variant="most")
            return s.fail(
                api, Code.RT_PARAM_INVALID, f"count {size} is larger than maxCount {most}"
            )
        block = block_of(s, api, to, size)
        if isinstance(block, Code):
            return block
        if block is None:
            return s.fail(api, Code.RT_PARAM_INVALID, "not memory of the device")
        if not -1 <= value <= 255:
            numbers = {"api": api, "value": value, "byte": value & 0xFF}
            s.report("J4", numbers, variant="byte", severity="note")
        block.touch("memset", to, to + size, s.spot)
        return block

    def _fill(self, block: Block, to: int, value: int, size: int) -> None:
        offset = to - block.addr
        block.allocation.contents()[offset : offset + size] = value & 0xFF


def block_of(s: Session, api: str, address: int, size: int) -> Block | Code | None:
    """The block a call touches; None for memory of the host."""
    if not s.on_device(address):
        return None
    block = s.ledger.find(address)
    if block is None:
        return s.fail(api, Code.RT_PARAM_INVALID, "not memory that aclrtMalloc gave")
    if block.freed is not None:
        numbers = {"api": api, "at": block.freed.line}
        s.report("J2", numbers, variant="used", related=((block.freed, "frees"),))
        return s.fail(api, Code.RT_PARAM_INVALID, "the memory was freed")
    if address + size > block.end:
        numbers = {"api": api, "count": size, "left": block.end - address, "name": block.said}
        s.report("J4", numbers, variant="beyond", related=((block.spot, "makes"),))
        reason = f"{size} B do not fit the {block.end - address} B of the block"
        return s.fail(api, Code.RT_PARAM_INVALID, reason)
    return block


def _held(size: int, policy: int) -> int:
    """Bytes that a block takes from the device."""
    normal = policy in (Policy.NORMAL_ONLY, Policy.NORMAL_ONLY_P2P)
    huge = not normal and (size > HUGE_FROM or policy in (Policy.HUGE_ONLY, Policy.HUGE_ONLY_P2P))
    page = HUGE_PAGE if huge else PAGE
    return -(-size // page) * page
