"""Multi-PDQN: networks, replay memory, and the agent that learns which edits make systems fail (extra `rl`)."""
