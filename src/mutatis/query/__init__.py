"""The only way to ask a system or a helper: key, store, single flight, retries, rate limit and budget.

Nothing here knows what a relation or a task is.
"""

from mutatis.query.layer import Counts, Limits, QueryLayer, Spending
from mutatis.query.store import Store

__all__ = ["Counts", "Limits", "QueryLayer", "Spending", "Store"]
