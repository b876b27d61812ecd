// What the headers in include/ascend_lab/api need once, not in every kernel.
#include "ascend_lab/api/data_copy.h"
#include "ascend_lab/api/sync.h"
#include "ascend_lab/api/system.h"
#include "fiber.h"

#include <cstdarg>
#include <cstdio>
#include <string>

namespace al {

static const char* SpaceName(uint8_t space)
{
    static const char* const names[] = {"", "GM", "UB", "L1", "L0A", "L0B", "L0C", "BT", "FB"};
    return names[space];
}

Pipe PathPipe(const char* api, const Ref& dst, const Ref& src, Here here)
{
    Operand(dst, api);
    Operand(src, api);
    if (dst.space == UB && src.space == GM) {
        return Pipe::MTE2;
    }
    if (dst.space == GM && src.space == UB) {
        return Pipe::MTE3;
    }
    if (dst.space == UB && src.space == UB) {
        return Pipe::V;
    }
    const std::string path = std::string(SpaceName(src.space)) + " -> " + SpaceName(dst.space);
    NotModelled(api, path.c_str(), here);
}

namespace {

// One tensor's slices: bursts within a row, and the rows of the further dimensions.
struct Slices {
    const AscendC::SliceInfo* info;
    uint32_t dims;
    int64_t size; // bytes of an element
    int64_t BurstElements() const { return static_cast<int64_t>(info[0].burstLen) * 32 / size; }
    int64_t Bursts() const
    {
        const int64_t step = BurstElements() + info[0].stride;
        return step > 0 ? (static_cast<int64_t>(info[0].endIndex) - info[0].startIndex + 1 + info[0].stride) / step : 0;
    }
    int64_t Count(uint32_t dim) const // indices of a further dimension
    {
        const int64_t last = info[dim].endIndex, first = info[dim].startIndex;
        return (last - first) / (static_cast<int64_t>(info[dim].stride) + 1) + 1;
    }
    int64_t Rows() const
    {
        int64_t rows = 1;
        for (uint32_t dim = 1; dim < dims; ++dim) {
            rows *= Count(dim);
        }
        return rows;
    }
    int64_t Start(int64_t row) const // element where the row's first burst begins
    {
        int64_t at = info[0].startIndex, width = info[0].shapeValue;
        for (uint32_t dim = 1; dim < dims; ++dim) {
            const int64_t index = info[dim].startIndex + row % Count(dim) * (static_cast<int64_t>(info[dim].stride) + 1);
            row /= Count(dim);
            at += index * width;
            width *= info[dim].shapeValue;
        }
        return at;
    }
};

} // namespace

// A soft interface: one DataCopyPad for each row of bursts.
void CopySlices(const Ref& dst, const Ref& src, const AscendC::SliceInfo* dst_slices,
    const AscendC::SliceInfo* src_slices, uint32_t dims, Here here)
{
    const Pipe pipe = PathPipe("DataCopy", dst, src, here);
    const int64_t size = SizeOf[src.dtype];
    const Slices to{dst_slices, dims, size}, from{src_slices, dims, size};
    for (int64_t row = 0; row < from.Rows(); ++row) {
        Ref target = dst, source = src;
        target.addr += static_cast<uint64_t>(to.Start(row) * size);
        source.addr += static_cast<uint64_t>(from.Start(row) * size);
        const int64_t in = src_slices[0].stride * size, out = dst_slices[0].stride * size;
        const Blocks blocks{from.Bursts(), static_cast<int64_t>(src_slices[0].burstLen) * 32,
            pipe == Pipe::MTE2 ? in : in / 32, pipe == Pipe::MTE2 ? out / 32 : out};
        if (pipe == Pipe::MTE2) {
            PadIn<int32_t>(target, source, blocks, false, 0, 0, 0, here);
        } else {
            PadOut(target, source, blocks, here);
        }
    }
}

static bool Modelled(Pipe pipe)
{
    return pipe == Pipe::S || pipe == Pipe::V || pipe == Pipe::MTE2 || pipe == Pipe::MTE3;
}

void EventFlag(bool set, AscendC::HardEvent event, int64_t id, Here here)
{
    const Ends ends = EndsOf(event);
    if (!Modelled(ends.src) || !Modelled(ends.dst)) {
        NotModelled(set ? "SetFlag" : "WaitFlag", NameOf(event), here);
    }
    if (ends.src == ends.dst) { // V_V is a barrier
        if (set) {
            Rec("PipeBarrier", Pipe::S, here).i("pipe", static_cast<int>(ends.src));
        }
        return;
    }
    Rec(set ? "SetFlag" : "WaitFlag", set ? ends.src : ends.dst, here)
        .i("src", static_cast<int>(ends.src))
        .i("dst", static_cast<int>(ends.dst))
        .i("id", id);
}

void Barrier(pipe_t pipe, Here here)
{
    const Pipe found = PipeOfName(pipe);
    if (found != Pipe::ALL && !Modelled(found)) {
        const std::string name = pipe == PIPE_M ? "PIPE_M" : pipe == PIPE_MTE1 ? "PIPE_MTE1" : "PIPE_FIX";
        Fault(("矢量核没有 " + name + " 流水：PipeBarrier<" + name
                  + "> 在矢量核上是非法指令。请使用矢量核的流水（PIPE_V、PIPE_MTE2、PIPE_MTE3）或 PIPE_ALL。").c_str(),
            ("a vector core has no " + name + ": PipeBarrier<" + name
                + "> is an illegal instruction on it. Name a pipe that it has (PIPE_V, PIPE_MTE2, PIPE_MTE3), or PIPE_ALL.").c_str(), here);
    }
    Rec("PipeBarrier", Pipe::S, here).i("pipe", static_cast<int>(found));
}

void CrossFlag(bool set, int64_t id, int mode, pipe_t pipe, Here here)
{
    const char* api = set ? "CrossCoreSetFlag" : "CrossCoreWaitFlag";
    if (mode != 0) {
        NotModelled(api, ("modeId=" + std::to_string(mode)).c_str(), here);
    }
    const Pipe found = set ? PipeOfName(pipe) : Pipe::S;
    if (set && (found == Pipe::S || !Modelled(found))) {
        NotModelled(api, "pipe", here);
    }
    Rec(api, found, here).i("id", id & 0xF);
}

void InGroup(const char* api, uint32_t index, uint32_t members, Here here)
{
    if (index < members) {
        return;
    }
    char zh[200], en[200];
    std::snprintf(zh, sizeof(zh), "%s：序号 %u 不在本组内，这一组有 %u 个核，序号从 0 开始。", api, index, members);
    std::snprintf(en, sizeof(en), "%s: index %u is not in the group, which has %u cores, numbered from 0.", api, index, members);
    Fault(zh, en, here);
}

void Between(const char* op, const Ref& gm, const Ref& ub, Here here)
{
    Rec(op, Pipe::S, here).src(Operand(gm, op)).src(Operand(ub, op));
}

void SetMaskWords(uint64_t high, uint64_t low, const char* mode, Here here)
{
    Rec rec("SetMask", Pipe::S, here);
    rec.words("low high", low, high).s("mode", mode);
}

void SetMaskLength(int64_t length, int lanes, AscendC::MaskMode mode, Here here)
{
    if (mode == AscendC::MaskMode::COUNTER) {
        SetMaskWords(0, static_cast<uint64_t>(length), "COUNTER", here);
    } else if (length >= 128 || (length == lanes && length != 64)) {
        SetMaskWords(~0ull, ~0ull, "NORMAL", here);
    } else {
        const uint64_t low = length >= 64 ? ~0ull : length > 0 ? (1ull << length) - 1 : 0;
        const uint64_t high = length > 64 ? (1ull << (length - 64)) - 1 : 0;
        SetMaskWords(high, low, "NORMAL", here);
    }
}

void SetAtomic(const char* mode, uint8_t dtype, Here here)
{
    static const char* const names[] = {"int8", "uint8", "int16", "uint16", "float16", "bfloat16", "int32", "uint32",
        "float32", "int64", "uint64", "float64"};
    DemandKernel("SetAtomic");
    if (mode != nullptr) {
        block->atomic = mode;
    }
    Rec rec("SetAtomic", Pipe::S, here);
    rec.s("mode", block->atomic);
    if (dtype != NO_DTYPE) {
        rec.s("dtype", names[dtype]);
    }
}

void Dump(const Ref& ref, int64_t desc, int64_t count, const AscendC::ShapeInfo* shape, Here here)
{
    int64_t dims[8];
    const size_t number = shape == nullptr ? 0 : shape->shapeDim;
    for (size_t k = 0; k < number; ++k) {
        dims[k] = shape->shape[k];
    }
    Rec("DumpTensor", Pipe::S, here).src(ref).i("desc", desc).i("count", count).t("shape", dims, number);
}

void PrintFormatted(const char* format, ...)
{
    char text[4096];
    va_list values;
    va_start(values, format);
    std::vsnprintf(text, sizeof(text), format, values);
    va_end(values);
    if (running == nullptr) {
        std::fputs(text, stdout);
        return;
    }
    Rec("Printf", Pipe::S, HereOf(static_cast<char*>(__builtin_return_address(0)) - 1)).text("text", text);
}

void IssueWritten(const char* op, const Ref& dst, const Ref& src0, const Ref& src1, const char* mode, int64_t count)
{
    Rec rec(op, Pipe::V, HereOf(static_cast<char*>(__builtin_return_address(0)) - 1));
    rec.dst(Operand(dst, op)).src(Operand(src0, op)).src(Operand(src1, op)).i("count", count);
    if (mode != nullptr) {
        rec.s("mode", mode);
    }
}

void Trap() { Fault("核函数调用了 Trap()，在此停止。", "the kernel called Trap() and stops here."); }

void AssertFailed(const char* condition, const char* text, Here here)
{
    const std::string said = text;
    Fault(("断言不成立：" + std::string(condition) + (said.empty() ? "" : "，" + said)).c_str(),
        ("the assertion does not hold: " + std::string(condition) + (said.empty() ? "" : ", " + said)).c_str(),
        here);
}

} // namespace al
