"""Multi-PDQN: networks, replay, and the agent that learns which edits make systems fail. Needs the extra `rl`."""
