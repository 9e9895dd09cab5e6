# Ports: free, or held by our own running part.
check_ports() {
  [ -n "$OPT_KANBOARD" ] || check_port kanboard FABRIC_KANBOARD_PORT
  [ -n "$OPT_LITELLM" ] || { check_port litellm FABRIC_LITELLM_PORT && check_port llama FABRIC_LLAMA_PORT; }
}

port_answers() { (exec 3<> "/dev/tcp/127.0.0.1/$1") 2> /dev/null; }

check_port() {
  local part=$1 variable=$2 port
  port=${!variable}
  case $port in '' | *[!0-9]*) refuse "$EXIT_USAGE" "$variable is not a port number: $port" ;; esac
  [ "$port" -ge 1 ] && [ "$port" -le 65535 ] || refuse "$EXIT_USAGE" "$variable is not a port number: $port"
  if ! ours "$part" && port_answers "$port" && stop_orphan "$part" && port_answers "$port"; then
    refuse "$EXIT_PORT" "port $port for $part is taken by another program" "Choose another one: $variable=$((port + 1000)) scripts/up"
  fi
  ! first_run || printf '  %-13s %s free (%s)\n' "port" "$port" "$variable"
}
