"""Chess with an estimate of material and of where the pieces stand, and moves ordered by it."""

from __future__ import annotations

from benchmarks.as_written.chess import VALUES, Chess, Color, Kind, Position

CENTRE = [0, 1, 2, 3, 3, 2, 1, 0]
"""How near a row or column is to the centre."""


class PositionalChess(Chess):
    """Chess as written first, for searches that depend on good estimates and on move ordering."""

    def estimate(self, state: Position) -> float:
        total = 0
        for r, row in enumerate(state.board):
            for c, piece in enumerate(row):
                if piece is None:
                    continue
                centre = CENTRE[r] + CENTRE[c]
                match piece.kind:
                    case Kind.PAWN:
                        advanced = 6 - r if piece.color is Color.WHITE else r - 1
                        place = 4 * advanced + 2 * centre
                    case Kind.KNIGHT:
                        place = 10 * centre
                    case Kind.BISHOP:
                        place = 6 * centre
                    case Kind.ROOK:
                        seventh = 1 if piece.color is Color.WHITE else 6
                        place = 20 if r == seventh else 2 * CENTRE[c]
                    case Kind.QUEEN:
                        place = 2 * centre
                    case Kind.KING:
                        place = -8 * centre
                value = VALUES[piece.kind] + place
                total += value if piece.color is Color.WHITE else -value
        return total

    def promise(self, child: Position) -> float:
        """Return the estimate of a position, for the player who just moved."""
        return self.estimate(child) if child.turn is Color.BLACK else -self.estimate(child)
