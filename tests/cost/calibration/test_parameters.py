"""Which figures of a network measurements can tell, and that what is read back is what was given."""

from dataclasses import replace

from p2smt.cost.calibration.parameters import LAUNCH, MEMORY, OVERLAP, parameters, with_parameters
from p2smt.problem.system.text import find_system


def test_what_is_no_figure_is_not_fitted():
    """Links hide each other's time only where there are two; a latency or a launch of none stays none."""
    for text in ("8", "4x8", "dgx-h100:4x8", "p2-v100:2x8"):
        network = find_system(text).network
        assert (OVERLAP in parameters(network)) == (len(network.links) > 1)
        assert MEMORY in parameters(network)
        assert [LAUNCH in parameters(replace(network, launch=some)) for some in (0.0, 1.0)] == [False, True]
        for number, link in enumerate(network.links):
            for latency in (0.0, 1e-6):
                links = (*network.links[:number], replace(link, latency=latency), *network.links[number + 1 :])
                assert (f"{link.name}.latency" in parameters(replace(network, links=links))) == (latency > 0)


def test_figures_that_are_put_in_are_read_back_and_no_others_change():
    for text in ("8", "4x8", "dgx-h100:4x8", "p2-v100:2x8"):
        network = find_system(text).network
        found = parameters(network)
        assert with_parameters(network, {}) == with_parameters(network, found) == network
        for name in found:
            changed = parameters(with_parameters(network, {name: found[name] / 2 + 1e-9}))
            assert {other for other in found if changed[other] != found[other]} == {name}
            assert changed[name] == found[name] / 2 + 1e-9
