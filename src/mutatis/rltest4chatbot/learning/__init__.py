"""Multi-PDQN: networks, replay, the agent that learns which edits make systems fail. Needs the extra `rl`.

Independent of systems and of the course of an episode.
"""
