"""nomenklatura as a peer of name matching.

Reads pairs of names as JSON from its input, rates each as two persons by logic-v2, and
answers {"rates": [0-100], "cpuMs": of all rates}.
"""

import itertools
import json
import resource
import sys

from followthemoney import model
from nomenklatura.matching import LogicV2


def person(name):
    """A separate identifier for each: names are cached by it."""
    return model.get_proxy(
        {"id": f"person-{next(number)}", "schema": "Person", "properties": {"name": [name]}}
    )


def cpu_ms():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return 1000 * (usage.ru_utime + usage.ru_stime)


number = itertools.count()
pairs = json.load(sys.stdin)
config = LogicV2.default_config()
LogicV2.compare(person("Anna Jónsdóttir"), person("Anna Jonsdottir"), config)
before = cpu_ms()
rates = [
    100 * LogicV2.compare(person(query), person(listed), config).score
    for query, listed in pairs
]
json.dump({"rates": rates, "cpuMs": cpu_ms() - before}, sys.stdout)
