# Exit codes of scripts/up, down and status, and the ways to speak. Stable: other scripts may rely on them.
EXIT_USAGE=64       # unknown option or a value that can't be right
EXIT_BOARD=65       # an existing board that may not be used as it is
EXIT_UNREACHABLE=69 # a registry, a mirror or a given server does not answer
EXIT_INTERNAL=70    # a part would not start, or something unforeseen
EXIT_PLATFORM=71    # operating system, processor or libc that the stack can't run on
EXIT_RESOURCES=72   # too little disk or memory
EXIT_STATE=73       # the state folder can't be used
EXIT_BUSY=75        # another scripts/up or scripts/down is running
EXIT_PORT=76        # a port is taken
EXIT_CONSENT=77     # a question was answered with no

say() { printf '%s\n' "$*"; }
# refuse CODE TITLE LINE...: what is wrong first, then what to do, one line each
refuse() {
  local code=$1 title=$2
  shift 2
  printf '\n%s stops: %s\n' "${COMMAND:-scripts/up}" "$title" >&2
  [ $# -eq 0 ] || printf '  %s\n' "$@" >&2
  exit "$code"
}
