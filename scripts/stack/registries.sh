# Whether the registries answer, each asked through its own client and so through the user's own configuration.
REFUSAL_CLEANS=''

proxies() {
  local name value found=''
  for name in http_proxy https_proxy HTTP_PROXY HTTPS_PROXY all_proxy no_proxy NO_PROXY; do
    value=${!name:-}
    [ -z "$value" ] || found="$found $name=$(printf '%s' "$value" | sed 's#//[^/@]*@#//***@#')"
  done
  printf '%s' "${found:- none}"
}

# unreachable WHAT LOG: nothing half-installed is left by a first run that could not reach what it needs
unreachable() {
  local said
  said=$(grep -m3 -iE 'error|err:|^E:|failed|could not' "$2" | cut -c1-200 || true)
  if grep -qi 'certificate' "$2"; then
    said="$said
  A certificate is not trusted: a proxy that opens TLS needs its authority in SSL_CERT_FILE (a file with all of them)."
  fi
  if [ -n "$MADE_STATE_FOLDER$REFUSAL_CLEANS" ] && [ ! -e "$FABRIC_HOME/installed" ] && [ -z "$(ls -A "$FABRIC_HOME/parts" 2> /dev/null)" ]; then
    rm -rf "${FABRIC_HOME:?}"
  fi
  refuse "$EXIT_UNREACHABLE" "$1 does not answer" "${said:-no reason given}" "Proxy variables:$(proxies)" \
    "Run scripts/up again when it answers: finished parts are kept."
}

needs_debian() { [ -z "$OPT_KANBOARD" ] || [ -z "$OPT_LITELLM" ]; }

check_registries() {
  say "  proxy        $(proxies)"
  if needs_debian; then
    if [ -z "${DEBIAN_MIRROR:-}" ] && ! debian_mirrors | grep -q .; then
      refuse "$EXIT_PLATFORM" "this machine's package sources name no Debian mirror" \
        "Set DEBIAN_MIRROR to the address of a Debian mirror (the folder that has dists/ in it)." "${ALTERNATIVES[@]}"
    fi
    find_mirror || refuse "$EXIT_UNREACHABLE" "no Debian mirror answers: $(debian_mirrors | tr '\n' ' ')" "${MIRROR_SAID:-}" \
      "Proxy variables:$(proxies)" "Set DEBIAN_MIRROR to one that answers."
    say "  Debian        $FABRIC_MIRROR answers"
  fi
  # Without a pip or npm of its own the machine can only be asked after these two have been fetched.
  if [ -n "$MACHINE_PYTHON" ] && "$MACHINE_PYTHON" -m pip --version > /dev/null 2>&1; then
    check_pypi "$MACHINE_PYTHON" -m pip
  else
    say "  PyPI          asked as soon as there is a pip"
  fi
  if command -v npm > /dev/null; then check_npm npm; else say "  npm           asked as soon as there is an npm"; fi
}

check_pypi() {
  local log
  log=$(mktemp)
  timeout 60 "$@" --retries 1 --timeout 20 index versions uv > "$log" 2>&1 || { cp "$log" "$log.kept"; rm -f "$log"; unreachable "PyPI" "$log.kept"; }
  rm -f "$log"
  say "  PyPI          answers"
}

check_npm() {
  local log
  log=$(mktemp)
  timeout 60 "$@" view "pnpm@$(pnpm_version)" version --fetch-retries=0 --fetch-timeout=20000 --cache "$log.cache" > "$log" 2>&1 ||
    { cp "$log" "$log.kept"; rm -rf "$log" "$log.cache"; unreachable "the npm registry" "$log.kept"; }
  rm -rf "$log" "$log.cache"
  say "  npm           answers"
}
