import pluggy

spec = pluggy.HookspecMarker("press")
impl = pluggy.HookimplMarker("press")


class PressSpec:
    @spec
    def print_sheet(self, sheet):
        """Put one sheet on paper."""


def manager():
    made = pluggy.PluginManager("press")
    made.add_hookspecs(PressSpec)
    return made
