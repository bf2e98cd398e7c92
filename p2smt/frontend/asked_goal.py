"""The goal that a user asks for beside a file, which takes precedence over the file's own."""

from dataclasses import dataclass, replace

from p2smt.collective import Collective
from p2smt.verify.goal import check_goal, goal_on, payload
from p2smt.verify.operation import GoalCollective, adds_members, has_root
from p2smt.verify.plan import Goal, Groups, Part, VerificationPlan


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedGoal:
    """The goal that a user asks for; None stands for the file's own goal, or else an AllReduce among all devices."""

    collective: GoalCollective | None = None
    groups: Groups | None = None
    root: int | None = None
    average: bool = False

    def between(self, devices: int, source: Part, target: Part) -> Goal:
        """The goal of a program that begins with its input in one part and ends with its result in another.

        Whether their lengths fit the collective is not looked at.
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
        """The plan with the goal that is asked for on the payload of its own.

        Raises VerifyError where it does not fit the plan's devices and buffers.
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
