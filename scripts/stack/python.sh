# A Python for LiteLLM: the machine's where it is 3.10 to 3.14, else Debian's, unpacked. And uv, brought by pip.
MACHINE_PYTHON=''
# Debian's Python finds its standard library beside itself, so these would only mislead it.
unset PYTHONPATH PYTHONHOME VIRTUAL_ENV

# Complete enough to make environments: Debian splits ssl and ctypes off into packages that may be missing.
usable_python() {
  "$1" -c 'import sys, ssl, zlib, ctypes, sqlite3, email; sys.exit(not (3, 10) <= sys.version_info[:2] <= (3, 14) or sys.maxsize < 2**32)' 2> /dev/null
}

find_machine_python() {
  local name
  for name in python3 python3.13 python3.12 python3.11 python3.14 python3.10; do
    command -v "$name" > /dev/null || continue
    usable_python "$name" || continue
    MACHINE_PYTHON=$("$name" -c 'import sys; print(getattr(sys, "_base_executable", None) or sys.executable)')
    return
  done
}

check_python() {
  find_machine_python
  if [ -n "$MACHINE_PYTHON" ]; then
    say "  Python        $MACHINE_PYTHON ($("$MACHINE_PYTHON" -V | cut -d' ' -f2))"
  else
    say "  Python        none from 3.10 to 3.14 with its standard library: Debian's is unpacked privately"
  fi
}

# uv is what fetches LiteLLM and the model; Node comes by it too unless npm is there.
needs_uv() {
  [ -n "$OPT_LITELLM" ] || return 0
  ! machine_node_serves && ! command -v npm > /dev/null
}

newest_debian_python() {
  local minor
  for minor in 14 13 12 11 10; do
    if apt-cache show "python3.$minor-minimal" > /dev/null 2>&1; then printf '3.%s' "$minor"; return; fi
  done
  return 1
}

bring_python() {
  needs_uv || return 0
  local start chosen=$FABRIC_HOME/parts/python-path
  # Asking a Python takes a quarter of a second, and the choice must stay: LiteLLM's environment was made with it.
  if [ -e "$FABRIC_HOME/installed" ] && [ -x "$(cat "$chosen" 2> /dev/null)" ]; then
    FABRIC_PYTHON=$(cat "$chosen")
    export FABRIC_PYTHON
    bring_uv
    return
  fi
  [ -n "$MACHINE_PYTHON" ] || find_machine_python
  if [ -n "$MACHINE_PYTHON" ]; then
    export FABRIC_PYTHON=$MACHINE_PYTHON
  else
    export FABRIC_PYTHON=$FABRIC_HOME/parts/python/usr/bin/python3
    if ! part_is python "$PYTHON_RECIPE"; then
      start=$(now)
      apt_open
      unpack_python "$FABRIC_HOME/tmp/python"
      finish_part python "$PYTHON_RECIPE" "$FABRIC_HOME/tmp/python"
      report "Python $("$FABRIC_PYTHON" -V | cut -d' ' -f2) (Debian)" "$start" "$FABRIC_HOME/parts/python"
    fi
  fi
  printf '%s\n' "$FABRIC_PYTHON" > "$chosen"
  bring_uv
}

PYTHON_RECIPE=1
unpack_python() {
  local folder=$1 version root=$FABRIC_HOME/parts/python
  version=$(newest_debian_python) || refuse "$EXIT_PLATFORM" "Debian has no Python from 3.10 to 3.14 any more" "Install one on this machine."
  # shellcheck disable=SC2046
  unpack_packages "$folder" "python$version" "python$version-minimal" $(apt_closure "python$version" | libraries_only) libstdc++6
  mv "$folder/usr/bin/python$version" "$folder/usr/bin/python$version.real"
  local loader
  loader=$(loader_of "$folder")
  # argv0 tells Python by which name it was called, and with it which virtual environment it is in.
  printf '#!/bin/sh\nexec "%s" --library-path "%s" --argv0 "$0" "%s" "$@"\n' \
    "$root${loader#"$folder"}" "$root/usr/lib/$(multiarch)" "$root/usr/bin/python$version.real" > "$folder/usr/bin/python$version"
  chmod +x "$folder/usr/bin/python$version"
  ln -s "python$version" "$folder/usr/bin/python3"
}

# The machine's pip, or the wheel that Debian ships for making environments; a wheel runs as it is.
find_pip() {
  if "$FABRIC_PYTHON" -m pip --version > /dev/null 2>&1; then
    PIP=("$FABRIC_PYTHON" -m pip)
    return
  fi
  if ! part_is pip 1; then
    apt_open
    unpack_packages "$FABRIC_HOME/tmp/pip" python3-pip-whl
    finish_part pip 1 "$FABRIC_HOME/tmp/pip"
  fi
  PIP=("$FABRIC_PYTHON" "$(ls "$FABRIC_HOME"/parts/pip/usr/share/python-wheels/pip-*.whl | tail -1)/pip")
}

bring_uv() {
  local start recipe made=$FABRIC_HOME/tmp/uv
  recipe=$(cat "$STACK/tools/uv.txt")
  export FABRIC_UV=$FABRIC_HOME/parts/uv/bin/uv
  if part_is uv "$recipe" && part_is pip-config "$(pip_environment)"; then
    . "$FABRIC_HOME/parts/pip-config/environment"
    return
  fi
  start=$(now)
  export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_USER=0 PIP_NO_INPUT=1 PIP_ROOT_USER_ACTION=ignore PYTHONDONTWRITEBYTECODE=1
  find_pip
  if ! part_is uv "$recipe"; then
    [ -e "$FABRIC_HOME/installed" ] || [ "${PIP[1]}" = -m ] || check_pypi "${PIP[@]}"
    "${PIP[@]}" install --quiet --no-cache-dir --no-deps --only-binary :all: --require-hashes --target "$made" \
      -r "$STACK/tools/uv.txt" > "$FABRIC_HOME/log/pip.log" 2>&1 || unreachable "PyPI" "$FABRIC_HOME/log/pip.log"
    finish_part uv "$recipe" "$made"
    report "uv $("$FABRIC_UV" --version | cut -d' ' -f2)" "$start" "$FABRIC_HOME/parts/uv"
  fi
  mkdir -p "$FABRIC_HOME/tmp/pip-config"
  (umask 077 && uv_settings > "$FABRIC_HOME/tmp/pip-config/environment")
  finish_part pip-config "$(pip_environment)" "$FABRIC_HOME/tmp/pip-config"
  unset PYTHONDONTWRITEBYTECODE
  . "$FABRIC_HOME/parts/pip-config/environment"
}
