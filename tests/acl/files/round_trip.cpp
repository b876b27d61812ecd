#include <cstdio>
#include <cstring>
#include "acl/acl.h"

int main()
{
    aclInit(nullptr);
    aclrtSetDevice(0);

    int32_t size = 1024;
    void* devPtr = nullptr;
    aclrtMalloc(&devPtr, size, ACL_MEM_MALLOC_HUGE_FIRST);

    char* hostPtr = new char[size];
    memset(hostPtr, 1, size);
    aclrtMemcpy(devPtr, size, hostPtr, size, ACL_MEMCPY_HOST_TO_DEVICE);
    memset(hostPtr, 0, size);
    aclrtMemcpy(hostPtr, size, devPtr, size, ACL_MEMCPY_DEVICE_TO_HOST);
    printf("hostPtr[0] = %d\n", hostPtr[0]);

    int32_t word = 0;
    aclrtMemset(devPtr, size, 1, size);
    aclrtMemcpy(&word, sizeof(word), devPtr, sizeof(word), ACL_MEMCPY_DEVICE_TO_HOST);
    printf("memset by 1: 0x%08x\n", word);

    aclrtFree(devPtr);
    delete[] hostPtr;
    aclrtResetDevice(0);
    aclFinalize();
    return 0;
}
