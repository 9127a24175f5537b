# SPDX-License-Identifier: Apache-2.0
"""For a Spack repository: packages/maeotis/package.py. From a checkout: spack dev-build maeotis@main."""

from spack_repo.builtin.build_systems.cmake import CMakePackage, generator
from spack_repo.builtin.build_systems.cuda import CudaPackage

from spack.package import *


class Maeotis(CMakePackage, CudaPackage):
    """Ocean simulator for shallow coastal seas."""

    license("Apache-2.0")
    version("main", branch="main")
    version("1.0.0")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.22:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("mpi")
    depends_on("parallel-netcdf")
    depends_on("netcdf-c")
    depends_on("cjson")
    depends_on("muparser")
    depends_on("udunits")
    depends_on("proj")
    depends_on("py-xarray", type="run")
    depends_on("py-netcdf4", type="run")
    depends_on("py-matplotlib", type="run")

    generator("ninja")

    def cmake_args(self):
        # Spack's compiler wrapper chooses the processor's instructions itself.
        args = [
            self.define("MAEOTIS_NATIVE", False),
            self.define("MAEOTIS_TESTS", self.run_tests),
            self.define_from_variant("MAEOTIS_CUDA", "cuda"),
        ]
        if self.spec.satisfies("+cuda"):
            args.append(self.define("CMAKE_CUDA_ARCHITECTURES", self.spec.variants["cuda_arch"].value))
        return args
