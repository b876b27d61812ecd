"""Theory items: each key is what the model does, for several seeds; questions are fair and in both languages."""

from __future__ import annotations

import re
import subprocess
import sys

import msgspec
import pytest

from ascend_lab.exercise import TaskError
from ascend_lab.exercise.theory import Drawn, Found, Item, draw, mark, prove, read, theory
from ascend_lab.exercise.theory.drawing import fill, placeholders, possible
from ascend_lab.exercise.theory.witness import cell, run

THEORY = theory()
IDS = THEORY.ids()
DAILY = 2
DEEP = 20
CJK = re.compile(r"[\u4e00-\u9fff]")

TOPIC = """
title = { zh = "例", en = "Example" }
prelude = '''
def twice(number):
    return 2 * number
'''

[[items]]
id = "double"
kind = "single"
text = { zh = "{n} 的两倍？", en = "Twice {n}?" }
code = "twice({n})"
where = "n != 2"
witness = '''
answer = twice(n)
'''

[items.draw]
n = { range = [1, 9] }

[[items.options]]
name = "double"
value = "2 * n"
right = true

[[items.options]]
name = "square"
value = "n * n"
why = { zh = "这是平方 {value}。", en = "That is the square {value}." }

[[items.options]]
name = "next"
value = "n + 1"
why = { zh = "这是下一个数。", en = "That is the next number." }
"""


def toy(old: str = "", new: str = "") -> Found:
    """The item of TOPIC, with one change."""
    assert old in TOPIC
    topic = read(TOPIC.replace(old, new, 1).encode(), "toy.toml")
    return Found(topic, topic.items[0], "toy.toml", "items[0]")


def broken(old: str, new: str) -> TaskError:
    with pytest.raises(TaskError) as caught:
        toy(old, new)
    return caught.value


# --- the bank --------------------------------------------------------------------------------------


def test_there_are_enough() -> None:
    assert len(IDS) >= 24
    assert len(set(IDS)) == len(IDS)
    kinds = [THEORY.find(id).item.kind for id in IDS]
    assert {kind for kind in kinds if kinds.count(kind) >= 3} == {
        "single",
        "multi",
        "true_false",
        "compute",
    }


@pytest.mark.parametrize("id", IDS)
def test_the_model_proves_the_key(id: str) -> None:
    found = THEORY.find(id)
    for seed in range(DAILY):
        found.prove(found.draw(seed))


@pytest.mark.nightly
@pytest.mark.parametrize("id", IDS)
def test_the_model_proves_the_key_of_many_draws(id: str) -> None:
    found = THEORY.find(id)
    for seed in range(DAILY, DEEP):
        found.prove(found.draw(seed))


@pytest.mark.parametrize("id", IDS)
def test_questions_are_fair(id: str) -> None:
    found = THEORY.find(id)
    drawn = [found.draw(seed) for seed in range(DEEP)]
    for each in drawn:
        assert_fair(each)
    if not possible(found.item):
        return
    assert len({str(each.parameters) for each in drawn}) >= 2
    if found.item.kind != "multi" or len({each.key for each in drawn}) > 1:
        assert len({each.key for each in drawn}) >= 2, "the key is always the same"


def assert_fair(drawn: Drawn) -> None:
    question = drawn.question
    right = [option for option in drawn.options if option.is_right]
    wrong = [option for option in drawn.options if not option.is_right]
    assert right
    assert wrong
    assert question.kind == "multi" or len(right) == 1
    assert all(option.why is not None for option in wrong)
    for lang in ("zh", "en"):
        texts = [option.text.text(lang) for option in drawn.options]
        assert len(set(texts)) == len(texts)
        said = [question.text.text(lang), *texts]
        said += [option.why.text(lang) for option in wrong if option.why is not None]
        said += [drawn.because.text(lang)] if drawn.because is not None else []
        assert not any(placeholders(text) for text in said)
    assert CJK.search(question.text.zh)
    assert not CJK.search(question.text.en)
    assert not placeholders(question.code)


@pytest.mark.parametrize("id", IDS)
def test_both_languages_carry_the_same_numbers(id: str) -> None:
    """Every number of the text of one language is in the other's; the options stand in one order."""
    item = THEORY.find(id).item
    drawn = draw(item, 0)
    numbers = [
        sorted(set(re.findall(r"\d+", drawn.question.text.text(lang)))) for lang in ("zh", "en")
    ]
    assert numbers[0] == numbers[1]
    pairs = [item.text, item.because, item.why, *(option.why for option in item.options)]
    for both in pairs:
        assert both is None or placeholders(both.zh) == placeholders(both.en)


def test_a_question_tells_nothing_of_its_key() -> None:
    """What is sent to a student: no key, no witness, no value, no seed."""
    for id in IDS:
        drawn = THEORY.find(id).draw("secret seed")
        sent = msgspec.json.encode(drawn.question).decode()
        assert set(msgspec.json.decode(sent)) == {"id", "kind", "text", "code", "choices", "unit"}
        assert all(
            set(choice) == {"letter", "text"} for choice in msgspec.json.decode(sent)["choices"]
        )
        assert "secret seed" not in sent
        assert "answer =" not in sent


# --- draws -----------------------------------------------------------------------------------------


def test_a_seed_decides_everything() -> None:
    """In another process, with another hash seed, the same question."""
    code = (
        "from ascend_lab.exercise.theory import theory; "
        "print([theory().find('moving/copy-rounds').draw(s) for s in range(3)])"
    )
    there = [
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": seed},
        ).stdout.strip()
        for seed in ("1", "2")
    ]
    here = str([THEORY.find("moving/copy-rounds").draw(seed) for seed in range(3)])
    assert there == [here, here]


def test_seeds_differ() -> None:
    found = toy()
    orders = {tuple(option.name for option in found.draw(seed).options) for seed in range(40)}
    assert len(orders) == 6
    assert {found.draw(seed).parameters["n"] for seed in range(60)} == {1, 3, 4, 5, 6, 7, 8, 9} - {
        1
    }


def test_options_that_say_the_same_are_drawn_again() -> None:
    """2 * n == n + 1 for n = 1: never drawn, though `where` allows it."""
    assert all(toy().draw(seed).parameters["n"] != 1 for seed in range(100))


def test_a_condition_that_nothing_fulfils() -> None:
    with pytest.raises(TaskError, match=r"toy\.toml: items\[0\]\.where: no allowed draw"):
        toy('"n != 2"', '"n > 9"').draw(0)


def test_a_foreseen_mistake_that_is_right_is_left_out() -> None:
    found = toy('"single"', '"compute"')
    by_n = {drawn.parameters["n"]: drawn for drawn in map(found.draw, range(60))}
    assert [option.name for option in by_n[1].options] == ["double", "square"]
    assert by_n[3].key == ("6",)


def test_words_of_each_language() -> None:
    parameters = {"way_zh": "读", "way_en": "read", "n": 2.5}
    assert fill("{way} {n} {other}", parameters, "zh") == "读 2.5 {other}"
    assert fill("{way} {n}", parameters, "en") == "read 2.5"


# --- witnesses -------------------------------------------------------------------------------------


def test_a_wrong_key_is_caught() -> None:
    found = toy('value = "2 * n"', 'value = "2 * n + 20"')
    drawn = found.draw(0)
    n = drawn.parameters["n"]
    said = rf"toy\.toml: items\[0\]\.witness: double \(n={n}\): the key says .*, the model {2 * int(n)}"
    with pytest.raises(TaskError, match=said):
        found.prove(drawn)


@pytest.mark.parametrize(
    ("id", "name"),
    [("moving/copy-rounds", "down"), ("order/lookahead", "num"), ("vector/counter-mask", "count")],
)
def test_a_wrong_key_of_the_bank_is_caught(id: str, name: str) -> None:
    """Calling another option right makes the witness disagree."""
    found = THEORY.find(id)
    options = [
        msgspec.structs.replace(option, right=index == 1)
        for index, option in enumerate(found.item.options)
    ]
    assert found.item.options[0].name == name
    wrong: Item = msgspec.structs.replace(found.item, options=tuple(options))
    with pytest.raises(TaskError, match="the key says"):
        prove(found.topic, wrong, draw(wrong, 1))


def test_a_witness_that_fails_says_why() -> None:
    found = toy("answer = twice(n)", "answer = thrice(n)")
    with pytest.raises(TaskError, match="the cell fails: NameError: name 'thrice'"):
        found.prove(found.draw(0))


def test_a_cell_runs_by_itself() -> None:
    found = toy("answer = twice(n)", "if True:\n    {code}\nanswer = twice(n)")
    drawn = found.draw(3)
    text = cell(found.topic, found.item, drawn)
    assert text.startswith("import numpy as np\n")
    assert f"\n    twice({drawn.parameters['n']})\n" in text
    assert run(text) == 2 * int(drawn.parameters["n"])


# --- answers ---------------------------------------------------------------------------------------


def test_marking_a_choice() -> None:
    drawn = toy().draw(0)
    right = drawn.key[0]
    wrong = next(option for option in drawn.options if option.name == "square")
    assert mark(drawn, right).is_right
    assert mark(drawn, right.lower()).is_right
    told = mark(drawn, wrong.letter)
    assert (told.is_right, told.key) == (False, (right,))
    assert told.whys[0][1].en == f"That is the square {wrong.value}."
    for nothing in ("", None, "Z", 3, f"{right}Z"):
        empty = mark(drawn, nothing)
        assert (empty.is_right, empty.given, empty.key, empty.whys) == (False, (), (), ())
    assert not mark(drawn, f"{right}{wrong.letter}").is_right


def test_marking_several() -> None:
    drawn = THEORY.find("order/which-pipe").draw(0)
    key = drawn.key
    assert mark(drawn, key).is_right
    assert mark(drawn, ", ".join(reversed(key))).is_right
    assert mark(drawn, "".join(key)).is_right
    assert not mark(drawn, key[:1]).is_right
    extra = next(option.letter for option in drawn.options if not option.is_right)
    told = mark(drawn, [*key, extra])
    assert not told.is_right
    assert [letter for letter, _ in told.whys] == [extra]


def test_marking_true_and_false() -> None:
    drawn = THEORY.find("memory/shared-ub").draw(0)
    holds = drawn.key == ("A",)
    for text in (holds, "true" if holds else "false", "对" if holds else "错", drawn.key[0]):
        assert mark(drawn, text).is_right
    told = mark(drawn, not holds)
    assert not told.is_right
    assert len(told.whys) == 1


def test_marking_a_number() -> None:
    drawn = toy('"single"', '"compute"').draw(0)
    n = int(drawn.parameters["n"])
    assert mark(drawn, 2 * n).is_right
    assert mark(drawn, f" {2 * n}.0 ").is_right
    assert mark(drawn, n * n).whys[0][1].zh == f"这是平方 {n * n}。"
    assert mark(drawn, 1000).whys == ()
    assert mark(drawn, "many").given == ()
    assert mark(drawn, True).given == ()


# --- mistakes of authors ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "key", "near"),
    [
        ('kind = "single"', 'kind = "singel"', "items[0].kind", ("single",)),
        ("right = true", "rihgt = true", "items[0].options[0].rihgt", ("right",)),
        ('where = "n != 2"', 'where = "m != 2"', "items[0].where", ()),
        ('value = "n * n"', 'value = "n *"', "items[0].options[1].value", ()),
        ("{n} 的两倍？", "{m} 的两倍？", "items[0].text.zh", ()),
        ("{n} 的两倍？", "两倍？", "items[0].text", ()),
        ("{n} 的两倍？", " ", "items[0].text.zh", ()),
        ("n = { range = [1, 9] }", "n = { range = [9, 1] }", "items[0].draw.n", ()),
        ("n = { range = [1, 9] }", "n = {}", "items[0].draw.n", ()),
        ("n = { range = [1, 9] }", "np = { range = [1, 9] }", "items[0].draw", ()),
        ("n = { range = [1, 9] }", "n = { choices = [1, { n = 2 }] }", "items[0].draw.n", ()),
        (
            "n = { range = [1, 9] }",
            "twice = { choices = [1] }\nn = { range = [1, 9] }",
            "items[0].draw",
            (),
        ),
        ("answer = twice(n)", "result = twice(n)", "items[0].witness", ()),
        ("answer = twice(n)", "answer = (", "items[0].witness", ()),
        ("def twice(number):", "def twice(number)", "prelude", ()),
        ('id = "double"', 'id = "Double it"', "items[0].id", ()),
        (
            'why = { zh = "这是下一个数。", en = "That is the next number." }',
            "",
            "items[0].options[2].why",
            (),
        ),
        ('value = "n + 1"\n', "", "items[0].options", ()),
        ('kind = "single"', 'kind = "true_false"', "items[0].options", ()),
        ('kind = "single"', 'kind = "single"\nright = true', "items[0].right", ()),
        ('name = "next"', 'name = "square"', "items[0].options", ()),
        ("witness = ", "unit = 3\nwitness = ", "items[0].unit", ()),
    ],
)
def test_each_mistake_is_named(old: str, new: str, key: str, near: tuple[str, ...]) -> None:
    error = broken(old, new)
    assert (error.file, error.key) == ("toy.toml", key)
    assert error.near == near
    for lang in ("zh", "en"):
        assert error.message(lang).startswith(f"toy.toml: {key}: ")
    assert CJK.search(error.message("zh"))
    assert not CJK.search(error.text("en"))


def test_unknown_names_get_near_ones() -> None:
    with pytest.raises(TaskError) as caught:
        THEORY.find("moving/copy-round")
    assert caught.value.near[0] == "moving/copy-rounds"
    with pytest.raises(TaskError) as caught:
        THEORY.topic("movin")
    assert caught.value.near[0] == "moving"
