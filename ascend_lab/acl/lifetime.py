"""aclInit to aclFinalize: devices and contexts, and what is left over at the end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ascend_lab.acl import races
from ascend_lab.acl.codes import (
    ATTRIBUTE_AICORE,
    ATTRIBUTE_CUBE,
    ATTRIBUTE_VECTOR,
    RUN_MODE_HOST,
    Code,
)
from ascend_lab.acl.ledger import Context, Spot
from ascend_lab.acl.session import OWN, Session, call


class Lifetime:
    """Initialisation, devices, contexts, and errors."""

    def __init__(self, session: Session) -> None:
        self.session = session

    @call("aclInit", context=False)
    def init(self, config: str | None = None) -> Code:
        """aclInit: once, before everything else."""
        s = self.session
        if s.initialised is not None:
            s.report("J1", {}, variant="twice", related=((s.initialised, "makes"),))
            return s.fail("aclInit", Code.REPEAT_INITIALIZE, "the library is initialised already")
        if s.devices:
            first = next(spots[0] for spots in s.devices.values() if spots)
            s.report("J1", {"at": first.line}, variant="order", related=((first, "makes"),))
        s.initialised, s.finalised = s.spot, None
        return Code.SUCCESS

    @call("aclFinalize", context=False, releases=True)
    def finalize(self) -> Code:
        """aclFinalize: the last call."""
        s = self.session
        if s.finalised is not None:
            s.report("J2", {}, variant="twice", related=((s.finalised, "ends"),))
            return s.fail("aclFinalize", Code.REPEAT_FINALIZE, "the library is finalised already")
        if s.devices:
            self._end_device()
            self._leftovers()
            s.devices.clear()
        s.finalised, s.initialised = s.spot, None
        s.contexts.clear()
        s.context = None
        return Code.SUCCESS

    @call("aclrtSetDevice", context=False)
    def set_device(self, device: int) -> Code:
        """aclrtSetDevice: the default context and stream of the thread."""
        s = self.session
        if device != 0:
            reason = f"device {device} is not there: one device, number 0"
            return s.fail("aclrtSetDevice", Code.RT_INVALID_DEVICEID, reason)
        if s.strict and s.initialised is None and s.spot != OWN:
            s.report("J1", {}, variant="init", severity="note")
        s.devices.setdefault(device, []).append(s.spot)
        found = next((c for c in s.contexts.values() if c.implicit), None)
        s.context = found or self._make(device, implicit=True)
        s.finalised = s.reset = None
        return Code.SUCCESS

    @call("aclrtResetDevice", context=False, releases=True)
    def reset_device(self, device: int) -> Code:
        """aclrtResetDevice: the counterpart of aclrtSetDevice."""
        s = self.session
        if not s.devices.get(device):
            s.report("J2", {}, variant="unset")
            return s.fail("aclrtResetDevice", Code.RT_INVALID_DEVICEID, "the device was not set")
        s.devices[device].pop()
        if not s.devices[device]:
            del s.devices[device]
            self._end_device()
            self._leftovers()
            s.reset = s.spot
            s.contexts.clear()
            s.context = None
        return Code.SUCCESS

    @call("aclrtGetDevice", gives=1)
    def get_device(self) -> tuple[Code, int]:
        """aclrtGetDevice."""
        context = self.session.context
        return Code.SUCCESS, context.device if context is not None else 0

    @call("aclrtGetDeviceCount", context=False, gives=1)
    def get_device_count(self) -> tuple[Code, int]:
        """aclrtGetDeviceCount: one."""
        return Code.SUCCESS, 1

    @call("aclrtGetRunMode", context=False, gives=1)
    def get_run_mode(self) -> tuple[Code, int]:
        """aclrtGetRunMode: the program runs on the host."""
        return Code.SUCCESS, RUN_MODE_HOST

    @call("aclrtGetDeviceInfo", context=False, gives=1)
    def get_device_info(self, device: int, attribute: int) -> Code | tuple[Code, int]:
        """aclrtGetDeviceInfo: how many cores of a kind there are."""
        spec = self.session.device.spec
        known = {
            ATTRIBUTE_AICORE: spec.cube_cores,
            ATTRIBUTE_CUBE: spec.cube_cores,
            ATTRIBUTE_VECTOR: spec.vector_cores,
        }
        if attribute not in known:
            reason = f"attribute {attribute} is not modelled"
            return self.session.fail("aclrtGetDeviceInfo", Code.API_NOT_SUPPORT, reason)
        return Code.SUCCESS, known[attribute]

    def soc_name(self) -> str:
        """aclrtGetSocName."""
        return self.session.device.spec.name

    # --- contexts ----------------------------------------------------------------------------------

    def _make(self, device: int, implicit: bool) -> Context:
        s = self.session
        made = Context(s.handle(), device, s.spot, implicit)
        s.contexts[made.handle] = made
        return made

    @call("aclrtCreateContext", context=False, gives=1)
    def create_context(self, device: int) -> Code | tuple[Code, int]:
        """aclrtCreateContext: a context, which is the current one from now on."""
        s = self.session
        if device != 0:
            reason = f"device {device} is not there: one device, number 0"
            return s.fail("aclrtCreateContext", Code.RT_INVALID_DEVICEID, reason)
        s.context = self._make(device, implicit=False)
        return Code.SUCCESS, s.context.handle

    @call("aclrtDestroyContext", releases=True)
    def destroy_context(self, handle: int) -> Code:
        """aclrtDestroyContext."""
        s = self.session
        gone = s.contexts.get(handle)
        if gone is None or gone.implicit:
            reason = "no context of aclrtCreateContext"
            return s.fail("aclrtDestroyContext", Code.RT_PARAM_INVALID, reason)
        del s.contexts[handle]
        if s.context is gone:
            s.context = next((c for c in s.contexts.values() if c.implicit), None)
        for stream in s.streams.values():
            if stream.context == handle and s.context is not None:
                stream.context = s.context.handle
        return Code.SUCCESS

    @call("aclrtSetCurrentContext", context=False)
    def set_context(self, handle: int) -> Code:
        """aclrtSetCurrentContext."""
        s = self.session
        if handle not in s.contexts:
            reason = "the context does not exist"
            return s.fail("aclrtSetCurrentContext", Code.RT_CONTEXT_NULL, reason)
        s.context = s.contexts[handle]
        return Code.SUCCESS

    @call("aclrtGetCurrentContext", gives=1)
    def get_context(self) -> tuple[Code, int]:
        """aclrtGetCurrentContext."""
        context = self.session.context
        return Code.SUCCESS, context.handle if context is not None else 0

    # --- errors ------------------------------------------------------------------------------------

    @call("aclrtGetLastError", context=False, quiet=True, checked=False)
    def get_last_error(self, level: int = 0) -> Code:
        """aclrtGetLastError: the latest error; it is forgotten then."""
        s = self.session
        found, s.last, s.ignored = s.last, None, None
        return found.code if found is not None else Code.SUCCESS

    @call("aclrtPeekAtLastError", context=False, quiet=True, checked=False)
    def peek_at_last_error(self, level: int = 0) -> Code:
        """aclrtPeekAtLastError: the latest error."""
        last = self.session.last
        return last.code if last is not None else Code.SUCCESS

    def recent_message(self) -> str:
        """aclGetRecentErrMsg: what the latest error was, "" when there is none; asked for once."""
        s = self.session
        s.ignored = None
        found, s.message = s.message, ""
        return found

    # --- the end -----------------------------------------------------------------------------------

    def close(self) -> None:
        """The program has ended."""
        s = self.session
        s.spot = OWN
        if s.devices:
            races.unawaited(s)
        s.timeline.wait_for(list(s.timeline.streams))
        races.settle(s)
        if not s.devices:
            return
        first = next(spots[0] for spots in s.devices.values() if spots)
        self._leftovers()
        name = "aclrtResetDevice"
        s.report("J2", {"api": name}, variant="unended", spot=first, severity="note")

    def _end_device(self) -> None:
        s = self.session
        races.unawaited(s)
        s.timeline.wait_for(list(s.timeline.streams))
        races.settle(s)

    def _leftovers(self) -> None:
        """Blocks, streams, events and contexts that were never released."""
        s = self.session
        blocks = [b for b in s.ledger.living() if b.spot != OWN]
        if blocks:
            numbers = {"left": len(blocks), "made": s.ledger.count()}
            self._leak("blocks", numbers, blocks[0].spot)
        streams = [x for x in s.streams.values() if x.alive]
        if streams:
            self._leak(
                "handles", {"left": len(streams), "api": "aclrtCreateStream"}, streams[0].spot
            )
        if s.events:
            first = next(iter(s.events.values()))
            self._leak("handles", {"left": len(s.events), "api": "aclrtCreateEvent"}, first.spot)
        made = [c for c in s.contexts.values() if not c.implicit]
        if made:
            self._leak("handles", {"left": len(made), "api": "aclrtCreateContext"}, made[0].spot)
        for address, (_, spot) in list(s.pinned.items()):
            self._leak("handles", {"left": len(s.pinned), "api": "aclrtMallocHost"}, spot)
            s.pinned.pop(address)
            break

    def _leak(self, variant: str, numbers: Mapping[str, Any], spot: Spot) -> None:
        s = self.session
        s.report("J2", numbers, variant=variant, spot=spot, severity="note")
