"""The goal that a user asks for beside a file, which takes precedence over the file's own."""

from dataclasses import dataclass, replace

from p2smt.collective import Collective
from p2smt.verify.goal import check_goal, goal_on, payload
from p2smt.verify.operation import GoalCollective, adds_members, has_root
from p2smt.verify.plan import BufferRange, Goal, Groups, VerificationPlan


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedGoal:
    """The goal that a user requests; None fields keep the file's goal, or default to an AllReduce of all devices."""

    collective: GoalCollective | None = None
    groups: Groups | None = None
    root: int | None = None
    average: bool = False

    def between(self, devices: int, source: BufferRange, target: BufferRange) -> Goal:
        """Return the goal of a program that starts with its input in `source` and ends with its result in `target`.

        The caller has to check that the lengths of both parts fit the collective.
        """
        return Goal(
            collective=self.collective or Collective.ALL_REDUCE,
            groups=(tuple(range(devices)),) if self.groups is None else self.groups,
            source=source,
            target=target,
            root=self.root or 0,
            average=self.average,
        )

    def over(self, plan: VerificationPlan) -> VerificationPlan:
        """Return the plan with the requested goal, applied to the plan's own payload.

        Raises VerifyError if the goal does not fit the plan's devices and buffers.
        """
        if self == AS_WRITTEN:
            return plan
        old, length = plan.goal, payload(plan.goal).length
        collective = self.collective or old.collective
        goal = goal_on(
            collective,
            old.groups if self.groups is None else self.groups,
            replace(old.source, length=length),
            replace(old.target, length=length),
            root=self.root or (old.root if self.root is None and has_root(collective) else 0),
            average=self.average or (old.average and adds_members(collective)),
        )
        check_goal(goal, plan.devices, plan.buffers)
        return replace(plan, goal=goal)


AS_WRITTEN = AskedGoal()
