from ..rules import RuleTables

class CoreRules:
    def __init__(self, tables: RuleTables) -> None: ...
