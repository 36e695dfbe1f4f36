"""The only way to ask a system or helper, with caching, retries, a rate limit and a budget."""

from mutatis.query.circuit import why_withheld
from mutatis.query.layer import QueryLayer
from mutatis.query.spending import Counts, Prices, Spending
from mutatis.query.store import Store
from mutatis.query.wire import Limits, checked

__all__ = ["Counts", "Limits", "Prices", "QueryLayer", "Spending", "Store", "checked", "why_withheld"]
