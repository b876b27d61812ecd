// Moving data between GM and UB, and within UB.
// asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/数据搬运
#pragma once
#include "vector.h"

namespace al {

// The pipe of a transfer; ends the kernel where there is no path or it is not modelled.
Pipe PathPipe(const char* api, const Ref& dst, const Ref& src, Here here);

inline void CopyCount(const Ref& dst, const Ref& src, int64_t count, Here here)
{
    Rec("DataCopy", PathPipe("DataCopy", dst, src, here), here).dst(dst).src(src).i("count", count);
}

inline void CopyBlocks(const Ref& dst, const Ref& src, const AscendC::DataCopyParams& p, Here here)
{
    Rec("DataCopy", PathPipe("DataCopy", dst, src, here), here)
        .dst(dst)
        .src(src)
        .i("block_count", p.blockCount)
        .i("block_len", p.blockLen)
        .i("src_gap", p.srcStride)
        .i("dst_gap", p.dstStride);
}

struct Blocks { // the fields of DataCopyParams and DataCopyExtParams
    int64_t count, len, src, dst;
};
inline Blocks BlocksOf(const AscendC::DataCopyParams& p) { return {p.blockCount, p.blockLen, p.srcStride, p.dstStride}; }
inline Blocks BlocksOf(const AscendC::DataCopyExtParams& p) { return {p.blockCount, p.blockLen, p.srcStride, p.dstStride}; }

inline void PutBlocks(Rec& rec, const Blocks& blocks)
{
    rec.i("block_count", blocks.count)
        .i("block_len", blocks.len)
        .i("src_stride", blocks.src)
        .i("dst_stride", blocks.dst);
}

template <typename T>
void PadIn(const Ref& dst, const Ref& src, const Blocks& blocks, bool is_pad, int left, int right, T value, Here here)
{
    Rec rec("DataCopyPad", PathPipe("DataCopyPad", dst, src, here), here);
    rec.dst(dst).src(src);
    PutBlocks(rec, blocks);
    rec.b("is_pad", is_pad).i("left", left).i("right", right);
    PutScalar<T>(rec, "pad_value", value);
}

inline void PadOut(const Ref& dst, const Ref& src, const Blocks& blocks, Here here)
{
    Rec rec("DataCopyPad", PathPipe("DataCopyPad", dst, src, here), here);
    rec.dst(dst).src(src);
    PutBlocks(rec, blocks);
}

void CopySlices(const Ref& dst, const Ref& src, const AscendC::SliceInfo* dst_slices, const AscendC::SliceInfo* src_slices,
    uint32_t dims, Here here);

} // namespace al

namespace AscendC {

template <typename T>
void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const uint32_t count, AL_HERE)
{
    al::CopyCount(dst.ref, src.ref, count, here);
}
template <typename T>
void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const uint32_t count, AL_HERE)
{
    al::CopyCount(dst.ref, src.ref, count, here);
}
template <typename T>
void DataCopy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint32_t count, AL_HERE)
{
    al::CopyCount(dst.ref, src.ref, count, here);
}
template <typename T>
void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const DataCopyParams& repeatParams, AL_HERE)
{
    al::CopyBlocks(dst.ref, src.ref, repeatParams, here);
}
template <typename T>
void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyParams& repeatParams, AL_HERE)
{
    al::CopyBlocks(dst.ref, src.ref, repeatParams, here);
}
template <typename T>
void DataCopy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyParams& repeatParams, AL_HERE)
{
    al::CopyBlocks(dst.ref, src.ref, repeatParams, here);
}
template <typename T, typename U>
void DataCopy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const DataCopyParams& repeatParams, AL_HERE)
{
    al::CopyBlocks(dst.ref, src.ref, repeatParams, here);
}
template <typename T>
void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const SliceInfo dstSliceInfo[],
    const SliceInfo srcSliceInfo[], const uint32_t dimValue = 1, AL_HERE)
{
    al::CopySlices(dst.ref, src.ref, dstSliceInfo, srcSliceInfo, dimValue, here);
}
template <typename T>
void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const SliceInfo dstSliceInfo[],
    const SliceInfo srcSliceInfo[], const uint32_t dimValue = 1, AL_HERE)
{
    al::CopySlices(dst.ref, src.ref, dstSliceInfo, srcSliceInfo, dimValue, here);
}
#define AL_UNMODELLED_COPY(DST, SRC, PARAMS, WHAT)                                                                     \
    template <typename T>                                                                                             \
    void DataCopy(const DST<T>&, const SRC<T>&, PARAMS, AL_HERE)                                                       \
    {                                                                                                                 \
        al::NotModelled("DataCopy", WHAT, here);                                                                       \
    }
AL_UNMODELLED_COPY(LocalTensor, GlobalTensor, const Nd2NzParams&, "Nd2NzParams")
AL_UNMODELLED_COPY(LocalTensor, LocalTensor, const Nd2NzParams&, "Nd2NzParams")
AL_UNMODELLED_COPY(GlobalTensor, LocalTensor, const Nz2NdParamsFull&, "Nz2NdParamsFull")
#undef AL_UNMODELLED_COPY
template <typename T, typename D, typename S>
void DataCopyEnhanced(const D&, const S&, al::Here here)
{
    al::NotModelled("DataCopy", "DataCopyEnhancedParams", here);
}
template <typename T>
void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const DataCopyParams&, const DataCopyEnhancedParams&, AL_HERE)
{
    DataCopyEnhanced<T>(dst, src, here);
}
template <typename T>
void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyParams&, const DataCopyEnhancedParams&, AL_HERE)
{
    DataCopyEnhanced<T>(dst, src, here);
}
template <typename T>
void DataCopy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyParams&, const DataCopyEnhancedParams&, AL_HERE)
{
    DataCopyEnhanced<T>(dst, src, here);
}
template <typename T, typename U>
void DataCopy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const DataCopyParams&, const DataCopyEnhancedParams&, AL_HERE)
{
    DataCopyEnhanced<T>(dst, src, here);
}

// The older form writes its padding value into a register as it is: the lowest bytes count.
template <typename T>
void DataCopyPad(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const DataCopyParams& copyParams,
    const DataCopyPadParams& padParams, AL_HERE)
{
    T value;
    std::memcpy(&value, &padParams.paddingValue, sizeof(T));
    al::PadIn<T>(dst.ref, src.ref, al::BlocksOf(copyParams), padParams.isPad, padParams.leftPadding,
        padParams.rightPadding, value, here);
}
template <typename T>
void DataCopyPad(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const DataCopyExtParams& copyParams,
    const DataCopyPadExtParams<T>& padParams, AL_HERE)
{
    al::PadIn<T>(dst.ref, src.ref, al::BlocksOf(copyParams), padParams.isPad, padParams.leftPadding,
        padParams.rightPadding, padParams.paddingValue, here);
}
template <typename T>
void DataCopyPad(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyParams& copyParams, AL_HERE)
{
    al::PadOut(dst.ref, src.ref, al::BlocksOf(copyParams), here);
}
template <typename T>
void DataCopyPad(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyExtParams& copyParams, AL_HERE)
{
    al::PadOut(dst.ref, src.ref, al::BlocksOf(copyParams), here);
}
template <typename T>
void DataCopyPad(const LocalTensor<T>&, const LocalTensor<T>&, const DataCopyParams&, const Nd2NzParams&, AL_HERE)
{
    al::NotModelled("DataCopyPad", "UB -> L1", here);
}

// What a DataCopyPad with isPad = false pads with.
template <typename T, TPosition pos = TPosition::MAX>
void SetPadValue(T paddingValue, AL_HERE)
{
    al::Rec rec("SetPadValue", al::Pipe::S, here);
    al::PutScalar<T>(rec, "value", paddingValue);
    rec.position("pos", static_cast<uint8_t>(pos));
}

template <typename T, bool isSetMask = true>
void Copy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint64_t mask[], const uint8_t repeatTime,
    const CopyRepeatParams& p, AL_HERE)
{
    al::Rec rec("Copy", al::Pipe::V, here);
    rec.dst(al::Operand(dst.ref, "Copy")).src(al::Operand(src.ref, "Copy"));
    al::PutMask(rec, al::Mask::Words(mask, isSetMask));
    rec.i("repeat", repeatTime).t("blk", {p.dstStride, p.srcStride}).t("rep", {p.dstRepeatSize, p.srcRepeatSize});
}
template <typename T, bool isSetMask = true>
void Copy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint64_t mask, const uint8_t repeatTime,
    const CopyRepeatParams& p, AL_HERE)
{
    al::Rec rec("Copy", al::Pipe::V, here);
    rec.dst(al::Operand(dst.ref, "Copy")).src(al::Operand(src.ref, "Copy"));
    al::PutMask(rec, al::Mask::Lanes(mask, isSetMask));
    rec.i("repeat", repeatTime).t("blk", {p.dstStride, p.srcStride}).t("rep", {p.dstRepeatSize, p.srcRepeatSize});
}

} // namespace AscendC
