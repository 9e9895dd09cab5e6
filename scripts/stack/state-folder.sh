# The state folder: recognised by its marker, locked by one process at a time. The kernel drops the lock with the process,
# so a killed run leaves no stale lock.
MARKER=$FABRIC_HOME/fabric-state
MADE_STATE_FOLDER=''

check_state_folder() {
  local parent=$FABRIC_HOME
  if [ -e "$FABRIC_HOME" ] && [ ! -d "$FABRIC_HOME" ]; then
    refuse "$EXIT_STATE" "$FABRIC_HOME is not a folder" "Set FABRIC_HOME to a folder that scripts/up may fill."
  fi
  if [ -d "$FABRIC_HOME" ] && [ ! -e "$MARKER" ] && [ "$FABRIC_HOME" != "$FABRIC_REPO/.fabric" ] &&
    [ -n "$(ls -A "$FABRIC_HOME")" ]; then
    refuse "$EXIT_STATE" "$FABRIC_HOME holds something else" "Set FABRIC_HOME to an empty or a new folder."
  fi
  while [ ! -e "$parent" ]; do parent=$(dirname "$parent"); done
  [ -w "$parent" ] || refuse "$EXIT_STATE" "$parent is not writable for $(id -un)" "Set FABRIC_HOME to a folder of yours."
  case $FABRIC_HOME in
    *[\ \'\"\\\$\`]*) refuse "$EXIT_STATE" "the path of the state folder has a blank or quote in it: $FABRIC_HOME" "Set FABRIC_HOME to a path without." ;;
  esac
}

open_state_folder() {
  [ -d "$FABRIC_HOME" ] || MADE_STATE_FOLDER=yes
  mkdir -p "$FABRIC_HOME"/{parts,run,log,tmp,bin,data}
  chmod 700 "$FABRIC_HOME"
  [ -e "$MARKER" ] || printf 'State of Agap Fabric. Made by scripts/up, removed by scripts/down --purge.\n' > "$MARKER"
  lock_state_folder
  # What an interrupted run was fetching: finished parts have been renamed out of here.
  rm -rf "${FABRIC_HOME:?}/tmp"
  mkdir -p "$FABRIC_HOME/tmp"
}

lock_state_folder() {
  mkdir -p "$FABRIC_HOME/run"
  exec 9> "$FABRIC_HOME/run/lock"
  flock -n 9 && return
  # The downloads of a killed run hold the lock for a few more seconds.
  say "Waiting for another scripts/up or scripts/down in $FABRIC_HOME"
  flock -w 30 9 || refuse "$EXIT_BUSY" "another scripts/up or scripts/down is working in $FABRIC_HOME" "Wait for it, or stop it with Ctrl-C."
}

# A part is there when its stamp says the recipe it was made by. The recipe names the folder, because launchers hold paths.
stamp_of() { printf '%s|%s' "$FABRIC_HOME" "$1" | sha256sum | cut -c1-16; }
part_is() { [ "$(cat "$FABRIC_HOME/parts/$1/.stamp" 2>/dev/null)" = "$(stamp_of "$2")" ]; }
# finish_part NAME RECIPE FOLDER: the rename is the moment from which the part exists
finish_part() {
  stamp_of "$2" > "$3/.stamp"
  rm -rf "${FABRIC_HOME:?}/parts/$1"
  mv -T "$3" "$FABRIC_HOME/parts/$1"
}

first_run() { [ ! -e "$FABRIC_HOME/installed" ] || [ -n "$OPT_CHECK" ]; }

now() { local t=${EPOCHREALTIME/,/.}; printf '%s' "${t%.*}${t#*.}" | cut -c1-13; }
# report NAME START FOLDER: one line per finished part
report() {
  local ms=$(($(now) - $2)) mb
  mb=$(du -sm "$3" 2>/dev/null | cut -f1)
  printf '  %-34s %5s MB  %3d.%d s\n' "$1" "$mb" $((ms / 1000)) $((ms % 1000 / 100))
}
