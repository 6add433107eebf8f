# What the commands in tools/ share. Sourced, never run.
#
# Sets `root`, the folder of the repository, and `python`, the distribution's
# interpreter (another one earlier in PATH may lack what is needed).

root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." && pwd -P)
readonly root
readonly python=/usr/bin/python3

# Bazel keeps its results below the home folder, which a service may not name.
if [[ -z ${HOME:-} ]]; then
  HOME=$(getent passwd "$(id -u)" | cut -d: -f6)
  export HOME=${HOME:-/tmp}
fi

# Prints a message and leaves with exit code 1.
die() {
  echo "${0##*/}: $*" >&2
  exit 1
}

# Prints the comment that heads the calling script, which is its help.
print_help() {
  sed -n '2,/^[^#]/{s/^# \{0,1\}//p}' "$(readlink -f "$0")"
}

# Flags that keep Bazel short: its progress is for terminals only.
bazel_display=(--ui_event_filters=-info)
if [[ ! -t 2 ]]; then
  bazel_display+=(--noshow_progress --color=no)
fi

# A sequence of steps, each run even when an earlier one failed.
#
#   run_step "address sanitizer" tools/test --config=asan
#   finish_steps
#
# A step whose last line is "N passed, M failed" counts with these numbers, any
# other as one. finish_steps prints the times and the sums in the same form, and
# leaves with exit code 1 when anything failed.
steps_passed=0
steps_failed=0
steps_table=

# The longest that one step may take; one that is stopped counts as failed.
step_limit=50m

run_step() {
  local name=$1 started=$SECONDS log status=0 last took
  shift
  log=$(mktemp)
  echo
  echo "== $name: $*"
  timeout --kill-after=30s "$step_limit" "$@" </dev/null 2>&1 | tee "$log" ||
    status=$?
  took=$((SECONDS - started))
  last=$(tail -n 1 "$log")
  rm -f "$log"
  if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
    steps_passed=$((steps_passed + BASH_REMATCH[1]))
    steps_failed=$((steps_failed + BASH_REMATCH[2]))
    if ((status != 0 && BASH_REMATCH[2] == 0)); then
      steps_failed=$((steps_failed + 1))
    fi
  elif ((status == 0)); then
    steps_passed=$((steps_passed + 1))
    last=passed
  else
    steps_failed=$((steps_failed + 1))
    last="failed with exit code $status"
  fi
  if ((status == 124 || status == 137)); then
    last="stopped after $step_limit"
  fi
  steps_table+=$(printf '%-28s %4d s   %s' "$name" "$took" "$last")$'\n'
}

finish_steps() {
  echo
  printf '%s' "$steps_table"
  echo "$steps_passed passed, $steps_failed failed"
  ((steps_failed == 0))
  exit
}
