// What the vector headers need once: names of modes, the DEQSCALE register as the scalar unit knows it.
#include "ascend_lab/api/vec_cmpsel.h"
#include "ascend_lab/api/vec_transpose.h"
#include "ascend_lab/api/vec_vconv.h"
#include "fiber.h"

namespace al {

const char* RoundName(AscendC::RoundMode mode)
{
    static const char* const names[] = {
        "CAST_NONE", "CAST_RINT", "CAST_FLOOR", "CAST_CEIL", "CAST_ROUND", "CAST_TRUNC", "CAST_ODD"};
    return names[static_cast<int>(mode)];
}

void PutScale(Rec& rec)
{
    const Scale& scale = block->scale;
    if (!scale.set || scale.table) {
        rec.none("deq_scale");
        return;
    }
    rec.f("deq_scale", scale.value).i("offset", scale.offset).b("signed", scale.is_signed);
}

void SetScale(float value, int offset, bool is_signed, bool, Here here)
{
    DemandKernel("SetDeqScale");
    block->scale = Scale{true, false, value, offset, is_signed, Ref()};
    Rec("SetDeqScale", Pipe::S, here).f("scale", value).i("offset", offset).b("signed", is_signed);
}

void SetScaleTable(const Ref& table, Here here)
{
    block->scale = Scale{true, true, 0, 0, true, table};
    Rec("SetDeqScale", Pipe::S, here).src(table).none("scale").i("offset", 0).b("signed", true);
}

const Ref* ScaleTable() { return block->scale.table ? &block->scale.place : nullptr; }

uint64_t RemainCount(Here here) { return static_cast<uint64_t>(Rec("GetRsvdCnt", Pipe::S, here).ask_int()); }

const char* TransposeName(AscendC::TransposeType type)
{
    static const char* const names[] = {"TRANSPOSE_TYPE_NONE", "TRANSPOSE_NZ2ND_0213", "TRANSPOSE_NZ2NZ_0213",
        "TRANSPOSE_NZ2NZ_012_WITH_N", "TRANSPOSE_NZ2ND_012_WITH_N", "TRANSPOSE_NZ2ND_012_WITHOUT_N",
        "TRANSPOSE_NZ2NZ_012_WITHOUT_N", "TRANSPOSE_ND2ND_ONLY", "TRANSPOSE_ND_UB_GM", "TRANSPOSE_GRAD_ND_UB_GM",
        "TRANSPOSE_ND2ND_B16", "TRANSPOSE_NCHW2NHWC", "TRANSPOSE_NHWC2NCHW",
        "TRANSPOSE_ND2ND_021", "TRANSPOSE_ND2ND_102", "TRANSPOSE_ND2ND_210", "TRANSPOSE_ND2NZ_WITH_INTLV"};
    return names[static_cast<int>(type)];
}

const char* FormatName(AscendC::DataFormat from, AscendC::DataFormat to)
{
    using F = AscendC::DataFormat;
    if (from == F::NCDHW) {
        return to == F::NDC1HWC0 ? "NCDHW>NDC1HWC0" : to == F::FRACTAL_Z_3D ? "NCDHW>FRACTAL_Z_3D" : "";
    }
    if (to == F::NCDHW) {
        return from == F::NDC1HWC0 ? "NDC1HWC0>NCDHW" : from == F::FRACTAL_Z_3D ? "FRACTAL_Z_3D>NCDHW" : "";
    }
    return "";
}

// Rows of c tiles of 16 (8 bit types: 32) by 32 B.
int64_t TransposeBuffer(const AscendC::TransposeParamsExt& p, size_t size)
{
    using T = AscendC::TransposeType;
    const int64_t tiles = p.transposeType == T::TRANSPOSE_NCHW2NHWC   ? p.cSize + 2
                          : p.transposeType == T::TRANSPOSE_NHWC2NCHW ? p.cSize * 2 + 1
                                                                      : 0;
    return tiles * (size == 1 ? 32 : 16) * 32;
}

void ToFiveHD(const int64_t* dst, const int64_t* src, const Ref& first_dst, const Ref& first_src,
    const AscendC::TransDataTo5HDParams& p, Here here)
{
    Rec("TransDataTo5HD", Pipe::V, here)
        .dst(first_dst)
        .src(first_src)
        .t("dst_list", dst, 16)
        .t("src_list", src, 16)
        .i("times", p.repeatTimes)
        .t("rep", {p.dstRepStride, p.srcRepStride})
        .b("dst_high", p.dstHighHalf)
        .b("src_high", p.srcHighHalf);
}

} // namespace al
