"""The bots of the reach, written blind: `BRIEF.md` says how."""
