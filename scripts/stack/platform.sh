# Which machines the stack runs on, and what to say on the others.
ALTERNATIVES=(
  "Without local parts: scripts/up --kanboard URL --token T --litellm URL --key K --model NAME uses servers you have;"
  "it needs only Node 22.18 or newer. Or run a Debian container under Docker and call scripts/up inside it."
)

node_is_new() {
  local v
  v=$("$1" -p 'process.versions.node' 2>/dev/null) || return 1
  [ "$(printf '%s\n22.18.0\n' "$v" | sort -V | head -1)" = 22.18.0 ]
}

only_remote_parts() { [ -n "$OPT_KANBOARD" ] && [ -n "$OPT_LITELLM" ]; }

check_platform() {
  local os machine libc=''
  os=$(uname -s) machine=$(uname -m)
  if only_remote_parts && command -v node > /dev/null && node_is_new node && command -v npm > /dev/null; then
    say "  system        $os $machine, Node $(node -v): all parts are elsewhere"
    return
  fi
  [ "$os" = Linux ] || refuse "$EXIT_PLATFORM" "the local parts are built for Linux, this is $os" "${ALTERNATIVES[@]}"
  case $machine in
    x86_64) ;;
    aarch64) say "  note          arm64 runs by the same code but has not been tried" ;;
    *) refuse "$EXIT_PLATFORM" "no parts are built for $machine (x86_64 and aarch64 have them)" "${ALTERNATIVES[@]}" ;;
  esac
  [ "$(getconf LONG_BIT)" = 64 ] || refuse "$EXIT_PLATFORM" "this is a 32-bit system" "${ALTERNATIVES[@]}"
  libc=$(getconf GNU_LIBC_VERSION 2>/dev/null) ||
    refuse "$EXIT_PLATFORM" "the C library is not glibc (musl?), and the parts are linked against glibc" "${ALTERNATIVES[@]}"
  libc=${libc#glibc }
  [ "$(printf '%s\n2.28\n' "$libc" | sort -V | head -1)" = 2.28 ] ||
    refuse "$EXIT_PLATFORM" "glibc $libc is too old, 2.28 is needed" "${ALTERNATIVES[@]}"
  if ! command -v apt-get > /dev/null || ! command -v dpkg > /dev/null; then
    refuse "$EXIT_PLATFORM" "the parts come as Debian packages, and apt and dpkg are not here" "${ALTERNATIVES[@]}"
  fi
  say "  system        $(. /etc/os-release && printf '%s' "${PRETTY_NAME:-Linux}"), $machine, glibc $libc"
  check_python
}
