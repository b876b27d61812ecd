"""The words of the arena, in Chinese and English."""

from __future__ import annotations

from collections.abc import Mapping

from ascend_lab.course.edition import Lang

_WORDS: Mapping[str, tuple[str, str]] = {
    "board": ("擂台", "The arena"),
    "classes": ("错误的类别", "Classes of faults"),
    "costs": (
        "计时（分钟）：阅读 3，运行一次 2，第 n 级提示 4n，答错一次 5。不看时钟。",
        "Minutes: reading 3, a run 2, a hint of level n 4n, a wrong answer 5. No clock is read.",
    ),
    "found": ("找到 {got} / {of}", "{got} of {of} found"),
    "minutes": ("{n} 分钟", "{n} min"),
    "belt_yellow": ("黄带", "yellow belt"),
    "belt_green": ("绿带", "green belt"),
    "belt_black": ("黑带", "black belt"),
    "no_belt": ("还没有带", "no belt yet"),
    "report": ("用户报告", "Its user reports"),
    "no_auto_sync": (
        "没有自动同步：所有的边都由核函数自己完成。",
        "No automatic synchronisation: every edge is the kernel's own.",
    ),
    "ran": ("运行结果", "what a run shows"),
    "realistic": ("通常的次序", "usual order"),
    "adversarial": ("另一种次序", "another order"),
    "case_right": ("正确", "right"),
    "case_wrong": ("不正确，或没有正常结束", "wrong, or it did not end well"),
    "case_lucky": (
        "值碰巧正确，但运行有问题",
        "right values by luck: something is wrong with the run",
    ),
    "case_none": ("没有一个用例能正常结束。", "No case ends as it should."),
    "hint": ("提示 {level} / {of}", "Hint {level} of {of}"),
    "empty": ('尚未作答：写成 {{"编号": 行号}}。', 'Open: write {{"id": line}}.'),
    "one": (
        '每个核函数只有一处错误，写一个答案：{{"编号": 行号}}。',
        'Each kernel has one fault; give one answer: {{"id": line}}.',
    ),
    "wrong": (
        "{id}，第 {line} 行：不对。是类别还是行号不对，擂台上不说。",
        "{id}, line {line}: no. Whether it is the class or the line is not told here.",
    ),
    "line": ("第 {n} 行", "line {n}"),
    "unknown": ("没有这个核函数。有：{known}。", "There is no such kernel. There are: {known}."),
    "standing": ("排名", "Standing"),
    "nobody": (
        "找到第一处错误之后，这里有排名。",
        "There is a ranking once the first fault is found.",
    ),
    "you": ("你", "you"),
    "player_reader": ("只读代码的人", "one who only reads"),
    "player_runner": ("每个运行一次的人", "one who runs each once"),
    "player_hinted": ("看完所有提示的人", "one who takes all hints"),
    "mutant_empty": (
        "尚未作答：放进一处错误，并写出它的编号。",
        "Open: put a fault in, and say its id.",
    ),
    "mutant_dead": (
        "这个变异体不能加载，不算。",
        "This mutant does not load, so it does not count.",
    ),
    "mutant_given": (
        "这就是任务中给出的核函数；换一处错误。",
        "This is the kernel that the task handed out; choose another fault.",
    ),
    "mutant_harmless": (
        "所有用例、所有次序下结果都正确：这处改动不是错误（等价变异体）。",
        "Right in every case and every order: the change is no fault (an equivalent mutant).",
    ),
    "mutant_unseen": (
        "结果错了，但没有检查指出原因：换一种会被发现的错误。",
        "The results are wrong, and no check says why: choose a fault that is found.",
    ),
    "mutant_other": (
        "发现的是 {ids}，不是 {id}。改正编号，或者改换错误。",
        "What is found is {ids}, not {id}. Change the id, or the fault.",
    ),
    "mutant_caught": (
        "{id}：确实有影响，也以它自己的编号被发现。把它交给同伴去找。",
        "{id}: alive, and found under its own id. Now let a partner look for it.",
    ),
}


def say(key: str, lang: Lang, **values: object) -> str:
    """The text of ``key`` in ``lang``, its places filled."""
    return _WORDS[key][lang == "en"].format(**values)
