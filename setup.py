"""Builds the C core once and links it into every Cython module. Everything else is in pyproject.toml."""

from pathlib import Path

import numpy
from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

CSRC = Path("csrc")
CORE = sorted(str(path) for path in CSRC.glob("*.c"))
HEADERS = sorted(str(path) for path in CSRC.glob("*.h"))
MODULES = sorted(str(path) for path in Path("ds_sim").rglob("*.pyx"))
DIRECTIVES = {"boundscheck": False, "wraparound": False, "cdivision": True, "initializedcheck": False}


class BuildExt(build_ext):
    """Compiles csrc/ first, without Python, as one set of objects for all modules."""

    def initialize_options(self) -> None:
        super().initialize_options()
        self.parallel = True  # as many compilers as processors

    def build_extensions(self) -> None:
        options = (
            []
            if self.compiler.compiler_type == "msvc"
            else ["-std=c11", "-O3", "-Wall", "-Wextra", "-fvisibility=hidden"]
        )
        objects = self.compiler.compile(
            CORE,
            output_dir=self.build_temp,
            include_dirs=[str(CSRC)],
            extra_postargs=options,
            depends=HEADERS,
        )
        for extension in self.extensions:
            extension.extra_objects = objects
            if self.compiler.compiler_type != "msvc":
                extension.extra_compile_args = ["-O3", "-Wno-unused-function", "-Wno-sign-compare"]
        super().build_extensions()


def extension(path: str) -> Extension:
    return Extension(
        path.removesuffix(".pyx").replace("/", "."),
        [path],
        include_dirs=[str(CSRC), numpy.get_include()],
        define_macros=[("NPY_NO_DEPRECATED_API", "NPY_2_0_API_VERSION")],
        depends=HEADERS + CORE,
    )


setup(
    ext_modules=cythonize([extension(path) for path in MODULES], compiler_directives=DIRECTIVES),
    cmdclass={"build_ext": BuildExt},
)
