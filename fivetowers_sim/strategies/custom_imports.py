"""A strategy file as a module, and the modules beside it that it imports.

As for a file that Python runs, the folder that it is in comes first when it imports something. What is found there is
loaded for this file alone, under a name of its own: two strategies may have helpers of the same name. Which files those
are follows from the import statements, so it is the same in every process, and known before any of them is run.
"""

from __future__ import annotations

import ast
import builtins
import hashlib
import importlib.util
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from importlib.abc import InspectLoader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, Final, NamedTuple

from fivetowers_sim.user_files import read_user_bytes

Name = tuple[str, ...]
"""A module beside a strategy file by the parts of its name; the file itself is ``()``."""

_PREFIX: Final = "fivetowers_strategy_"
_OURS: Final = __name__.partition(".")[0]


class Source(NamedTuple):
    """A module's file and what it holds; None for a folder without ``__init__.py``."""

    path: Path
    content: bytes | None

    @property
    def is_package(self) -> bool:
        """Whether there may be modules inside."""
        return self.content is None or self.path.name == "__init__.py"


def find_sources(path: Path) -> dict[Name, Source]:
    """Read a strategy file, and all files beside it that import statements lead to.

    Parameters
    ----------
    path : Path
        The file, from the root.

    Returns
    -------
    dict of tuple of str to Source
        The file itself first.

    Raises
    ------
    UserFileError
        If one of them can't be read.
    """
    found: dict[Name, Source] = {(): Source(path, read_user_bytes(path))}
    pending: list[tuple[Name, Source]] = list(found.items())
    while pending:
        name, source = pending.pop()
        package = name if source.is_package or not name else name[:-1]
        for imported in _list_imports(source.content or b"", package):
            for length in range(1, len(imported) + 1):
                part = imported[:length]
                if part not in found:
                    beside = _find_source(path, part)
                    if beside is None:
                        break
                    found[part] = beside
                    pending.append((part, beside))
    return found


def _list_imports(content: bytes, package: Name) -> Iterator[Name]:
    """List what import statements may mean, wherever they stand; names inside a module among them."""
    with warnings.catch_warnings():
        # They come when the file is run.
        warnings.simplefilter("ignore")
        try:
            tree = ast.parse(content)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (tuple(alias.name.split(".")) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else ()
            start = (*above, *(node.module.split(".") if node.module else ()))
            yield from ((*start, alias.name) for alias in node.names)


def _find_source(path: Path, name: Name) -> Source | None:
    """Find a module beside a strategy file as Python does; None if there is none, or another one comes first."""
    top, place = name[0], path.parent.joinpath(*name)
    if top == _OURS or top in sys.builtin_module_names:
        return None
    for file in (place / "__init__.py", place.with_name(f"{place.name}.py")):
        # A strategy called like a module of Python's, random.py, means that one.
        if file.is_file() and not (file == path and top in sys.stdlib_module_names):
            return Source(file, read_user_bytes(file))
    return Source(place, None) if place.is_dir() and (len(name) > 1 or not _is_elsewhere(top)) else None


def _is_elsewhere(top: str) -> bool:
    try:
        return importlib.util.find_spec(top) is not None
    except ValueError:
        return top in sys.modules


def run_sources(sources: Mapping[Name, Source]) -> ModuleType:
    """Run a strategy file.

    Parameters
    ----------
    sources : mapping of tuple of str to Source
        What :func:`find_sources` found.

    Returns
    -------
    ModuleType
        What it defines. Equal sources are run once; their modules stay in ``sys.modules``, where dataclasses, pickle
        and others look them up.
    """
    digest = hashlib.sha256()
    for source in sources.values():
        for part in (str(source.path).encode(errors="surrogateescape"), source.content or b""):
            digest.update(len(part).to_bytes(8, "big") + part)
    root = _PREFIX + digest.hexdigest()[:16]
    if root in sys.modules:
        return sys.modules[root]
    if _finder not in sys.meta_path:
        sys.meta_path.insert(0, _finder)
    _finder.sources[root] = sources
    try:
        return importlib.import_module(root)
    except BaseException:
        for name in [name for name in sys.modules if name.partition(".")[0] == root]:
            del sys.modules[name]
        del _finder.sources[root]
        raise


class _Finder(MetaPathFinder):
    """Finds strategy files and the modules beside them by the names that they have here."""

    def __init__(self) -> None:
        self.sources: dict[str, Mapping[Name, Source]] = {}

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """Return how to load a module; None if it isn't one of these."""
        root, *name = fullname.split(".")
        if root not in self.sources:
            return None
        source = self.sources[root].get(tuple(name))
        if source is None:
            raise ModuleNotFoundError(_describe_unnamed(name, self.sources[root]), name=fullname)
        inside = [str(source.path if source.content is None else source.path.parent)]
        locations = inside if source.is_package or not name else None
        if source.content is None:
            spec = ModuleSpec(fullname, None, is_package=True)
            spec.submodule_search_locations = locations
            return spec
        loader = _Loader(root, source.content, self.sources[root])
        return importlib.util.spec_from_file_location(
            fullname, source.path, loader=loader, submodule_search_locations=locations
        )


_finder: Final = _Finder()


class _Loader(InspectLoader):
    """Runs the very bytes that were read, with imports that look beside the strategy file first."""

    def __init__(self, root: str, content: bytes, sources: Mapping[Name, Source]) -> None:
        self._root = root
        self._content = content
        self._sources = sources

    def get_source(self, fullname: str) -> str:
        """Return the text, for whoever shows lines of it."""
        return importlib.util.decode_source(self._content)

    def is_package(self, fullname: str) -> bool:
        """Say whether there may be modules inside."""
        return self._sources[tuple(fullname.split(".")[1:])].is_package

    def exec_module(self, module: ModuleType) -> None:
        """Run the module."""
        module.__dict__["__builtins__"] = {**vars(builtins), "__import__": self._import}
        exec(self._compile(str(module.__file__)), module.__dict__)

    def _compile(self, path: str) -> CodeType:
        # Else it would be compiled with this file's own imports from __future__.
        return compile(self._content, path, "exec", dont_inherit=True)

    def _import(
        self,
        name: str,
        globals: Mapping[str, object] | None = None,  # noqa: A002 - as Python calls them
        locals: Mapping[str, object] | None = None,  # noqa: A002
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        """Import in place of ``__import__``."""
        top = name.partition(".")[0]
        if level or (top,) not in self._sources:
            return builtins.__import__(name, globals, locals, fromlist or (), level)
        found = builtins.__import__(f"{self._root}.{name}", globals, locals, fromlist or (), 0)
        return found if fromlist else sys.modules[f"{self._root}.{top}"]


def _describe_unnamed(name: Sequence[str], sources: Mapping[Name, Source]) -> str:
    return (
        f"{'.'.join(name)!r} isn't loaded: of what lies beside {sources[()].path.name}, only those modules are that "
        "import statements name"
    )
