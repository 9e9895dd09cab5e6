# Where the state lives and which ports are used. Every value can be changed by its variable.
FABRIC_HOME=${FABRIC_HOME:-$FABRIC_REPO/.fabric}
case $FABRIC_HOME in /*) ;; *) FABRIC_HOME=$PWD/$FABRIC_HOME ;; esac
# The ports of the last run, so that addresses which were printed and bookmarked stay right.
remembered_port() { sed -n "s/^$1=\\([0-9]*\\)\$/\\1/p" "$FABRIC_HOME/ports" 2> /dev/null | tail -1; }
port_of() { local port; port=$(remembered_port "$1"); printf '%s' "${!1:-${port:-$2}}"; }
FABRIC_KANBOARD_PORT=$(port_of FABRIC_KANBOARD_PORT 8090)
FABRIC_LITELLM_PORT=$(port_of FABRIC_LITELLM_PORT 4010)
FABRIC_LLAMA_PORT=$(port_of FABRIC_LLAMA_PORT 8091)
remember_ports() {
  printf '%s\n' "FABRIC_KANBOARD_PORT=$FABRIC_KANBOARD_PORT" "FABRIC_LITELLM_PORT=$FABRIC_LITELLM_PORT" "FABRIC_LLAMA_PORT=$FABRIC_LLAMA_PORT" > "$FABRIC_HOME/ports"
}
export FABRIC_HOME FABRIC_KANBOARD_PORT FABRIC_LITELLM_PORT FABRIC_LLAMA_PORT
