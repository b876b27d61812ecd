"""Grades a folder: what has to be judged, what the journal has already, what comes of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ascend_lab.exercise import AnswerFault, Bank, Both, ChildFault, Task
from grader.collecting import Student
from grader.frames import Done, Work
from grader.journal import Entry, Journal, Row
from grader.marks import Class, Mark, Report
from grader.pool import Pool

#: Called with the number of judgements made and to be made.
Tick = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Job:
    """One answer to be judged."""

    student: str
    task: Task
    key: str
    work: Work


@dataclass(slots=True)
class Grading:
    """One run of the grader over one folder."""

    bank: Bank
    tasks: Sequence[Task]
    students: Sequence[Student]
    journal: Journal
    workers: int

    def run(self, tick: Tick) -> Class:
        """Judge what is not in the journal yet, and put all marks together."""
        marks, jobs = self._plan()
        tick(0, len(jobs))
        if jobs:
            self._judge(jobs, marks, tick)
        reports = tuple(self._report(student, marks) for student in self.students)
        self.journal.finish(
            _row(student, mark, self.journal.lab) for (student, _), mark in marks.items()
        )
        return Class(tuple((task.id, task.title) for task in self.tasks), reports)

    def _plan(self) -> tuple[dict[tuple[str, str], Mark], list[Job]]:
        """The marks that are known, and what has to be judged for the others."""
        marks: dict[tuple[str, str], Mark] = {}
        jobs = []
        for student in self.students:
            for task in self.tasks:
                planned = self._one(student, task)
                if isinstance(planned, Job):
                    jobs.append(planned)
                else:
                    marks[student.id, task.id] = planned
        return marks, jobs

    def _one(self, student: Student, task: Task) -> Job | Mark:
        paper = student.paper_for(task)
        fault = paper if isinstance(paper, AnswerFault) else paper.fault
        if isinstance(paper, AnswerFault) or paper.answer is None:
            assert fault is not None
            return _ungraded(task, Both(fault.message("zh"), fault.message("en")))
        key = self.journal.key(task, paper.answer)
        known = self.journal.find(key)
        if known is not None:
            return _mark(task, known)
        return Job(student.id, task, key, Work(task.id, paper.answer))

    def _judge(self, jobs: Sequence[Job], marks: dict[tuple[str, str], Mark], tick: Tick) -> None:
        size = min(self.workers, len(jobs))
        with Pool[int](size, self.bank.folder, self.journal.seed) as pool:
            numbered = [(number, job.work) for number, job in enumerate(jobs)]
            for count, (number, done) in enumerate(pool.run(numbered), 1):
                job = jobs[number]
                marks[job.student, job.task.id] = self._keep(job, done)
                tick(count, len(jobs))

    def _keep(self, job: Job, done: Done) -> Mark:
        if done.result is None:
            fault = ChildFault("internal", message=done.problem)
            return _ungraded(job.task, Both(fault.message("zh"), fault.message("en")))
        entry = Entry(job.key, done.result, done.pictures)
        self.journal.add(entry, job.work.answer)
        return _mark(job.task, entry)

    def _report(self, student: Student, marks: dict[tuple[str, str], Mark]) -> Report:
        return Report(
            student.id,
            tuple(paper.name for paper in student.papers),
            tuple(marks[student.id, task.id] for task in self.tasks),
            student.texts(),
            {task.id: student.called(task) for task in self.tasks},
        )


def _mark(task: Task, entry: Entry) -> Mark:
    return Mark(task.id, task.title, task.points.total, entry.result, entry.pictures, key=entry.key)


def _row(student: str, mark: Mark, lab: str) -> Row:
    """A mark as the journal keeps it of a finished run."""
    shown = (student, mark.task, mark.word, mark.points, mark.possible)
    if mark.result is None:
        return Row(*shown)
    made = mark.result.provenance
    return Row(*shown, made.answer_digest, made.task_digest, lab, made.seed, mark.key)


def _ungraded(task: Task, reason: Both) -> Mark:
    return Mark(task.id, task.title, task.points.total, reason=reason)


def workers(asked: str) -> int:
    """How many workers "auto" or a number means. Raises ValueError for anything else."""
    if asked == "auto":
        return os.cpu_count() or 1
    number = int(asked)
    if number < 1:
        raise ValueError(asked)
    return number
