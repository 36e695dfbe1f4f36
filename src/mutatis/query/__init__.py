"""The only way to ask a system or a helper: key, store, single flight, retries, rate limit and budget.

Nothing here knows what a relation or a task is.
"""

from mutatis.query.layer import Counts, Prices, QueryLayer, Spending
from mutatis.query.places import Places
from mutatis.query.store import Store
from mutatis.query.wire import Limits

__all__ = ["Counts", "Limits", "Places", "Prices", "QueryLayer", "Spending", "Store"]
