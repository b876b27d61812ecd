"""Functions of the host runtime. There is one device, always ready, and launches are synchronous."""

from __future__ import annotations

from ascend_lab.asc.lib.runtime.support import DeviceInfoType, DeviceModuleType, Stream
from ascend_lab.asc.not_modelled import not_modelled
from ascend_lab.asc.runtime import config
from ascend_lab.engine.errors import NotModelled

c2c_ctrl_addr = not_modelled("asc.lib.runtime.c2c_ctrl_addr")
copy_data_from_device = not_modelled("asc.lib.runtime.copy_data_from_device")
copy_data_to_device = not_modelled("asc.lib.runtime.copy_data_to_device")
current_tick = not_modelled("asc.lib.runtime.current_tick")
free = not_modelled("asc.lib.runtime.free")
free_mem = not_modelled("asc.lib.runtime.free_mem")
launch_kernel = not_modelled("asc.lib.runtime.launch_kernel")
magic_elf_value = not_modelled("asc.lib.runtime.magic_elf_value")
malloc = not_modelled("asc.lib.runtime.malloc")
memcpy = not_modelled("asc.lib.runtime.memcpy")
msprof_task_type = not_modelled("asc.lib.runtime.msprof_task_type")
npu_utils = not_modelled("asc.lib.runtime.npu_utils")
register_device_binary_kernel = not_modelled("asc.lib.runtime.register_device_binary_kernel")
register_function = not_modelled("asc.lib.runtime.register_function")
set_pro_switch = not_modelled("asc.lib.runtime.set_pro_switch")
unregister_device_binary_kernel = not_modelled("asc.lib.runtime.unregister_device_binary_kernel")


def use_model(custom_lib_prefix: str | None = None) -> None:
    """Nothing to choose: there is only the model."""


def use_npu(custom_lib_prefix: str | None = None) -> None:
    """Raises LabError, unless NPU was said to mean the model."""
    config.set_platform(config.Backend.NPU)


def is_initialized() -> bool:
    """Always."""
    return True


def is_available() -> bool:
    """Always."""
    return True


def is_model() -> bool:
    """Always."""
    return True


def check_device_handle(device_id: int) -> None:
    """Raises RuntimeError for what is no device number."""
    if device_id < 0:
        raise RuntimeError(f"Device handle should be int >= 0, not {device_id!r}")


def default_device() -> int:
    """0."""
    return 0


def current_device() -> int:
    """0."""
    return 0


def device_count() -> int:
    """1."""
    return 1


def current_stream(device_id: int | None = None) -> Stream:
    """The stream; launches do not queue in it."""
    return Stream(0)


def create_stream(priority: int = 0) -> Stream:
    """A stream; launches do not queue in it."""
    return Stream(0)


def destroy_stream(stream_handle: Stream) -> None:
    """Nothing."""


def current_platform() -> str:
    """The chip's name."""
    return config.current_device().spec.name


def get_soc_version() -> config.Platform:
    """The chip."""
    return config.Platform(current_platform())


def set_soc_version(soc_verison: config.Platform) -> None:
    """Launch on a model of this chip from now on."""
    config.set_platform(config.Backend.Model, soc_verison)


def device_info(
    module_type: DeviceModuleType, info_type: DeviceInfoType, device_id: int | None = None
) -> int:
    """How many cores of a kind there are; nothing else is modelled."""
    if info_type is not DeviceInfoType.INFO_TYPE_CORE_NUM:
        raise NotModelled("asc.lib.runtime.device_info", str(getattr(info_type, "name", info_type)))
    spec = config.current_device().spec
    vector = module_type is DeviceModuleType.RT_MODULE_TYPE_VECTOR_CORE
    return spec.vector_cores if vector else spec.cube_cores


def set_device(device_id: int) -> None:
    """Nothing: there is one device."""
    check_device_handle(device_id)


def reset_device(device_id: int | None = None) -> None:
    """Nothing."""


def synchronize(stream_handle: Stream | None = None, timeout: int = 0) -> None:
    """Nothing: a launch has finished when it returns."""


def synchronize_device() -> None:
    """Nothing: a launch has finished when it returns."""


def acl_init() -> None:
    """Nothing."""


def acl_finalize() -> None:
    """Nothing."""
