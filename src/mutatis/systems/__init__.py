"""Systems under test, which can be anything that replies to the messages of a conversation.

    system = SYSTEMS["openai"](model="m", base_url="http://127.0.0.1:8000/v1")
    response = await system.ask(conversation)

Each type is one module. Dependencies beyond the core are imported when the first system of the type is built or asked.
Errors indicate whether a retry may help, but the caller decides whether to retry.
"""

from mutatis.core.registry import load_modules
from mutatis.systems.registry import SYSTEMS

__all__ = ["SYSTEMS"]

load_modules(__name__)
