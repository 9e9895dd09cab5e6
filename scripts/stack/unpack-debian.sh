#!/usr/bin/env bash
# Unpacks one part from Debian's packages into a new folder: unpack-debian.sh update | board FOLDER FINAL | llama FOLDER FINAL
# FINAL is where the folder will be renamed to; launchers hold that path. Prints the part's versions, "name version" a line.
set -euo pipefail
STACK=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
OPT_KANBOARD='' OPT_LITELLM=''
. "$STACK/exit-codes.sh"
. "$STACK/settings.sh"
. "$STACK/state-folder.sh"
. "$STACK/private-apt.sh"
. "$STACK/registries.sh"

# launcher FILE ROOT-PROGRAM NAME LIBRARIES OPTIONS: starts an unpacked program through the unpacked loader
launcher() {
  printf '#!/bin/sh\nexec "%s" --library-path "%s" --argv0 %s "%s" %s "$@"\n' "$FINAL${LOADER#"$FOLDER"}" "$4" "$3" "$FINAL$2" "${5:-}" > "$1"
  chmod +x "$1"
}

version_of() { apt-cache show --no-all-versions "$1" | sed -n 's/^Version: //p' | sed 's/^[0-9]*://; s/[+-].*//'; }

board() {
  local php names library extensions='' extension found
  php=$(apt-cache depends php-cli | sed -n 's/.*Depends: \(php[0-9.]*\)-cli/\1/p' | head -1)
  names=$(printf "$php-%s " cli common sqlite3 xml gd mbstring curl zip opcache)
  # shellcheck disable=SC2046,SC2086
  unpack_packages "$FOLDER" kanboard composer $names $(apt_closure $names | libraries_only) \
    $(apt_closure kanboard | grep -E '^(php-|fonts-font-awesome$|libjs-|javascript-common$)' |
      grep -vE '^php-(common|cli|cgi|fpm|gd|mbstring|xml|curl|sqlite3|mysql|pgsql|json|zip|phpdbg|ldap|intl)$')
  LOADER=$(loader_of "$FOLDER") library=$FINAL/usr/lib/$(multiarch)
  found=$(dirname "$(find "$FOLDER/usr/lib/php" -name pdo_sqlite.so | head -1)")
  # pdo before its drivers, xml before what builds on it.
  for extension in pdo ctype dom fileinfo iconv mbstring phar posix simplexml tokenizer xml xmlreader xmlwriter curl gd zip pdo_sqlite sqlite3; do
    [ ! -e "$found/$extension.so" ] || extensions="$extensions -d extension=$extension"
  done
  [ ! -e "$found/opcache.so" ] || extensions="$extensions -d zend_extension=opcache"
  mkdir -p "$FOLDER/bin"
  launcher "$FOLDER/bin/php" "/usr/bin/$php" php "$library" \
    "-n -d extension_dir=\"$FINAL${found#"$FOLDER"}\"$extensions -d memory_limit=512M -d opcache.enable_cli=1"
  repair_kanboard
  printf 'kanboard %s\nphp %s\n' "$(version_of kanboard)" "$(version_of "$php-cli")"
}

# The package expects its libraries below /usr/share and its settings below /etc.
repair_kanboard() {
  local kanboard=$FOLDER/usr/share/kanboard
  grep -rlF "'/usr/share/php/" "$kanboard/vendor" "$FOLDER/usr/share/php" --include='*.php' | xargs sed -i "s#'/usr/share/php/#'$FINAL/usr/share/php/#g"
  sed -i "s#^require_once '.*/Composer/autoload.php';#require_once '$FINAL/usr/share/php/Composer/Autoload/ClassLoader.php';#" "$kanboard/vendor/autoload.php"
  rm -f "$kanboard/config.php"
  # Everything else Kanboard reads from the environment by itself.
  printf '%s\n' '<?php' "define('DISABLE_UPDATE_CHECK', true);" > "$kanboard/config.php"
  ln -s "usr/share/kanboard" "$FOLDER/kanboard"
}

llama() {
  local library=$FINAL/usr/lib/$(multiarch)
  # shellcheck disable=SC2046
  unpack_packages "$FOLDER" $(apt_closure llama.cpp-tools | grep -E '^(llama|lib|zlib1g)' | grep -vE '^(libc-bin|libdebian-installer|libnewt|libslang|libtext)')
  LOADER=$(loader_of "$FOLDER")
  mkdir -p "$FOLDER/bin"
  launcher "$FOLDER/bin/llama-server" /usr/bin/llama-server llama-server "$library:$library/ggml:$library/llama"
  # It looks for its processor back ends in the current folder.
  ln -s "usr/lib/$(multiarch)/ggml/backends0" "$FOLDER/backends"
  printf 'llama %s\n' "$(version_of llama.cpp-tools)"
}

FOLDER=${2:-} FINAL=${3:-}
MADE_STATE_FOLDER=''
apt_open
case $1 in
  update) ;;
  board) board ;;
  llama) llama ;;
  *) exit "$EXIT_USAGE" ;;
esac
