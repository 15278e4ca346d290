#!/usr/bin/env python3
"""Are small workloads done in as many instructions as they were?

usage: check_instructions.py PROGRAM [--update]

Instructions of each workload of PROGRAM (tests/instructions/workloads.cpp) under callgrind, on one thread, for the portable kernels and those
for AVX2, are compared with counts.json. More than 5 % above is a failure: find the cause, or run this with --update, commit the counts and say
the reason in the commit's message. More than 5 % below is told, so that the gain is committed too. Noise cannot fool it: the same program
takes the same instructions. Another compiler or C library makes another program: then it is skipped, and says so (exit code 77).
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

COUNTS = pathlib.Path(__file__).with_name("counts.json")
KERNELS = ("portable", "avx2")
MOST = 1.05


def first_line(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[0]


def toolchain():
    return {
        "compiler": first_line(os.environ.get("CXX", "c++"), "--version"),
        "libc": first_line("ldd", "--version"),
        "valgrind": first_line("valgrind", "--version"),
    }


def skip(why):
    print(f"SKIPPED: instructions were not compared: {why}")
    sys.exit(77)


def count(program, workload, kernels):
    # The C library chooses its memcpy by the processor, too: one that every processor of this kind has.
    environment = dict(os.environ, LEITONG_ISA=kernels, GLIBC_TUNABLES="glibc.cpu.hwcaps=-AVX2_Usable,-AVX2,-ERMS,-FSRM,-AVX512F,-AVX512VL")
    run = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--collect-atstart=no", "--toggle-collect=leitong_counted",
         program, workload], capture_output=True, text=True, env=environment)
    collected = re.search(r"Collected : (\d+)", run.stderr)
    if run.returncode != 0 or not collected or int(collected[1]) == 0:
        sys.exit(f"{workload} ({kernels}): nothing was counted\n{run.stderr[-2000:]}")
    return int(collected[1]), run.stdout.strip()


def count_all(program):
    names = subprocess.run([program], capture_output=True, text=True, check=True).stdout.split()
    jobs = [(name, kernels) for name in names for kernels in KERNELS]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = dict(zip(jobs, pool.map(lambda job: count(program, *job), jobs)))
    for name in names:
        if len({results[name, kernels][1] for kernels in KERNELS}) > 1:
            sys.exit(f"{name}: the kernels do not do the same work")
    return {f"{name} {kernels}": results[name, kernels][0] for name, kernels in jobs}


def main():
    program, update = sys.argv[1], "--update" in sys.argv
    if not shutil.which("valgrind"):
        skip("valgrind is not installed")
    if " avx2 " not in pathlib.Path("/proc/cpuinfo").read_text():
        skip("this processor has no AVX2")
    here = toolchain()
    known = json.loads(COUNTS.read_text()) if COUNTS.exists() else {"toolchain": None, "counts": {}}
    if known["toolchain"] != here and not update:
        skip(f"counted with {known['toolchain']}, this is {here}")
    now = count_all(program)
    worse = 0
    for name, instructions in now.items():
        before = known["counts"].get(name)
        ratio = instructions / before if before else None
        word = "new" if ratio is None else "MORE" if ratio > MOST else "less: commit it with --update" if ratio < 1 / MOST else ""
        worse += ratio is None or ratio > MOST
        print(f"{name:28} {instructions:>13,} {'' if ratio is None else f'{ratio:7.3f}'} {word}")
    gone = sorted(set(known["counts"]) - set(now))
    if update:
        COUNTS.write_text(json.dumps({"toolchain": here, "counts": now}, indent=2) + "\n")
    elif worse or gone:
        sys.exit(f"{worse} workloads take more than {MOST} times the instructions of {COUNTS.name}, or are new; gone: {gone}\n"
                 f"{__doc__.splitlines()[4]}")


if __name__ == "__main__":
    main()
