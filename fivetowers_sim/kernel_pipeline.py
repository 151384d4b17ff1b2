"""How Numba compiles the kernels: each function once, and all the code of an entry point together, once.

By itself, Numba optimises every function together with all that it calls, and makes machine code of it, before it
goes on to the caller. Along a chain of calls the innermost function is optimised again and again, and the machine
code of all but the last is never run. Here a function that only other kernels call stays as it was written, until
the entry point has all of them; LLVM then goes through them from the innermost out, as it does for C.

This is built of Numba's own pieces, as its guide to customizing the compiler has it, but :class:`JITCodeLibrary`
and :mod:`numba._dynfunc` promise nothing from one version to the next: hence the upper bound in ``pyproject.toml``.
"""

from __future__ import annotations

from typing import Any

from numba import _dynfunc
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import AnalysisPass, PassManager, register_pass
from numba.core.typed_passes import NativeLowering


class _Whole(JITCodeLibrary):
    """The code of an entry point and of all that it calls."""

    def _optimize_functions(self, module: Any) -> None:
        """Leave each function as it is: by itself, a small loop would be unrolled around the call of a large kernel."""
        module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        """Optimise everything once; Numba's cheap pass before would inline functions that aren't simplified yet."""
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)


class _Part(_Whole):
    """The code of a function that other kernels call, and of all that it calls."""

    def _optimize_final_module(self) -> None:
        """Leave that to the entry point."""

    def _finalize_final_module(self) -> None:
        """Make no machine code."""
        self._finalize_dynamic_globals()
        self._finalized = True


@register_pass(mutates_CFG=False, analysis_only=True)
class _StandForPart(AnalysisPass):
    """Make what Numba tells a compiled function by: the object that Python would call, if there were machine code."""

    _name = "fivetowers_stand_for_part"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        lowered, name = state.cr, state.func_id.func_name
        module = lowered.fndesc.lookup_module()
        stand_in = _dynfunc.make_function(module, name, "", 0, lowered.env, (state.library,))
        state.targetctx.insert_user_function(stand_in, lowered.fndesc, [state.library])
        state.cr = lowered._replace(cfunc=stand_in)
        return True


class WholePipeline(CompilerBase):
    """Numba's passes for an entry point."""

    def define_pipelines(self) -> list[PassManager]:
        """Return the one pipeline there is."""
        self._write_into(_Whole)
        return [DefaultPassBuilder.define_nopython_pipeline(self.state)]

    def _write_into(self, library: type[JITCodeLibrary]) -> None:
        self.state.library = library(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        # Only what is made ready for it from the start can be kept on disk.
        self.state.library.enable_object_caching()


class PartPipeline(WholePipeline):
    """Numba's passes for a function that only other kernels call."""

    def define_pipelines(self) -> list[PassManager]:
        """Return the one pipeline there is."""
        self._write_into(_Part)
        self.state.flags.no_compile = True
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        pipeline.add_pass_after(_StandForPart, NativeLowering)
        pipeline.finalize()
        return [pipeline]
