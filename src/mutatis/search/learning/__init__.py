"""Multi-PDQN: networks, replay, the agent that learns which edits make systems fail. Needs the extra `rl`.

Must not know systems or how an episode comes about.
"""
