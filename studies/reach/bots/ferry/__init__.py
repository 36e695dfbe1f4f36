"""The ferry bot: Skerry Line."""
