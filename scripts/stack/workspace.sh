# pnpm in the version that the repository names, and the repository's own packages by its lock file.
pnpm_version() { sed -n 's/.*"packageManager": *"pnpm@\([0-9.]*\).*/\1/p' "$FABRIC_REPO/package.json"; }
# Outside of the checkout: inside of it pnpm would look at packageManager first.
machine_pnpm_serves() { command -v pnpm > /dev/null && [ "$(cd / && pnpm --version 2> /dev/null)" = "$(pnpm_version)" ]; }

workspace_recipe() { (cd "$FABRIC_REPO" && cat pnpm-lock.yaml pnpm-workspace.yaml package.json scripts/package.json packages/*/package.json workers/package.json); }

need_network_for_tools() { ! workspace_ready; }
workspace_ready() {
  local folder
  for folder in "$FABRIC_REPO"/{.,packages/kb-client,packages/fabric,workers,scripts}; do
    [ -d "$folder/node_modules" ] || return 1
  done
  part_is workspace "$(workspace_recipe)"
}

bring_workspace() {
  local start
  workspace_ready && return
  [ -w "$FABRIC_REPO" ] || refuse "$EXIT_STATE" "$FABRIC_REPO is not writable for $(id -un), and its packages are not installed" "Use a checkout of your own."
  PATH=$(dirname "$FABRIC_NODE"):$PATH
  bring_pnpm
  start=$(now)
  local options=(--frozen-lockfile --config.pm-on-fail=ignore --reporter=append-only)
  # A developer's checkout has the tools of the gate installed and a store of its own: both are left as they are.
  grep -qs '"devDependencies": true' "$FABRIC_REPO/node_modules/.modules.yaml" || options+=(--prod --store-dir "$FABRIC_HOME/cache/pnpm")
  # pnpm locks stores by empty files below /tmp, wherever its temporary folder is: removed unless others use them.
  local locks=/tmp/pnpm-store-operation-locks-$(id -u) had_locks=''
  [ ! -e "$locks" ] || had_locks=yes
  # The caches that pnpm keeps beside its store stay in the state folder too.
  (cd "$FABRIC_REPO" && CI=1 XDG_CACHE_HOME=$FABRIC_HOME/cache XDG_STATE_HOME=$FABRIC_HOME/cache XDG_DATA_HOME=$FABRIC_HOME/cache \
    "${PNPM[@]}" install "${options[@]}") > "$FABRIC_HOME/log/pnpm.log" 2>&1 || unreachable "the npm registry" "$FABRIC_HOME/log/pnpm.log"
  [ -n "$had_locks" ] || flock --nonblock "$locks/all-stores.lock" rm -rf "$locks" || true
  mkdir -p "$FABRIC_HOME/tmp/workspace"
  finish_part workspace "$(workspace_recipe)" "$FABRIC_HOME/tmp/workspace"
  report "packages of this repository" "$start" "$FABRIC_REPO/node_modules"
}

# pnpm's own package only picks the binary of the platform; taken directly it needs no install script.
bring_pnpm() {
  local start version arch sum made=$FABRIC_HOME/tmp/pnpm
  if machine_pnpm_serves; then PNPM=(pnpm); return; fi
  PNPM=("$FABRIC_HOME/parts/pnpm/package/pnpm")
  version=$(pnpm_version)
  read -r _ _ arch sum < <(grep "^$version $(uname -m) " "$STACK/tools/pnpm.sha512") ||
    refuse "$EXIT_INTERNAL" "scripts/stack/tools/pnpm.sha512 has no entry for pnpm $version on $(uname -m)" "Add it, or install pnpm $version."
  part_is pnpm "$sum" && return
  start=$(now)
  mkdir -p "$made"
  [ -e "$FABRIC_HOME/installed" ] || command -v npm > /dev/null || check_npm "${NPM[@]}"
  (cd "$made" && "${NPM[@]}" pack --silent --cache "$FABRIC_HOME/cache/npm" "@pnpm/exe.linux-$arch@$version") \
    > "$FABRIC_HOME/log/npm.log" 2>&1 || unreachable "the npm registry" "$FABRIC_HOME/log/npm.log"
  printf '%s  %s\n' "$sum" "$(ls "$made"/*.tgz)" | sha512sum --check --status ||
    refuse "$EXIT_INTERNAL" "the pnpm that the registry gave is not the one this repository names" "Nothing of it was run. Check the registry that npm uses."
  tar -xzf "$made"/*.tgz -C "$made"
  rm -f "$made"/*.tgz
  finish_part pnpm "$sum" "$made"
  report "pnpm $version" "$start" "$FABRIC_HOME/parts/pnpm"
}
