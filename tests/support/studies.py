"""Imports a module of a study without leaving its folder, or its helpers' short names, behind."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType


def load_study(path: Path, *beside: str) -> ModuleType:
    """Return the module of a study; `beside` are modules of its folder that it imports by their names."""
    before = {name: sys.modules.get(name) for name in beside}
    try:
        for name in beside:
            sys.modules[name] = _loaded(path.with_name(f"{name}.py"))
        return _loaded(path)
    finally:
        for name, module in before.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module


def _loaded(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"{path.parent.name}_study_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module
