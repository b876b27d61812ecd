"""Launches and kernels in the text; lines stay where they are."""

from __future__ import annotations

import pytest

from ascend_lab.ascendc.rewriting import rewrite

KERNEL = "__global__ __aicore__ void add(GM_ADDR x, uint32_t n)\n{\n    f(x);\n}\n"


def launch(text: str) -> str:
    return " ".join(rewrite(text, "k.asc").text.split())


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("add<<<8, 0, stream>>>(x, 4);", 'LaunchKernel(::al::Config(8, 0, stream), "add", add,'),
        ("add<<<8, nullptr, s>>>();", '"add", add, ::al::Here::now());'),
        ("m::add<T, 1 << 2><<<n, 0>>>(x);", '"m::add<T, 1 << 2>", m::add<T, 1 << 2>,'),
        ("add /* c */ <<<f(a, b), l2, g(s)>>> (x, {1, 2});", "Config(f(a, b), l2, g(s))"),
        ("add<half>\n<<<1, 0, s>>>(x);", '"add<half>"'),
    ],
)
def test_a_launch_becomes_a_call(text: str, wanted: str) -> None:
    assert wanted in launch(text)
    assert "<<<" not in launch(text)


@pytest.mark.parametrize(
    "text", ['"add<<<1>>>(x)"', "// add<<<1, 0, s>>>(x);\n", "/* add<<<1>>>(x) */", "a << b << c;"]
)
def test_what_is_no_launch_stays(text: str) -> None:
    assert rewrite(text, "k.asc").text == text


def test_lines_stay() -> None:
    text = f"{KERNEL}void go()\n{{\n    add\n    <<<1,\n 0, s>>>(x,\n  4);\n    last();\n}}\n"
    found = rewrite(text, "k.asc").text
    assert found.count("\n") == text.count("\n")
    assert found.splitlines().index("    last();") == text.splitlines().index("    last();")


def test_a_deduced_template_is_called_through_a_lambda() -> None:
    text = "template <typename T> __global__ __vector__ void k(T n) { }\nvoid go() { k<<<1, 0, s>>>(3); }"
    assert "LaunchDeduced" in launch(text)


@pytest.mark.parametrize(
    ("head", "qualifiers"),
    [
        ('extern "C" __global__ __aicore__', "__global__ __aicore__"),
        ("__vector__ __global__", "__vector__ __global__"),
        ("__global__ __mix__(1, 2)", "__global__ __mix__(1, 2)"),
    ],
)
def test_a_kernel_is_described(head: str, qualifiers: str) -> None:
    text = (
        f"// __global__ void no()\n{head} void add(GM_ADDR x, __gm__ float* y, const T t)\n{{\n}}\n"
    )
    (kernel,) = rewrite(text, "k.asc").kernels
    assert kernel.name == "add"
    assert kernel.parameters == ("x", "y", "t")
    assert kernel.qualifiers == qualifiers
    assert (kernel.line, kernel.end) == (2, 4)


def test_a_kernel_loses_its_c_linkage() -> None:
    text = 'extern "C" __global__ __aicore__ void asinh(GM_ADDR x) { }'
    assert 'extern "C"' not in rewrite(text, "k.asc").text
