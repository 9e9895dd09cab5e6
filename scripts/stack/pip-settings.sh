# uv does not read pip's configuration, so what the user has set there is handed to it as variables.
pip_environment() { env | grep -E '^(PIP_|SSL_CERT|https?_proxy|HTTPS?_PROXY)' | sort; }

# pip_setting NAME: what pip itself would use; the environment wins over files
pip_setting() {
  local section value
  for section in ':env:' install global; do
    value=$(printf '%s\n' "$PIP_CONFIG_LIST" | sed -n "s/^$section\\.$1='\\(.*\\)'\$/\\1/p" | tail -1)
    [ -z "$value" ] || { printf '%s' "$value"; return; }
  done
}

# hand_over VARIABLE VALUE: unless the user has set uv's own variable
hand_over() { [ -z "$2" ] || [ -n "${!1:-}" ] || printf 'export %s=%q\n' "$1" "$2"; }

uv_settings() {
  local PIP_CONFIG_LIST word links=''
  PIP_CONFIG_LIST=$("${PIP[@]}" config list 2> /dev/null || true)
  [ -n "${UV_INDEX_URL:-}" ] || hand_over UV_DEFAULT_INDEX "$(pip_setting index-url)"
  [ -n "${UV_EXTRA_INDEX_URL:-}" ] || hand_over UV_INDEX "$(pip_setting extra-index-url | sed 's/\\n/ /g')"
  # pip takes the best version of all indexes; the hashes of the lock file decide which file that may be.
  hand_over UV_INDEX_STRATEGY unsafe-best-match
  for word in $(pip_setting find-links | sed 's/\\n/ /g'); do
    case $word in *://*) ;; *) [ -d "$word" ] || continue ;; esac
    links=$links${links:+,}$word
  done
  hand_over UV_FIND_LINKS "$links"
  hand_over UV_INSECURE_HOST "$(pip_setting trusted-host | sed 's/\\n/ /g')"
  hand_over SSL_CERT_FILE "$(pip_setting cert)"
  hand_over SSL_CLIENT_CERT "$(pip_setting client-cert)"
  hand_over HTTPS_PROXY "$(pip_setting proxy)"
  hand_over HTTP_PROXY "$(pip_setting proxy)"
}
