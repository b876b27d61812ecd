"""Streams, events and callbacks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ascend_lab.acl import races
from ascend_lab.acl.codes import Code
from ascend_lab.acl.session import Session, call
from ascend_lab.acl.timeline import FOREVER, Event, Stream, Task

EVENT_TIME_LINE, EVENT_SYNC = 0x8, 0x1


class Streams:
    """Streams, events and callbacks."""

    def __init__(self, session: Session) -> None:
        self.session = session

    @call("aclrtCreateStream", gives=1)
    def create(self) -> tuple[Code, int]:
        """aclrtCreateStream."""
        s = self.session
        handle = s.handle()
        key = s.context.handle if s.context is not None else 0
        s.streams[handle] = s.timeline.create(handle, key, s.spot)
        return Code.SUCCESS, handle

    def create_with_config(self, priority: int = 0, flag: int = 0) -> Any:
        """aclrtCreateStreamWithConfig; priority and flag change nothing here."""
        return self.create()

    @call("aclrtDestroyStream", releases=True)
    def destroy(self, handle: int) -> Code:
        """aclrtDestroyStream: waits for what the stream still has to do."""
        return self._destroy("aclrtDestroyStream", handle, force=False)

    @call("aclrtDestroyStreamForce", releases=True)
    def destroy_force(self, handle: int) -> Code:
        """aclrtDestroyStreamForce: what has not started never will."""
        return self._destroy("aclrtDestroyStreamForce", handle, force=True)

    def _destroy(self, api: str, handle: int, force: bool) -> Code:
        s = self.session
        stream = s.stream(api, handle)
        if isinstance(stream, Code):
            if s.streams.get(handle) is not None:
                s.report("J2", {"api": api}, variant="destroyed")
            return stream
        if handle == 0:
            return s.fail(api, Code.RT_PARAM_INVALID, "the default stream cannot be destroyed")
        pending = [
            t for t in s.timeline.live if t.stream is stream and not t.before(s.timeline.host_clock)
        ]
        if pending and not force and pending[-1].serial not in s.blamed:
            s.blamed.add(pending[-1].serial)
            numbers = {"task": races.said(pending[-1]), "at": pending[-1].spot.line}
            s.report("J2", numbers, variant="busy", related=((pending[-1].spot, "queues"),))
        if force:
            s.timeline.drop(stream)
        # The tasks end before it goes; the program has still not waited for their results.
        clock = dict(s.timeline.host_clock)
        s.timeline.wait_for([stream])
        s.timeline.host_clock = clock
        s.timeline.live = list({*s.timeline.live, *pending}) if pending else s.timeline.live
        s.timeline.live.sort(key=lambda t: t.serial)
        stream.alive = False
        return Code.SUCCESS

    @call("aclrtSynchronizeStream", quiet=True)
    def synchronize(self, handle: int = 0) -> Code:
        """aclrtSynchronizeStream: the host waits until the stream has nothing to do."""
        return self._synchronize("aclrtSynchronizeStream", handle, FOREVER)

    @call("aclrtSynchronizeStreamWithTimeout", quiet=True)
    def synchronize_with_timeout(self, handle: int, timeout_ms: int) -> Code:
        """aclrtSynchronizeStreamWithTimeout; -1 waits for ever."""
        limit = FOREVER if timeout_ms < 0 else timeout_ms * 1000.0
        return self._synchronize("aclrtSynchronizeStreamWithTimeout", handle, limit)

    @call("aclrtSynchronizeDevice", quiet=True)
    def synchronize_device(self) -> Code:
        """aclrtSynchronizeDevice: the host waits for every stream."""
        return self._wait("aclrtSynchronizeDevice", list(self.session.timeline.streams), FOREVER)

    @call("aclrtSynchronizeDeviceWithTimeout", quiet=True)
    def synchronize_device_with_timeout(self, timeout_ms: int) -> Code:
        """aclrtSynchronizeDeviceWithTimeout; -1 waits for ever."""
        limit = FOREVER if timeout_ms < 0 else timeout_ms * 1000.0
        everything = list(self.session.timeline.streams)
        return self._wait("aclrtSynchronizeDeviceWithTimeout", everything, limit)

    def _synchronize(self, api: str, handle: int, limit: float) -> Code:
        stream = self.session.stream(api, handle)
        return stream if isinstance(stream, Code) else self._wait(api, [stream], limit)

    def _wait(self, api: str, streams: list[Stream], limit: float) -> Code:
        s = self.session
        whole = s.timeline.wait_for(streams, limit)
        races.settle(s)
        if not whole:
            return s.fail(api, Code.RT_STREAM_SYNC_TIMEOUT, "the stream is not empty in time")
        failed = next((stream.error for stream in streams if stream.error), 0)
        if failed:
            return s.fail(api, Code(failed), "a kernel of the stream ended with an exception")
        return Code.SUCCESS

    @call("aclrtStreamQuery", gives=1, quiet=True)
    def query(self, handle: int) -> Code | tuple[Code, int]:
        """aclrtStreamQuery: 0 complete, 1 not yet."""
        stream = self.session.stream("aclrtStreamQuery", handle)
        if isinstance(stream, Code):
            return stream
        return Code.SUCCESS, int(stream.busy)

    # --- events ------------------------------------------------------------------------------------

    def _enqueue(self, api: str, handle: int, kind: str, **fields: Any) -> Code | Task:
        s = self.session
        stream = s.stream(api, handle)
        if isinstance(stream, Code):
            return stream
        task = Task(kind, api, stream, s.spot, **fields)
        s.timeline.enqueue(task)
        return task

    @call("aclrtCreateEvent", gives=1)
    def create_event(self) -> tuple[Code, int]:
        """aclrtCreateEvent."""
        return self._event(timed=True)

    @call("aclrtCreateEventWithFlag", gives=1)
    def create_event_with_flag(self, flag: int) -> tuple[Code, int]:
        """aclrtCreateEventWithFlag: only ACL_EVENT_TIME_LINE keeps a time."""
        return self._event(timed=bool(flag & EVENT_TIME_LINE))

    def _event(self, timed: bool) -> tuple[Code, int]:
        s = self.session
        handle = s.handle()
        s.events[handle] = Event(handle, s.spot, timed)
        return Code.SUCCESS, handle

    def _known(self, api: str, handle: int) -> Event | Code:
        found = self.session.events.get(handle)
        if found is None:
            return self.session.fail(api, Code.RT_PARAM_INVALID, "the event does not exist")
        return found

    @call("aclrtDestroyEvent", releases=True)
    def destroy_event(self, handle: int) -> Code:
        """aclrtDestroyEvent."""
        found = self._known("aclrtDestroyEvent", handle)
        if isinstance(found, Code):
            return found
        del self.session.events[handle]
        return Code.SUCCESS

    @call("aclrtRecordEvent")
    def record_event(self, handle: int, stream: int) -> Code:
        """aclrtRecordEvent: the event is complete when the stream has come to it."""
        found = self._known("aclrtRecordEvent", handle)
        if isinstance(found, Code):
            return found
        task = self._enqueue("aclrtRecordEvent", stream, "record")
        if isinstance(task, Code):
            return task
        found.record = task
        return Code.SUCCESS

    @call("aclrtResetEvent")
    def reset_event(self, handle: int, stream: int) -> Code:
        """aclrtResetEvent."""
        found = self._known("aclrtResetEvent", handle)
        if isinstance(found, Code):
            return found
        found.record = None
        return Code.SUCCESS

    @call("aclrtStreamWaitEvent")
    def wait_event(self, stream: int, handle: int) -> Code:
        """aclrtStreamWaitEvent: later tasks of the stream wait for the latest record of the event."""
        found = self._known("aclrtStreamWaitEvent", handle)
        if isinstance(found, Code):
            return found
        task = self._enqueue("aclrtStreamWaitEvent", stream, "wait", after=found.record)
        return task if isinstance(task, Code) else Code.SUCCESS

    @call("aclrtQueryEventStatus", gives=1, quiet=True)
    def query_event(self, handle: int) -> Code | tuple[Code, int]:
        """aclrtQueryEventStatus: 1 complete, 0 not yet."""
        found = self._known("aclrtQueryEventStatus", handle)
        if isinstance(found, Code):
            return found
        return Code.SUCCESS, int(found.record is None or found.record.done)

    @call("aclrtSynchronizeEvent", quiet=True)
    def synchronize_event(self, handle: int) -> Code:
        """aclrtSynchronizeEvent: the host waits for the event."""
        s = self.session
        found = self._known("aclrtSynchronizeEvent", handle)
        if isinstance(found, Code):
            return found
        if found.record is not None:
            s.timeline.wait_for_task(found.record)
            races.settle(s)
            if found.record.stream.error:
                reason = "a kernel of the stream ended with an exception"
                return s.fail("aclrtSynchronizeEvent", Code(found.record.stream.error), reason)
        return Code.SUCCESS

    @call("aclrtEventElapsedTime", gives=1, quiet=True)
    def elapsed(self, start: int, end: int) -> Code | tuple[Code, float]:
        """aclrtEventElapsedTime: milliseconds of simulated time between two events that are complete."""
        api = "aclrtEventElapsedTime"
        times = []
        for handle in (start, end):
            event = self._known(api, handle)
            if isinstance(event, Code):
                return event
            if event.record is None or not event.record.done or not event.timed:
                reason = "an event has no time: not recorded, not complete, or without ACL_EVENT_TIME_LINE"
                return self.session.fail(api, Code.RT_EVENT_TIMESTAMP_INVALID, reason)
            times.append(event.record.end)
        if times[1] < times[0]:
            reason = "the second event was recorded before the first"
            return self.session.fail(api, Code.RT_EVENT_TIMESTAMP_REVERSAL, reason)
        return Code.SUCCESS, (times[1] - times[0]) / 1e3

    # --- callbacks ---------------------------------------------------------------------------------

    @call("aclrtSubscribeReport")
    def subscribe(self, thread: int, handle: int) -> Code:
        """aclrtSubscribeReport: the stream may have callbacks."""
        stream = self.session.stream("aclrtSubscribeReport", handle)
        if isinstance(stream, Code):
            return stream
        stream.subscribed = True
        return Code.SUCCESS

    @call("aclrtUnSubscribeReport", releases=True)
    def unsubscribe(self, thread: int, handle: int) -> Code:
        """aclrtUnSubscribeReport."""
        stream = self.session.stream("aclrtUnSubscribeReport", handle)
        if isinstance(stream, Code):
            return stream
        stream.subscribed = False
        return Code.SUCCESS

    @call("aclrtLaunchCallback")
    def launch_callback(self, function: Any, data: Any, block: int, handle: int) -> Code:
        """aclrtLaunchCallback: the host's function runs when the stream has come to it."""
        s = self.session
        stream = s.stream("aclrtLaunchCallback", handle)
        if isinstance(stream, Code):
            return stream
        if not stream.subscribed:
            reason = "the stream is not subscribed: aclrtSubscribeReport"
            return s.fail("aclrtLaunchCallback", Code.RT_STREAM_NO_CB_REG, reason)
        s.timeline.enqueue(
            Task("callback", "callback", stream, s.spot, finish=self._runner(function, data))
        )
        return Code.SUCCESS

    def _runner(self, function: Any, data: Any) -> Callable[[], None]:
        def run() -> None:
            self.session.callbacks += 1
            self.session.host.call(function, data)

        return run

    @call("aclrtProcessReport", quiet=True)
    def process_report(self, timeout_ms: int) -> Code:
        """aclrtProcessReport: waits for a callback."""
        s = self.session
        before = s.callbacks
        limit = FOREVER if timeout_ms < 0 else timeout_ms * 1000.0
        waiting = [x for x in s.timeline.streams if x.busy and x.subscribed]
        s.timeline.advance(s.timeline.now + limit if waiting else s.timeline.now)
        if s.callbacks == before:
            return s.fail("aclrtProcessReport", Code.RT_WAIT_TIMEOUT, "no callback came in time")
        return Code.SUCCESS
