// Callbacks, events and two streams: the order of what is printed is the order of the streams.
#include <cstdio>
#include <vector>
#include "acl/acl.h"

static void Say(void* text) { printf("%s\n", static_cast<const char*>(text)); }

int main()
{
    aclInit(nullptr);
    aclrtSetDevice(0);
    aclrtContext context;
    aclrtCreateContext(&context, 0);
    aclrtStream stream;
    aclrtCreateStream(&stream);
    aclrtSubscribeReport(0, stream);
    aclrtEvent start, end;
    aclrtCreateEvent(&start);
    aclrtCreateEvent(&end);
    const size_t size = 26 << 20;
    void *host, *device;
    aclrtMallocHost(&host, size);
    aclrtMalloc(&device, size, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtRecordEvent(start, stream);
    aclrtMemcpyAsync(device, size, host, size, ACL_MEMCPY_HOST_TO_DEVICE, stream);
    aclrtRecordEvent(end, stream);
    aclrtLaunchCallback(Say, const_cast<char*>("copied"), ACL_CALLBACK_BLOCK, stream);
    printf("queued\n");
    aclrtEventRecordedStatus status;
    aclrtQueryEventStatus(end, &status);
    printf("complete: %d\n", status == ACL_EVENT_RECORDED_STATUS_COMPLETE);
    aclrtSynchronizeStream(stream);
    float ms = 0;
    aclrtEventElapsedTime(&ms, start, end);
    printf("%.3f ms\n", ms);
    size_t free = 0, total = 0;
    aclrtGetMemInfo(ACL_HBM_MEM, &free, &total);
    printf("%zu MB taken\n", (total - free) >> 20);
    printf("%d\n", aclrtMemcpy(host, 8, device, 16, ACL_MEMCPY_DEVICE_TO_HOST));
    printf("%s\n", aclGetRecentErrMsg());
    aclrtUnSubscribeReport(0, stream);
    aclrtFree(device);
    aclrtFreeHost(host);
    aclrtDestroyEvent(start);
    aclrtDestroyEvent(end);
    aclrtDestroyStream(stream);
    aclrtDestroyContext(context);
    aclrtResetDevice(0);
    aclFinalize();
    return 0;
}
