"""The words of the cards a notebook shows, in Chinese and English."""

from __future__ import annotations

from collections.abc import Mapping

from ascend_lab.course.edition import Lang

_WORDS: Mapping[str, tuple[str, str]] = {
    # the check card
    "points": ("{got} / {of} 分", "{got} / {of} points"),
    "not_attempted": ("尚未作答", "not attempted"),
    "not_attempted_why": (
        "代码还和给出的一样。改好之后再运行一次这个单元格。",
        "The code is still as it was given. Run this cell again when you have changed it.",
    ),
    "hidden_note": (
        "评分时还有 {points} 分给隐藏用例：{names}。",
        "Grading adds {points} points for hidden cases: {names}.",
    ),
    "portability": (
        "可移植性（不影响得分）：在模型上能运行，但 pyasc 不接受，在卡上无法编译：",
        "Portability (costs no points): this runs on the model, but pyasc refuses it for a card:",
    ),
    "hint_offer": (
        '卡住了？lab.hint("{task}") 给出第 {level} 级提示（共 {of} 级）。',
        'Stuck? lab.hint("{task}") shows hint {level} of {of}.',
    ),
    "hidden_left": (
        "评分时还有 {points} 分给隐藏用例。",
        "Grading adds {points} points for hidden cases.",
    ),
    # hints
    "hint": ("提示 {level} / {of}", "Hint {level} of {of}"),
    "no_hint": ("这道任务没有提示。", "This task has no hints."),
    "last_hint": ("这是最后一级提示。", "This was the last one."),
    # predictions
    "prediction": ("预测", "Prediction"),
    "predict_first": (
        "还没有预测：把 None 换成你的答案，再往下运行。预测不计分。",
        "No prediction yet: replace None by your answer, then go on. Predictions are not marked.",
    ),
    "predicted": (
        "你的预测：{what}。继续运行，看看是否如此。",
        "You predict {what}. Go on and see.",
    ),
    "you_said": ("你的预测", "you said"),
    "it_is": ("运行结果", "the run shows"),
    "right": ("与运行结果一致。", "That is what the run shows."),
    "other": (
        "与运行结果不同。想一想差别从哪里来，再看下面的说明。",
        "The run shows something else. Find out where the difference comes from before you read on.",
    ),
    "nothing_said": ("没有预测", "nothing"),
    "clean": ("没有问题", "clean"),
    "foretold": ("预测正确", "as you predicted"),
    "unseen": ("你预测的 {what}：还没有出现", "You predicted {what}: not seen yet"),
    "steps": ("依次看到的问题", "What the runs have shown so far"),
    # hunts
    "hunt_empty": (
        '尚未作答：写成 {{"编号": 行号}}。',
        'Not attempted: write {{"id": line}}.',
    ),
    "hunt_count": ("找到 {found} 处，共 {of} 处", "{found} of {of} found"),
    "hunt_right": ("正确", "right"),
    "hunt_line": ("有这个问题，但不在这一行", "there is such a fault, on another line"),
    "hunt_wrong": ("没有这个问题", "no such fault here"),
    "hunt_too_many": (
        "最多写 {of} 个答案；现在有 {given} 个。",
        "At most {of} answers count; there are {given}.",
    ),
    "hunt_malformed": (
        '看不懂这个答案：{what}。应写成 {{"编号": 行号}}，例如 {{"C3": 12}}。',
        'This answer cannot be read: {what}. Write {{"id": line}}, such as {{"C3": 12}}.',
    ),
    "line": ("第 {line} 行", "line {line}"),
    # theory questions
    "quiz_single": ("单选题", "One answer is right"),
    "quiz_multi": ("多选题", "Choose all that are right"),
    "quiz_true_false": ("判断题", "True or false"),
    "quiz_compute": ("计算题", "A number"),
    "quiz_open": ("未作答", "open"),
    "quiz_right": ("正确", "right"),
    "quiz_wrong": ("不正确", "not right"),
    "quiz_answer": (
        '作答：lab.quiz("{item}", {example})',
        'Answer with lab.quiz("{item}", {example})',
    ),
    "quiz_said": ("你的答案：{given}；正确答案：{right}。", "You said {given}; right is {right}."),
    "quiz_witness": (
        "证明：把这段代码放进一个单元运行，answer 就是模型的结果",
        "Proof: run this in a cell of its own; answer is what the model does",
    ),
    # progress
    "progress": ("进度", "Progress"),
    "hunts": ("找错", "fault hunt"),
    "not_saved": (
        "进度没能保存到这台电脑上，关闭之后会丢失；不影响作答。",
        "The progress could not be saved on this computer and will be lost when you close it; "
        "the exercises work all the same.",
    ),
    # what a card says of a run
    "run": ("{kernel} · {chip} · {time} us{mark}", "{kernel} · {chip} · {time} us{mark}"),
    "uncalibrated": ("（未校准）", " (not calibrated)"),
    "no_source": (
        "需要一个核函数，或一段源代码；得到的是 {what}。",
        "A kernel or its source text is needed; this is {what}.",
    ),
    # host programs
    "program_times": (
        "主机调用和拷贝的时间是假定的，没有公开实测；核函数的时间来自模型。",
        "Times of the host's calls and of copies are assumed, for none is published; those of kernels are the model's.",
    ),
    "program_ran": ("主机程序 · {time} us", "Host program · {time} us"),
    "program_values": ("返回值", "What it returns"),
    "program_findings": ("主机程序没有问题", "No findings of the host program"),
    "program_time": ("模型上的时间", "Time on the model"),
    "program_hint": ('卡住了？lab.hint("{task}")', 'Stuck? lab.hint("{task}")'),
    # cells in Ascend C
    "cpp_skipped": ("这个单元没有运行", "This cell was not run"),
    "cpp_broken": ("编译失败", "It does not compile"),
    "cpp_warned": ("编译器的警告", "Warnings of the compiler"),
    "cpp_compiled": ("编译成功，可以从 Python 启动", "Compiled; launch it from Python"),
    "cpp_program": ("程序", "Program"),
    "cpp_failed": ("未通过", "not well"),
    "cpp_exit": ("程序结束，返回值 {code}", "The program ended and returned {code}"),
    "cpp_more_launches": (
        "另有 {count} 次启动没有显示。",
        "{count} more launches are not shown.",
    ),
    "cpp_cut": (
        "（输出太长，只显示前 {count} KB）",
        "(only the first {count} KB of what it printed are shown)",
    ),
    "cpp_one_kernel": (
        "-n {name} 要求单元里恰好有一个核函数；现在有：{known}。不写 -n，就用核函数自己的名字。",
        "-n {name} is for a cell with one kernel; this one has: {known}. Without -n they keep their own names.",
    ),
    "cpp_usage": (
        "看不懂 %%ascendc 这一行（{what}）。写法：%%ascendc [-n 名字] [--call 表达式] [--timeline] [--metrics]",
        "The line of %%ascendc cannot be read ({what}). Write: %%ascendc [-n NAME] [--call EXPRESSION] "
        "[--timeline] [--metrics]",
    ),
    "about": ("版本", "Versions"),
    "no_task": ("没有 {what}。这个实验有：{known}。", "There is no {what}. This lab has: {known}."),
}


def say(key: str, lang: Lang, **values: object) -> str:
    """The text of ``key`` in ``lang``, its places filled."""
    return _WORDS[key][lang == "en"].format(**values)


def listed(words: list[str], lang: Lang) -> str:
    """A list as part of a sentence."""
    return ("、" if lang == "zh" else ", ").join(words)


def parted(words: list[str], lang: Lang) -> str:
    """A list of phrases, which may have commas of their own."""
    return ("；" if lang == "zh" else "; ").join(words)
