"""The laundry bot: Brightside Laundry."""
