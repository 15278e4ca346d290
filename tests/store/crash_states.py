"""The long run of the store's crash states: several processes, each with seeds of its own, and a log to be kept.

    crash_states.py --program STORE_TEST [--states N] [--processes P] [--seed S] [--log FILE]

STORE_TEST is a built src/store test program. N is LEITONG_CRASH_STATES, 50,000,000 without it. Every chunk of a million states is a process of its own
with seeds that no other has; its line in the log says what to run to see it again. Ends with 1 if any chunk found anything.
"""

import argparse
import concurrent.futures
import datetime
import os
import pathlib
import platform
import re
import subprocess
import sys
import time

CHUNK = 1_000_000
SEEDS_OF_A_CHUNK = 1_000_000  # a million states need some hundreds


def one_chunk(program, seed, states):
    begin = time.monotonic()
    environment = {**os.environ, "LEITONG_CRASH_STATES": str(states), "LEITONG_CRASH_SEED": str(seed)}
    done = subprocess.run([program, "--gtest_filter=*StoreCrash.LosesNothing*"], capture_output=True, text=True, env=environment)
    verdicts = re.findall(r'Which is: (".*")', done.stdout)
    found = "nothing found" if done.returncode == 0 else f"FOUND (exit {done.returncode}): " + "; ".join(verdicts)
    ran = sum(int(n) for n in re.findall(r"^states (\d+)$", done.stdout, re.M))
    return done.returncode, seed, ran, time.monotonic() - begin, found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--states", type=int, default=int(os.environ.get("LEITONG_CRASH_STATES", "50000000")))
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--log")
    arguments = parser.parse_args()
    commit = subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True, text=True,
                            cwd=pathlib.Path(__file__).parent).stdout.strip()
    log = open(arguments.log, "a") if arguments.log else sys.stdout

    def say(line):
        print(line, file=log, flush=True)

    say(f"# {datetime.date.today()} commit {commit}, {platform.machine()}, {arguments.processes} processes, {arguments.states:,} states "
        f"from seed {arguments.seed}")
    begin = time.monotonic()
    total = bad = 0
    chunks = [(arguments.seed + i * SEEDS_OF_A_CHUNK, min(CHUNK, arguments.states - at))
              for i, at in enumerate(range(0, arguments.states, CHUNK))]
    with concurrent.futures.ThreadPoolExecutor(arguments.processes) as pool:
        waiting = [pool.submit(one_chunk, arguments.program, *chunk) for chunk in chunks]
        for each in concurrent.futures.as_completed(waiting):
            status, seed, ran, seconds, found = each.result()
            total += ran
            bad += status != 0
            say(f"LEITONG_CRASH_SEED={seed} states {ran:,} in {seconds:.0f} s: {found}")
    say(f"# {total:,} states in {time.monotonic() - begin:.0f} s, {bad} chunks with findings")
    if bad == 0 and total < arguments.states:
        say("# fewer states than were asked for")
        bad = 1
    if arguments.log:
        print(f"{total:,} crash states, {bad} chunks with findings, see {arguments.log}")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
