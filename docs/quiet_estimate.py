"""Quiescence search inside an estimate, which the page on own algorithms explains."""

from math import inf

from attrs import frozen

from games import MAXIE, Othello, Status
from games.othello import Disks


@frozen
class QuietOthello(Othello):
    """Othello whose estimate goes on by moves that change it by more than `swing`."""

    swing: float = 2.0
    extra: int = 4

    def estimate(self, state: Disks) -> float:
        return self.quieted(state, self.extra, -inf, inf)

    def quieted(self, state: Disks, plies: int, alpha: float, beta: float) -> float:
        now = best = float(super().estimate(state))  # the player may leave the position as it is
        if plies == 0:
            return best
        maximizes = self.player(state) == MAXIE
        for move in self.moves(state):
            alpha, beta = (max(alpha, best), beta) if maximizes else (alpha, min(beta, best))
            if alpha >= beta:
                break
            child = self.make_move(state, move)
            if self.status(child) != Status.IN_PLAY:
                found = float(self.utility(child))
            elif abs(super().estimate(child) - now) > self.swing:
                found = self.quieted(child, plies - 1, alpha, beta)
            else:
                continue
            best = max(best, found) if maximizes else min(best, found)
        return best
