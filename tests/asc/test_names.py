"""The names of pyasc: all are here, and those without a model say so when they are used."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

import ascend_lab.asc as asc
from ascend_lab.asc.lib import host
from ascend_lab.asc.lib import runtime as rt
from ascend_lab.engine.errors import NotModelled

BASIC = """
    ListTensorDesc TensorDesc abs add add_deq_relu add_relu add_relu_cast adds ascend_is_aic
    ascend_is_aiv axpy bilinear_interpolation bitwise_and bitwise_not bitwise_or
    block_reduce_max block_reduce_min block_reduce_sum brcb cast cast_deq
    check_local_memory_ia compare compare_scalar copy count_bits_cnt_same_as_sign_bit
    cross_core_set_flag cross_core_wait_flag data_cache_clean_and_invalid data_cache_preload
    data_copy data_copy_pad data_sync_barrier div dump_acc_chk_point dump_tensor duplicate
    exp fixpipe fused_mul_add fused_mul_add_relu gather gather_mask gatherb get_arch_version
    get_block_idx get_block_num get_cmp_mask get_data_block_size_in_bytes
    get_gather_mask_remain_count get_hccl_context get_icache_preload_status
    get_mrg_sort_result get_program_counter get_sort_len get_sort_offset
    get_store_atomic_config get_sub_block_idx get_sub_block_num get_sys_workspace
    get_system_cycle get_task_ratio ib_set ib_wait icache_preload init_const_value
    init_soc_state leaky_relu ln load_data load_data_with_sparse load_data_with_transpose
    load_image_to_local max maxs metrics_prof_start metrics_prof_stop min mins mmad
    mmad_with_sparse mrg_sort mrg_sort4 mul mul_add_dst mul_cast muls notify_next_block
    pair_reduce_sum pipe_barrier print_time_stamp printf proposal_concat proposal_extract
    reciprocal reduce_max reduce_min reduce_sum relu repeat_reduce_sum reset_mask rp_sort16
    rsqrt scalar_cast scalar_count_leading_zero scalar_get_count_of_value
    scalar_get_sff_value scatter select set_aipp_functions set_atomic_add set_atomic_max
    set_atomic_min set_atomic_none set_atomic_type set_cmp_mask set_deq_scale
    set_fix_pipe_pre_quant_flag set_flag set_hccl_context set_hf32_mode set_hf32_trans_mode
    set_load_data_boundary set_load_data_padding_value set_load_data_repeat set_mask_count
    set_mask_norm set_mm_layout_transform set_pad_value set_store_atomic_config
    set_sys_workspace set_vector_mask shift_left shift_right sort sort32 sqrt sub sub_relu
    sub_relu_cast sync_all trans_data_to_5hd transpose trap wait_flag wait_pre_block
    whole_reduce_max whole_reduce_min whole_reduce_sum
""".split()

CORE = """
    AippChannelPaddingParams AippColorSpaceConvParams AippDataTypeConvParams AippInputFormat
    AippPaddingParams AippParams AippSingleLineParams AippSwapParams AtomicDtype AtomicOp
    BatchMode BinaryRepeatParams BlockMode BrcbRepeatParams CMPMODE CO2Layout CacheLine
    CacheMode CacheRwMode CheckLocalMemoryIAParam ConstExpr CopyRepeatParams CubeFormat
    DEFAULT_C0_SIZE DataCopyCO12DstParams DataCopyEnhancedParams DataCopyExtParams
    DataCopyPadExtParams DataCopyPadParams DataCopyParams DataFormat DataType DcciDst
    DeqScale FixpipeConfig FixpipeParamsV220 GatherMaskMode GatherMaskParams
    GatherRepeatParams GlobalAddress GlobalTensor HardEvent Hardware InitConstValueParams
    IterateMode IterateOrder LayoutMode LoadData2DParams LoadData2DParamsV2
    LoadData2dTransposeParams LoadData2dTransposeParamsV2 LoadData3DParamsV1
    LoadData3DParamsV2 LoadData3DParamsV2Pro LoadDataRepeatParam LoadImageToLocalParams
    LocalMemAllocator LocalTensor LocalTensorAuto MaskMode MatmulConfigMode MemDsbT
    MmadParams MrgSort4Info MrgSortSrcList Nd2NzParams Nz2NdParamsFull ONE_BLK_SIZE PipeID
    QuantModes ReduceOrder RoundMode ScheduleType SelMode ShapeInfo SliceInfo TOTAL_L0C_SIZE
    TOTAL_L1_SIZE TPosition TransDataTo5HDParams TransposeParamsExt TransposeType
    UnaryRepeatParams VdeqInfo array ceildiv double float16 float32 float64 float_
    get_shape_size half inline int16 int32 int64 int8 int_ number pad_t property range
    static_assert static_range uint16 uint32 uint64 uint8 void
""".split()

FWK = """
    TBuf TBufPool TPipe TQue TQueBind get_tpipe_ptr
""".split()

ADV = """
    Matmul MatmulApiStaticTiling MatmulBatchParams MatmulConfig MatmulFuncParams
    MatmulQuantParams MatmulShapeParams MatmulType QuantConfig RmsNormTiling SoftmaxTiling
    TCubeTiling acos acosh asin asinh atan atanh axpy ceil concat cos cosh digamma erf erfc
    exp extract floor frac get_basic_config get_ib_share_norm_config get_matmul_api_tiling
    get_mdl_config get_mm_config get_normal_config get_special_basic_config
    get_special_mdl_config lgamma log power quant register_matmul rmsnorm round sign sin
    sinh softmax tan tanh trunc xor
""".split()

RUNTIME = """
    CoreType DeviceInfoType DeviceModuleType Function Kernel Memory MemorySizes
    MsprofTaskType ProfilingCommandHandle Stream acl_finalize acl_init c2c_ctrl_addr
    call_print_interface check_device_handle copy_data_from_device copy_data_to_device
    create_stream current_device current_platform current_stream current_tick default_device
    destroy_stream device_count device_info free free_mem get_soc_version is_available
    is_initialized is_model launch_kernel magic_elf_value malloc memcpy msprof_task_type
    npu_utils register_device_binary_kernel register_function reset_device set_device
    set_pro_switch set_soc_version synchronize synchronize_device
    unregister_device_binary_kernel use_model use_npu
""".split()

HOST = """
    BatchMatmulTiling CubeFormat DataType DequantType MatmulApiTiling MatmulConfigParams
    MatrixMadType MatrixTraverse MultiCoreMatmulTiling PlatformAscendC
    PlatformAscendCManager ScheduleType TPosition get_ascendc_platform
""".split()

TOP = ["CodegenOptions", "CompileOptions", "LaunchOptions", "jit", "adv", "basic", "core", "fwk"]
ADDED_BASIC = [
    "MASK_PLACEHOLDER",
    "create_vec_index",
    "init_determine_compute_workspace",
    "pop_stack_buffer",
]
ADDED = [*ADDED_BASIC, "bfloat16"]
ADDED_ADV = """
    broadcast dequant faster_gelu gelu layernorm log_softmax sigmoid silu sum swish
""".split()

#: These raise NotModelled when they are used: cube side, workspaces, proposals, full sorts.
NOT_MODELLED = """
    CheckLocalMemoryIAParam DataCopyCO12DstParams DataCopyEnhancedParams FixpipeConfig
    FixpipeParamsV220 InitConstValueParams ListTensorDesc LoadData2DParams LoadData2DParamsV2
    LoadData2dTransposeParams LoadData2dTransposeParamsV2 LoadData3DParamsV1 LoadData3DParamsV2
    LoadData3DParamsV2Pro LoadDataRepeatParam LoadImageToLocalParams MmadParams Nd2NzParams
    Nz2NdParamsFull SliceInfo TensorDesc check_local_memory_ia fixpipe get_arch_version
    get_hccl_context get_program_counter get_sort_len get_sort_offset get_store_atomic_config
    get_sys_workspace init_const_value inline load_data load_data_with_sparse
    load_data_with_transpose load_image_to_local mmad mmad_with_sparse mrg_sort4
    proposal_concat proposal_extract rp_sort16 set_fix_pipe_pre_quant_flag set_hccl_context
    set_hf32_mode set_hf32_trans_mode set_load_data_boundary set_load_data_padding_value
    set_load_data_repeat set_mm_layout_transform set_store_atomic_config set_sys_workspace sort
""".split()
NOT_MODELLED_ADV = """
    Matmul MatmulApiStaticTiling MatmulBatchParams MatmulConfig MatmulFuncParams MatmulQuantParams
    MatmulShapeParams MatmulType TCubeTiling concat extract get_basic_config
    get_ib_share_norm_config get_matmul_api_tiling get_mdl_config get_mm_config get_normal_config
    get_special_basic_config get_special_mdl_config register_matmul
""".split()


def test_all_names_of_pyasc_are_here_and_nothing_else() -> None:
    assert sorted(asc.__all__) == sorted({*TOP, *BASIC, *CORE, *FWK, *ADDED})
    assert sorted(asc.basic.__all__) == sorted({*BASIC, *ADDED_BASIC})
    assert sorted(asc.core.__all__) == sorted({*CORE, "bfloat16"})
    assert sorted(asc.fwk.__all__) == sorted(FWK)
    assert sorted(asc.adv.__all__) == sorted({*ADV, *ADDED_ADV})
    assert sorted(rt.__all__) == sorted(RUNTIME)
    assert sorted(host.__all__) == sorted(HOST)


def test_every_name_can_be_had() -> None:
    for module in (asc, asc.adv, asc.basic, asc.core, asc.fwk, rt, host):
        assert [name for name in module.__all__ if not hasattr(module, name)] == []
        assert len(set(module.__all__)) == len(module.__all__)


def without_model(module: Any) -> list[str]:
    """What says of itself that it raises NotModelled."""
    found = ((name, getattr(module, name)) for name in module.__all__)
    return sorted(name for name, value in found if "raises NotModelled" in (value.__doc__ or ""))


def test_the_lists_are_complete() -> None:
    assert without_model(asc) == sorted(NOT_MODELLED)
    assert without_model(asc.adv) == sorted(NOT_MODELLED_ADV)


@pytest.mark.parametrize("name", NOT_MODELLED)
def test_what_has_no_model_says_so(name: str) -> None:
    with pytest.raises(NotModelled) as caught:
        getattr(asc, name)(1, 2, key=3)
    assert caught.value.api == f"asc.{name}"
    assert f"asc.{name}" in caught.value.message("en")
    assert f"asc.{name}" in caught.value.message("zh")


@pytest.mark.parametrize("name", NOT_MODELLED_ADV)
def test_matrix_interfaces_have_no_model(name: str) -> None:
    with pytest.raises(NotModelled, match=f"asc.adv.{name}"):
        getattr(asc.adv, name)()


@pytest.mark.parametrize(
    ("module", "names"),
    [
        ("language.core.dtype", ["DataType", "KnownTypes"]),
        ("language.core.struct", ["Field", "Struct", "StructField"]),
        ("language.core.types", ["BinaryRepeatParams", "ShapeInfo"]),
        ("language.core.enums", ["HardEvent", "TPosition", "MatmulPolicy"]),
        ("language.core.constexpr", ["ConstExpr"]),
        ("language.fwk.tpipe", ["TPipe", "TQue", "get_tpipe_ptr"]),
        ("language.basic.vec_binary", ["add"]),
        ("runtime.config", ["Backend", "KernelType", "Platform", "set_platform"]),
        ("runtime.jit", ["jit"]),
        ("lib.runtime", ["current_stream"]),
        ("lib.host", ["get_ascendc_platform"]),
    ],
)
def test_modules_scripts_import_from(module: str, names: list[str]) -> None:
    found = importlib.import_module(f"ascend_lab.asc.{module}")
    assert [name for name in names if not hasattr(found, name)] == []


def test_enumerations_have_pyascs_values() -> None:
    assert (asc.HardEvent.MTE2_V, asc.HardEvent.MTE3_S, asc.PipeID.PIPE_ALL) == (4, 26, 6)
    assert (asc.TPosition.VECIN, asc.RoundMode.CAST_ODD, asc.CMPMODE.NE) == (9, 6, 5)
    assert (asc.half, asc.float_, asc.int_, asc.double) == (
        asc.float16,
        asc.float32,
        asc.int32,
        asc.float64,
    )
    assert asc.bfloat16.sizeof() == 2
    assert asc.bfloat16.is_float()
    assert str(asc.DataType("uint16")) == "uint16"
