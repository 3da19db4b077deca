"""King as a PettingZoo environment, over the engine that the referee plays by.

Owns the reinforcement-learning face of `referee.rules`: numbers for actions, vectors for what a seat knows. Decides no
rule. Needs the extra `rl` (PettingZoo and Gymnasium).
"""

from king_env.action_table import ActionTable
from king_env.aec import KingEnv, env
from king_env.encoding import Encoding

__all__ = ["ActionTable", "Encoding", "KingEnv", "env"]
