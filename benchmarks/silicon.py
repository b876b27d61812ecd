"""Published silicon beside the model: each case is a kernel that is run, no formula.

    python benchmarks/silicon.py [--quick] [--cases FILE] [--write] [--add-steps] [--prove-share] [--sensitivities]

Prints predicted, measured, error, and the error with the fitted parameters refitted without the case ("left out";
"-": no other case tells that parameter, "table": nothing was fitted), by class; then the pairs. The last line is for
whole kernels (for all cases when there is none): ``MAPE x % worst y % n cases``. ``--help-cases`` prints the words in
which a case names its kernel. ``--write`` also writes the table that views show.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from ascend_lab import chips
from ascend_lab.chips import ChipError
from benchmarks.silicon_cases import fitting
from benchmarks.silicon_cases.cases import INDICATIVE, OPEN_SET, Case, partners, quicker, read
from benchmarks.silicon_cases.running import predict
from benchmarks.silicon_cases.samples import MODELS
from benchmarks.silicon_cases.vocabulary import DOCUMENT, Model, model

TABLE = Path(__file__).resolve().parent.parent / "ascend_lab" / "profile" / "silicon.json"
SLOPES = Path(__file__).parent / "silicon_cases" / "sensitivities.json"
ORDER = ("whole kernel", "DMA only", "bank conflicts", "launch", "V busy", "S busy", *INDICATIVE)
#: Published or tabulated figures that a pair's gain may miss by: a third of it, or points of percent.
_POINTS = 3.0
#: What is known of a miss of more than 3 %, printed under its class.
CAUSES = {
    (
        "a2_nd2nz_s2",
        "S busy",
    ): "not explained: 5.4 us are missing. Fetching code is not modelled, and its README publishes misses of the"
    " instruction cache (0.5 %), which may be a part of it",
    (
        "a2_mmgelu_gelu",
        "whole kernel",
    ): "the tile is derived from the source for another chip (samples.py)",
}


@dataclass(frozen=True)
class Row:
    """One comparison."""

    id: str
    chip: str
    kind: str
    quantity: str
    measured: float
    predicted: float
    source: str
    left_out: float | str | None = None

    @property
    def error(self) -> float:
        """In percent."""
        return 100 * (self.predicted / self.measured - 1)

    @property
    def key(self) -> str:
        return f"{self.id}:{self.quantity}"


def compare(cases: list[Case]) -> tuple[list[Row], dict[str, dict[str, float]]]:
    """The rows of the cases, and everything the model said of each."""
    rows, said = [], {}
    for case in cases:
        said[case.id] = found = predict(case.model, chips.shared(case.chip))
        for quantity, kind in case.judged.items():
            measured = case.metrics[quantity]
            rows.append(
                Row(case.id, case.chip, kind, quantity, measured, found[quantity], case.source)
            )
    return rows, said


def with_left_out(rows: list[Row]) -> list[Row]:
    """The rows with what they would be had the others alone been fitted."""
    slopes = json.loads(SLOPES.read_text(encoding="utf-8")) if SLOPES.exists() else {}
    errors = {
        row.key: math.log(row.predicted / row.measured)
        for row in rows
        if row.key in slopes
        and row.kind not in INDICATIVE
        and not (row.kind == "S busy" and (row.id, row.kind) in CAUSES)
    }  # a busy time of S that the model cannot know was never fitted, nor were those of MTE
    without = fitting.left_out(errors, slopes)
    made = []
    for row in rows:
        value: float | str | None = None if row.kind in INDICATIVE else "table"
        if row.key in without:
            found = without[row.key]
            value = None if found is None else 100 * (math.exp(found) - 1)
        made.append(replace(row, left_out=value))
    return made


def show(rows: list[Row]) -> None:
    """A table for each class, and its mean and worst error."""
    by_kind: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_kind[row.kind].append(row)
    for kind in ORDER:
        found = by_kind.get(kind)
        if not found:
            continue
        print(f"\n{kind}{' (indicative)' if kind in INDICATIVE else ''}")
        print(
            f"  {'case':22s} {'quantity':20s} {'measured':>12s} {'predicted':>12s} {'error':>8s} {'left out':>9s}"
        )
        for row in found:
            print(
                f"  {row.id:22s} {row.quantity:20s} {row.measured:12.2f} {row.predicted:12.2f}"
                f" {row.error:+7.1f}% {_left_out(row):>9s}"
            )
            cause = CAUSES.get((row.id, kind))
            if cause and abs(row.error) > 3:
                print(f"    {cause}")
        print(f"  {summary(found)}")
        without = [abs(row.left_out) for row in found if isinstance(row.left_out, float)]
        if without:
            mean = sum(without) / len(without)
            print(f"  left out: MAPE {mean:.1f} % worst {max(without):.1f} % {len(without)} cases")


def _left_out(row: Row) -> str:
    if isinstance(row.left_out, str):
        return row.left_out
    return "-" if row.left_out is None else f"{row.left_out:+.1f}%"


def summary(rows: list[Row]) -> str:
    errors = [abs(row.error) for row in rows]
    mean = sum(errors) / len(errors)
    return f"MAPE {mean:.1f} % worst {max(errors):.1f} % {len(rows)} cases"


def pairs(cases: list[Case], said: dict[str, dict[str, float]]) -> None:
    """Published gains beside those of the model."""
    paired = [case for case in cases if case.speedup and case.paired_with in said]
    if not paired:
        return
    print("\npairs (time of the first / time of the second)")
    for case in paired:
        quantity = "task_duration_us" if "task_duration_us" in said[case.id] else case.main
        gain = 100 * (said[case.paired_with][quantity] / said[case.id][quantity] - 1)
        published = 100 * (case.speedup - 1)
        reached = gain * published > 0 and abs(gain - published) <= max(abs(published) / 3, _POINTS)
        print(
            f"  {case.paired_with:16s} -> {case.id:16s} published {published:+9.1f}%"
            f"  model {gain:+9.1f}%  {'reached' if reached else 'NOT REACHED'}"
        )


def write(rows: list[Row]) -> None:
    """The table for views: one object for each comparison."""
    table = [
        {
            "id": row.id, "chip": row.chip, "class": row.kind, "quantity": row.quantity,
            "unit": "us" if row.quantity.endswith("_us") else "ticks of 20 ns",
            "measured": row.measured, "predicted": round(row.predicted, 3),
            "error": round(row.error, 2), "source": row.source,
            "use": "fit" if row.id in fitting.used(chips.shared(row.chip)) else "check",
        }
        for row in rows
    ]  # fmt: skip
    TABLE.write_text(json.dumps(table, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"\nwrote {TABLE.name}")


def add_steps(quick: bool) -> None:
    """The seven published steps of Add on 8192 x 8192 half."""
    known = {case.id: case for case in read()}
    said = {
        0: "element by element on S", 1: "one core, one buffer, 8 KB", 2: "48 cores",
        3: "tiles of 32 KB", 4: "two buffers", 5: "x and y pass L2 by", 6: "no bank conflict",
    }  # fmt: skip
    print(f"{'step':38s} {'silicon us':>12s} {'model us':>12s} {'error':>8s} {'gain':>8s}")
    before = 0.0
    for number, what in said.items():
        name = f"a2_add_c{number}"
        case = known.get(name) or Case(name, "Ascend910B1", model(MODELS[name]), {})
        case = quicker(case) if quick else case
        found = predict(case.model, chips.shared())["task_duration_us"]
        measured = case.metrics.get("task_duration_us")
        silicon = f"{measured:12.2f}" if measured else f"{'not in set':>12s}"
        error = f"{100 * (found / measured - 1):+7.1f}%" if measured else f"{'':8s}"
        gain = f"{before / found:7.2f}x" if before else ""
        print(f"{number} {what:36s} {silicon} {found:12.2f} {error} {gain:>8s}", flush=True)
        before = found


def prove_share() -> bool:
    """One case whole and as the share that ``--quick`` takes."""
    case = next(case for case in read() if case.id == "a2_add_c4")
    whole = predict(case.model, chips.shared())
    part = predict(quicker(case).model, chips.shared())
    print(f"{case.id}: whole, 1/{quicker(case).model.share}, difference")
    worst = 0.0
    for name in ("aiv_time_us", "task_duration_us", "aiv_vec_time_us", "aiv_scalar_time_us"):
        away = 100 * (part[name] / whole[name] - 1)
        worst = max(worst, abs(away)) if "scalar" not in name else worst
        print(f"  {name:20s} {whole[name]:10.2f} {part[name]:10.2f} {away:+6.2f}%")
    print(
        f"largest difference {worst:.2f} % of time and V ({'below' if worst < 1 else 'ABOVE'} 1 %)"
    )
    return worst < 1


def sensitivities() -> None:
    """Run every case with every fitted parameter 2 % larger, and keep d ln / d ln."""
    slopes: dict[str, dict[str, float]] = defaultdict(dict)
    cases = [
        replace(c, model=replace(c.model, share=fitting.COARSE[c.id]))
        for c in read()
        if c.id in fitting.COARSE
    ]
    base = {row.key: row.predicted for row in compare(cases)[0]}
    for path in fitting.FITTED:
        reached = fitting.REACHES[path.partition(".")[0]]
        for case in (c for c in cases if c.model.kind in reached):
            if case.model.scalar and not path.startswith("scalar"):
                continue  # all of it is S
            spec = fitting.changed(chips.shared(case.chip), path, 1 + fitting.STEP)
            found = predict(case.model, spec)
            for quantity in case.judged:
                key = f"{case.id}:{quantity}"
                slope = math.log(found[quantity] / base[key]) / math.log(1 + fitting.STEP)
                slopes[key][path] = round(slope, 4)
        SLOPES.write_text(json.dumps(slopes, indent=1) + "\n", encoding="utf-8")
        print(path, flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="simulate a share of the larger cases")
    parser.add_argument(
        "--cases", type=Path, help="a JSON file of further cases, instead of the open set"
    )
    for name in ("write", "add-steps", "prove-share", "sensitivities", "help-cases"):
        parser.add_argument(f"--{name}", action="store_true")
    options = parser.parse_args()
    if options.help_cases:
        print(DOCUMENT)
        return 0
    if options.add_steps:
        add_steps(options.quick)
        return 0
    if options.prove_share:
        return 0 if prove_share() else 1
    if options.sensitivities:
        sensitivities()
        return 0
    return report(options)


def report(options: Any) -> int:
    try:
        cases = read(options.cases or OPEN_SET, options.quick)
        rows, said = compare(cases)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        print(f"{options.cases}: {reason}\n读不到 {options.cases}：{reason}", file=sys.stderr)
        return 2
    except ChipError as error:
        print(f"{error.message('en')}\n{error.message('zh')}", file=sys.stderr)
        return 2
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        print(not_json(options.cases, error), file=sys.stderr)
        return 2
    except ValueError as error:
        print(f"{options.cases}: {error}", file=sys.stderr)
        return 2
    rows = with_left_out(rows)
    for name, kernel in partners(cases).items():
        case = Case(name, "Ascend910B1", kernel, {})
        said[name] = predict(_model(case, options.quick), chips.shared())
    show(rows)
    pairs(cases, said)
    if options.write:
        write(rows)
    whole = [row for row in rows if row.kind == "whole kernel"]
    if not rows:
        print(
            "no case could be run: see --help-cases\n没有可运行的用例：见 --help-cases",
            file=sys.stderr,
        )
        return 2
    print(f"\n{summary(whole or rows)}")
    return 0


def not_json(file: Path, error: json.JSONDecodeError | UnicodeDecodeError) -> str:
    """Where a file stops being JSON, in both languages."""
    if isinstance(error, UnicodeDecodeError):
        byte = error.start + 1
        return f"{file}: not UTF-8 at byte {byte}\n{file}：第 {byte} 字节不是 UTF-8"
    line, column = error.lineno, error.colno
    return (
        f"{file}: not JSON at line {line}, column {column}: look at commas, quotes and brackets\n"
        f"{file}：第 {line} 行第 {column} 列不是合法的 JSON：请检查逗号、引号和括号"
    )


def _model(case: Case, quick: bool) -> Model:
    return quicker(case).model if quick else case.model


if __name__ == "__main__":
    sys.exit(main())
