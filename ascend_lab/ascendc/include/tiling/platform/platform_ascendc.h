// What host code asks about the chip: cores and memories of the modelled one.
// asc-devkit: docs/zh/api/Utils-API/平台信息获取
#pragma once
#pragma GCC system_header
#include "ascend_lab/runtime.h"

#include <cstdint>

namespace fe {
class PlatFormInfos;
}

enum class NpuArch : uint32_t { DAV_1001 = 1001, DAV_2002 = 2002, DAV_2201 = 2201, DAV_3002 = 3002, DAV_3510 = 3510, DAV_RESV = 0xFFFF };

namespace platform_ascendc {

enum class CoreMemType { L0_A = 0, L0_B = 1, L0_C = 2, L1 = 3, L2 = 4, UB = 5, HBM = 6, FB = 7, BT = 8, RESERVED };
enum class SocVersion {
    ASCEND910 = 0, ASCEND910B, ASCEND310P, ASCEND310B, ASCEND910_93, ASCEND950, KIRINX90, KIRIN9030, RESERVED_VERSION = 99999
};

enum class ReservedSize { RESERVED_SIZE_8K, RESERVED_SIZE_16K, RESERVED_SIZE_32K };

class PlatformAscendC {
public:
    PlatformAscendC() = default;
    explicit PlatformAscendC(fe::PlatFormInfos*) {}
    uint32_t GetCoreNum() const { return al::chip.vector_cores; }
    uint32_t GetCoreNumVector() const { return al::chip.fused ? 0 : al::chip.vector_cores; }
    uint32_t GetCoreNumAiv() const { return al::chip.vector_cores; }
    uint32_t GetCoreNumAic() const { return al::chip.cube_cores; }
    uint32_t CalcTschBlockDim(uint32_t sliceNum, uint32_t aicCoreNum, uint32_t aivCoreNum) const
    {
        if (aicCoreNum == 0 || aivCoreNum == 0 || aicCoreNum > aivCoreNum) {
            return sliceNum;
        }
        const uint32_t ratio = aivCoreNum / aicCoreNum;
        return (sliceNum + ratio - 1) / ratio;
    }
    uint32_t CalcTschNumBlocks(uint32_t sliceNum, uint32_t aicCoreNum, uint32_t aivCoreNum) const
    {
        return CalcTschBlockDim(sliceNum, aicCoreNum, aivCoreNum);
    }
    void GetCoreMemSize(const CoreMemType& memType, uint64_t& size) const
    {
        switch (memType) {
            case CoreMemType::L0_A: size = al::chip.l0a_bytes; break;
            case CoreMemType::L0_B: size = al::chip.l0b_bytes; break;
            case CoreMemType::L0_C: size = al::chip.l0c_bytes; break;
            case CoreMemType::L1: size = al::chip.l1_bytes - Kept(); break;
            case CoreMemType::UB: size = al::chip.ub_usable_bytes - Kept() - reserved_; break;
            case CoreMemType::L2: size = al::chip.l2_bytes; break;
            case CoreMemType::HBM: size = al::chip.gm_bytes; break;
            default: size = 0; break;
        }
    }
    uint32_t GetLibApiWorkSpaceSize() const { return al::chip.fused ? 2u << 20 : 16u << 20; }
    // What the A2 keeps of UB and of L1 for messages between cube and vector cores.
    static uint64_t Kept() { return al::chip.fused ? 0 : 256; }
    // Part of UB that GetCoreMemSize leaves out; the last call counts.
    void ReserveLocalMemory(ReservedSize size) { reserved_ = 8192ull << static_cast<int>(size); }
    void GetCoreMemBw(const CoreMemType&, uint64_t&) const { al::NotModelled("PlatformAscendC::GetCoreMemBw"); }
    NpuArch GetCurNpuArch() const { return al::chip.fused ? NpuArch::DAV_2002 : NpuArch::DAV_2201; }
    SocVersion GetSocVersion() const { return al::chip.fused ? SocVersion::ASCEND310P : SocVersion::ASCEND910B; }

private:
    uint64_t reserved_ = 0;
};

class PlatformAscendCManager {
public:
    static PlatformAscendC* GetInstance()
    {
        static PlatformAscendC platform;
        return &platform;
    }
    static PlatformAscendC* GetInstance(const char*) { return GetInstance(); }
};

} // namespace platform_ascendc
