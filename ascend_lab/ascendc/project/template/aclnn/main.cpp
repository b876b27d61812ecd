// Calls OpName in two phases: ask for the workspace, then run. One argument: the number of elements.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "acl/acl.h"
#include "aclnn_op_name.h"

#define CHECK(call)                                                          \
    do {                                                                     \
        const int code = static_cast<int>(call);                             \
        if (code != 0) {                                                     \
            std::fprintf(stderr, "%s returns %d: %s\n", #call, code, aclGetRecentErrMsg()); \
            return 1;                                                        \
        }                                                                    \
    } while (0)

constexpr double FACTOR = 2.0;

int main(int argc, char** argv)
{
    const int64_t count = argc > 1 ? std::atoll(argv[1]) : 3071;
    const size_t bytes = static_cast<size_t>(count) * sizeof(aclFloat16);
    std::vector<aclFloat16> input(count), output(count);
    for (int64_t i = 0; i < count; i++) {
        input[i] = aclFloatToFloat16(static_cast<float>(i % 801) / 100.0f - 4.0f);
    }

    CHECK(aclInit(nullptr));
    CHECK(aclrtSetDevice(0));
    aclrtStream stream = nullptr;
    CHECK(aclrtCreateStream(&stream));
    void *x = nullptr, *y = nullptr, *workspace = nullptr;
    CHECK(aclrtMalloc(&x, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
    CHECK(aclrtMalloc(&y, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
    CHECK(aclrtMemcpy(x, bytes, input.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE));
    aclTensor* xTensor = aclCreateTensor(&count, 1, ACL_FLOAT16, nullptr, 0, ACL_FORMAT_ND, &count, 1, x);
    aclTensor* yTensor = aclCreateTensor(&count, 1, ACL_FLOAT16, nullptr, 0, ACL_FORMAT_ND, &count, 1, y);

    uint64_t workspaceSize = 0;
    aclOpExecutor* executor = nullptr;
    CHECK(aclnnOpNameGetWorkspaceSize(xTensor, FACTOR, yTensor, &workspaceSize, &executor));
    if (workspaceSize > 0) {
        CHECK(aclrtMalloc(&workspace, workspaceSize, ACL_MEM_MALLOC_HUGE_FIRST));
    }
    CHECK(aclnnOpName(workspace, workspaceSize, executor, stream));
    CHECK(aclrtSynchronizeStream(stream));
    CHECK(aclrtMemcpy(output.data(), bytes, y, bytes, ACL_MEMCPY_DEVICE_TO_HOST));

    int64_t wrong = 0;
    for (int64_t i = 0; i < count; i++) {
        const float wanted = static_cast<float>(FACTOR) * aclFloat16ToFloat(input[i]);
        wrong += std::fabs(aclFloat16ToFloat(output[i]) - wanted) > 1e-3f * std::fabs(wanted) + 1e-4f;
    }
    std::printf("%lld of %lld wrong\n", static_cast<long long>(wrong), static_cast<long long>(count));

    aclDestroyTensor(xTensor);
    aclDestroyTensor(yTensor);
    if (workspace != nullptr) {
        CHECK(aclrtFree(workspace));
    }
    CHECK(aclrtFree(x));
    CHECK(aclrtFree(y));
    CHECK(aclrtDestroyStream(stream));
    CHECK(aclrtResetDevice(0));
    CHECK(aclFinalize());
    return wrong == 0 ? 0 : 1;
}
