# The processes that scripts/up has started, from the records that process-record.ts writes (one field a line). In bash, so
# that they can be seen and stopped when Node or the repository's packages are broken.

# Workers first, so that they can hand back what they hold while the board still answers.
PARTS=(worker-local litellm llama kanboard)

# field PART NAME: a value of the part's record
field() { sed -n "s/^ *\"$2\": \"\{0,1\}\([^\"]*[^\",]\)\"\{0,1\},\{0,1\}\$/\1/p" "$FABRIC_HOME/run/$1.json" 2> /dev/null || true; }

# Start of a process in ticks since boot, nothing when it is gone or a zombie. Fields are counted behind the name.
started_at() { sed 's/.*) //' "/proc/$1/stat" 2> /dev/null | awk '$1 != "Z" { print $20 }' || true; }

# A reused pid has another start time.
ours() {
  local pid
  pid=$(field "$1" pid)
  [ -n "$pid" ] && [ "$(started_at "$pid")" = "$(field "$1" startTicks)" ]
}

# group_lives PID: zombies don't count; where nobody reaps (a container without init) they stay for ever. A process that
# ends while the list is read makes cat fail, which says nothing about the group.
group_lives() {
  { cat /proc/[0-9]*/stat 2> /dev/null || true; } | sed 's/.*) //' | awk -v group="$1" '$1 != "Z" && $3 == group { found = 1 } END { exit !found }'
}

# stop_orphan PART: a run that was killed between starting a part and writing its record leaves a process that only its
# program tells: it lies in our state folder and leads a session.
stop_orphan() {
  local folder=$1 pid command
  [ "$folder" != kanboard ] || folder=board
  for pid in $(ls /proc | grep -E '^[0-9]+$'); do
    command=$(tr '\0' ' ' 2> /dev/null < "/proc/$pid/cmdline") || continue
    case $command in "$FABRIC_HOME/parts/$folder/"*) ;; *) continue ;; esac
    [ "$(sed 's/.*) //' "/proc/$pid/stat" | cut -d' ' -f4)" = "$pid" ] || continue
    say "  $1 of an interrupted run is stopped (process $pid)"
    kill -TERM -- "-$pid"
    while group_lives "$pid"; do sleep 0.1; done
  done
}

# A worker finishes or hands back what it holds; killed after that, its lease runs out. The others have nothing to lose, and
# LiteLLM may wait for ever for a connection that somebody keeps open.
patience_of() { case $1 in worker-*) printf 30 ;; *) printf 5 ;; esac; }

stop_part() {
  local part=$1 pid tries patience
  patience=$(patience_of "$part")
  pid=$(field "$part" pid)
  if ours "$part"; then
    kill -TERM -- "-$pid" 2> /dev/null || true
    for ((tries = 0; tries < 10 * patience; tries += 1)); do
      group_lives "$pid" || break
      sleep 0.1
    done
    if group_lives "$pid"; then
      kill -KILL -- "-$pid" 2> /dev/null || true
      say "  $part was killed: it did not stop within $patience s"
    else
      say "  $part stopped"
    fi
  fi
  rm -f "$FABRIC_HOME/run/$part.json"
}

stop_all() {
  local part any=''
  for part in "${PARTS[@]}"; do
    [ ! -e "$FABRIC_HOME/run/$part.json" ] || any=yes
    stop_part "$part"
  done
  [ -n "$any" ] || say "  nothing was running"
}

# elsewhere PART: the part is a server that the user has given
elsewhere() {
  local name=$1
  [ "$name" != llama ] || name=litellm
  grep -qs "^FABRIC_EXTERNAL=\".*$name" "$FABRIC_HOME/.env"
}

show_all() {
  local part state pid all=0 separator=''
  [ -z "$JSON" ] || printf '['
  for part in kanboard litellm llama worker-local; do
    state=down pid=''
    if elsewhere "$part"; then
      state=external
    elif ours "$part"; then
      state=up pid=$(field "$part" pid)
    else
      all=1
    fi
    if [ -n "$JSON" ]; then
      printf '%s{"part":"%s","state":"%s","pid":%s,"address":"%s","version":"%s","log":"%s"}' "$separator" \
        "$part" "$state" "${pid:-null}" "$(field "$part" address)" "$(field "$part" version)" "$FABRIC_HOME/log/$part.log"
      separator=,
    else
      printf '%-13s %-8s %8s  %-24s %-32s %s\n' "$part" "$state" "${pid:--}" "$(field "$part" address)" "$(field "$part" version)" "$FABRIC_HOME/log/$part.log"
    fi
  done
  [ -z "$JSON" ] || printf ']\n'
  return "$all"
}
