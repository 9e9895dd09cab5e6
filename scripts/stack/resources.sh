# Disk and memory that the chosen parts need, as a table with what there is.
# Measured: unpacked sizes after trimming plus the largest download in flight; resident memory after a first answer.
check_resources() {
  local need_disk=300 need_memory=250 disk memory parent=$FABRIC_HOME short=''
  [ -n "$OPT_KANBOARD" ] || { need_disk=$((need_disk + 250)) need_memory=$((need_memory + 150)); }
  [ -n "$OPT_LITELLM" ] || { need_disk=$((need_disk + 1000)) need_memory=$((need_memory + 800)); }
  while [ ! -d "$parent" ]; do parent=$(dirname "$parent"); done
  disk=$(df -Pm "$parent" | awk 'NR == 2 { print $4 }')
  memory=$(awk '/^MemAvailable:/ { print int($2 / 1024) }' /proc/meminfo)
  printf '  %-13s need %5s MB   have %6s MB\n' disk "$need_disk" "$disk" memory "$need_memory" "$memory"
  [ "$disk" -ge "$need_disk" ] || short="disk: $need_disk MB are needed in $parent, $disk MB are free"
  [ "$memory" -ge "$need_memory" ] || short="memory: $need_memory MB are needed, $memory MB are available"
  [ -z "$short" ] || refuse "$EXIT_RESOURCES" "not enough $short" \
    "FABRIC_HOME moves the state to another disk; --litellm URL --key K --model NAME saves the model and the proxy."
}
