"""Checks that a file is SARIF 2.1.0 as culprit writes it, by the rules of the standard that it could break, and
prints the results: rule, places, related places and the places of code flows, as FILE:LINE."""
import json
import sys


def place(location):
    physical = location["physicalLocation"]
    assert physical["artifactLocation"]["uri"], location
    assert location["message"]["text"], location
    region = physical.get("region", {"startLine": 1})
    assert region["startLine"] >= 1 and region.get("startColumn", 1) >= 1, location
    return "%s:%d" % (physical["artifactLocation"]["uri"], region["startLine"])


def check(result, rules):
    assert result["ruleId"] in rules, result
    assert result["level"] in ("none", "note", "warning", "error"), result
    assert result["message"]["text"], result
    related = result.get("relatedLocations", [])
    assert [one["id"] for one in related] == list(range(1, len(related) + 1)), related
    for stack in result.get("stacks", []):
        for frame in stack["frames"]:
            place(frame["location"])
    flows = []
    for flow in result.get("codeFlows", []):
        assert flow["message"]["text"] and len(flow["threadFlows"]) >= 1, flow
        for thread in flow["threadFlows"]:
            assert len(thread["locations"]) >= 1, thread
            for step in thread["locations"]:
                assert step["importance"] in ("important", "essential", "unimportant"), step
                flows.append(place(step["location"]))
    print(result["ruleId"], *[place(one) for one in result.get("locations", [])],
          "related", *[place(one) for one in related], "flow", *flows)


def main():
    log = json.load(open(sys.argv[1]))
    assert log["version"] == "2.1.0" and log["$schema"].endswith("sarif-2.1.0.json"), log
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] == "culprit", driver
    rules = [rule["id"] for rule in driver["rules"]]
    assert len(rules) == len(set(rules)), rules
    for result in run["results"]:
        check(result, rules)


main()
