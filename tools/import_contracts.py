"""A rule for import-linter: a layer is imported by other layers through its doors only.

A layer is a package directly below the root package; its first door is its ``__init__``. The
contract in ``pyproject.toml`` lists second doors, each with its reason in
``docs/explanation/architecture.md``.
"""

from __future__ import annotations

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


class DoorsContract(Contract):
    """Every import from one layer into another names a door.

    Options:
        root: the package whose children are the layers.
        second_doors: further modules that other layers may import; ``package.*`` opens all
            modules below a package.
    """

    type_name = "doors"

    root = fields.StringField()
    second_doors = fields.ListField(subfield=fields.StringField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Collect the imports that pass a door by."""
        past_doors = sorted(
            (importer, imported)
            for imported in graph.modules
            if not self._is_door(imported)
            for importer in graph.find_modules_that_directly_import(imported)
            if self._layer(importer) != self._layer(imported)
        )
        return ContractCheck(kept=not past_doors, metadata={"past_doors": past_doors})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """List the imports, one a line."""
        for importer, imported in check.metadata["past_doors"]:
            output.print_error(f"{importer} imports {imported}, which is not a door")

    def _layer(self, module: str) -> str:
        return ".".join(module.split(".")[: self._depth + 1])

    def _is_door(self, module: str) -> bool:
        """Whether other layers may import a module; modules outside the root are not judged."""
        if not module.startswith(f"{self.root}.") or module == self._layer(module):
            return True
        below = [door.removesuffix("*") for door in self.second_doors if door.endswith(".*")]
        return module in self.second_doors or module.startswith(tuple(below))

    @property
    def _depth(self) -> int:
        return str(self.root).count(".") + 1
