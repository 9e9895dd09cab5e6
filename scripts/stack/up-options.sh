# The options of scripts/up. Only what decides about downloads is kept here; up.ts reads the same options in full.
OPT_CHECK='' OPT_KANBOARD='' OPT_LITELLM=''

usage() {
  cat <<'HELP'
Usage: scripts/up [options]

Brings up Kanboard, a local model, LiteLLM and one worker on this machine, all on loopback, without sudo.
Everything it makes is under .fabric/. Running it again starts what is not running and resumes what was interrupted.

  --listen ADDR        Kanboard listens on ADDR instead of 127.0.0.1 (nothing else ever does; there is no TLS)
  --kanboard URL       use an existing Kanboard; needs --token
  --token TOKEN        its application token (Settings > API)
  --queue-project ID   bind this existing project as the queue instead of creating one
  --agent USER:TOKEN   with --kanboard: account and token the worker uses (its owner makes the token: profile > API)
  --litellm URL        use an existing LiteLLM proxy; needs --key and --model
  --key KEY            its key
  --model NAME         model name of the queue "local"
  --no-example         don't submit the example task
  --yes                answer every question with yes
  --force              use a project although it has automatic actions, recurring tasks or custom roles
  --check              only check this machine
  -h, --help           this text

Variables
  FABRIC_HOME            state folder (default: .fabric in the checkout)
  FABRIC_KANBOARD_PORT   8090
  FABRIC_LITELLM_PORT    4010
  FABRIC_LLAMA_PORT      8091
  DEBIAN_MIRROR          Debian mirror, where the machine's own package sources name none (Ubuntu)
  http_proxy, https_proxy, no_proxy, SSL_CERT_FILE and the configuration of apt, pip and npm are honoured.

Exit codes
  0 up   64 usage   65 existing board refused   69 unreachable   70 a part failed   71 platform   72 disk or memory
  73 state folder   75 another one is running   76 port taken   77 answered with no
HELP
}

usage_error() {
  printf 'scripts/up: %s\nscripts/up --help lists the options.\n' "$1" >&2
  exit "$EXIT_USAGE"
}

parse_options() {
  local token='' key='' model=''
  while [ $# -gt 0 ]; do
    case $1 in
      --listen | --kanboard | --token | --queue-project | --agent | --litellm | --key | --model)
        [ $# -ge 2 ] && [ -n "$2" ] || usage_error "$1 needs a value"
        case $1 in
          --kanboard) OPT_KANBOARD=$2 ;;
          --token) token=$2 ;;
          --litellm) OPT_LITELLM=$2 ;;
          --key) key=$2 ;;
          --model) model=$2 ;;
        esac
        shift 2
        ;;
      --no-example | --yes | --force) shift ;;
      --check) OPT_CHECK=yes; shift ;;
      -h | --help) usage; exit 0 ;;
      *) usage_error "unknown option $1" ;;
    esac
  done
  [ -z "$OPT_KANBOARD" ] || [ -n "$token" ] || usage_error "--kanboard needs --token"
  [ -z "$token" ] || [ -n "$OPT_KANBOARD" ] || usage_error "--token needs --kanboard"
  [ -z "$OPT_LITELLM" ] || { [ -n "$key" ] && [ -n "$model" ]; } || usage_error "--litellm needs --key and --model"
  remember_servers
  local url
  for url in "$OPT_KANBOARD" "$OPT_LITELLM"; do
    case $url in '' | http://?* | https://?*) ;; *) usage_error "$url is no http(s) address" ;; esac
  done
}

# Servers that were given once are used again; up.ts reads the rest of them from the same file.
remember_servers() {
  local file=$FABRIC_HOME/.env
  [ -r "$file" ] || return 0
  if [ -z "$OPT_KANBOARD" ] && grep -q '^FABRIC_EXTERNAL=".*kanboard' "$file"; then OPT_KANBOARD=$(sed -n 's/^KANBOARD_URL="\(.*\)"$/\1/p' "$file"); fi
  if [ -z "$OPT_LITELLM" ] && grep -q '^FABRIC_EXTERNAL=".*litellm' "$file"; then OPT_LITELLM=$(sed -n 's/^LITELLM_URL="\(.*\)"$/\1/p' "$file"); fi
}
