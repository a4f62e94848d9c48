"""The program table as Markdown, from the results of the steps and nothing else."""
import statistics

DASH = "–"

BEHAVIOUR = ("program", "version", "language", "configure results", "workloads equal",
             "under ten layouts", "own tests, native", "own tests, analysis build", "lines equal to gcov")
COST = ("program", "run time", "instructions", "compile time", "object size", "equal sections",
        "analysis build, cold", "clang build", "ratio", "one file", "warm")


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]


def configure_cell(results):
    found = results.get("configure")
    if not found:
        return DASH
    if not found["files"] and not found["differences"]:
        return "no checks"
    if found["differences"]:
        return f"{len(found['differences'])} lines differ"
    return f"equal ({found['values']} lines)"


def run_cell(results):
    found = results.get("run")
    return f"{sum(not w['differences'] for w in found)} of {len(found)}" if found else DASH


def layouts_cell(results):
    found = results.get("layouts")
    return f"{sum(not w['differences'] for w in found)} of {len(found)}" if found else DASH


def suite_cell(results, side):
    found = results.get("suite", {}).get(side)
    return f"{found['passed']} passed, {found['failed']} failed" if found else DASH


def count_cell(results):
    found = results.get("count")
    if not found:
        return DASH
    explained = found["different"] - found["unexplained"]
    return f"{found['lines'] - found['different']} of {found['lines']}, {explained} by rule"


def behaviour_row(recipe, results):
    return (recipe["name"], results.get("version", DASH), recipe["language"],
            configure_cell(results), run_cell(results), layouts_cell(results),
            suite_cell(results, "native"),
            suite_cell(results, "culprit"), count_cell(results))


def times(value):
    return DASH if value is None else f"{value:.2f}x"


def seconds(value):
    return DASH if value is None else f"{value:.2f} s"


def mean_ratio(entries):
    ratios = [e["ratio"] for e in entries or [] if e["ratio"]]
    return statistics.geometric_mean(ratios) if ratios else None


def cost_row(recipe, results):
    cost = results.get("cost", {})
    built, made = cost.get("compile", {}), cost.get("analysis_build", {})
    same = f"{built['identical_sections']} of {built['files']}" if built else DASH
    return (recipe["name"], times(mean_ratio(cost.get("run"))),
            times(mean_ratio(cost.get("instructions"))), times(built.get("ratio")),
            times(built.get("size_ratio")), same, seconds(made.get("cold")), seconds(made.get("clang")),
            times(made.get("ratio")), seconds(made.get("one_file")), seconds(made.get("warm")))


def summary(programs):
    """Average and worst of the run-time cost over all timing workloads."""
    lines = []
    for key, label in (("run", "run time"), ("instructions", "instructions")):
        ratios = [(e["ratio"], f"{p.name} {e['name']}") for p in programs
                  for e in p.results.get("cost", {}).get(key, []) if e["ratio"]]
        if ratios:
            worst = max(ratios)
            mean = statistics.geometric_mean(r for r, _ in ratios)
            lines.append(f"Plain analysis build against native -O2, {label}: {mean:.2f}x on average "
                         f"(geometric mean of {len(ratios)} workloads), {worst[0]:.2f}x at worst "
                         f"({worst[1]}).")
    return lines


def workload_rows(programs):
    for program in programs:
        cost = program.results.get("cost", {})
        counted = {e["name"]: e["ratio"] for e in cost.get("instructions", [])}
        for entry in cost.get("run", []):
            yield (program.name, entry["name"], seconds(entry["native"]), seconds(entry["plain"]),
                   times(entry["ratio"]), times(counted.get(entry["name"])), times(entry.get("memory")))


def explanation_lines(programs):
    return [f"- {p.name}, own tests: {name}: {reason}" for p in programs
            for name, reason in p.results.get("suite", {}).get("explained", {}).items()]


def failure_lines(programs):
    return [f"- {p.name}, {f['step']}: {f['what'].splitlines()[0]}" for p in programs for f in p.failures]


def markdown(programs, context):
    pairs = [(p.recipe, p.results) for p in programs]
    lines = ["## Real programs", "",
             "Debian source packages, without Debian's patches, built with nothing but CC and CXX set. "
             "Workloads: standard output, standard error, exit code and all files written are equal "
             "natively and under `culprit run`; also under ten layouts that shuffle globals, locals and heap "
             "blocks, with guard words and fill patterns. Own tests: the program's test suite with the plain "
             "analysis build in its place.", ""]
    lines += table(BEHAVIOUR, [behaviour_row(*pair) for pair in pairs])
    reasons = explanation_lines(programs)
    if reasons:
        lines += ["", "Tests that fail with the analysis build for a reason:", "", *reasons]
    lines += ["", "Run time and instructions: plain analysis build against clang-19 with the same flags. "
              "Compile time and object size: culprit-cc against clang-19 -g. The clang build is what it "
              f"takes clang to compile and link the same modules with {context.jobs} jobs. Times are "
              "interleaved minima; instructions are counted by valgrind on smaller inputs.", ""]
    lines += table(COST, [cost_row(*pair) for pair in pairs])
    lines += ["", *summary(programs)]
    rows = list(workload_rows(programs))
    if rows:
        lines += ["", *table(("program", "workload", "native", "plain", "run time", "instructions", "memory"), rows)]
    problems = failure_lines(programs)
    if problems:
        lines += ["", "Not as it should be:", "", *problems]
    return "\n".join(lines) + "\n"
