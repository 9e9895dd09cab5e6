# An apt of our own: reads Debian sid from the machine's mirror into our folder and installs nothing.
# The machine's proxies, credentials and certificates stay in force; so do signature checks.
APT_DIR=$FABRIC_HOME/apt

debian_keyring() {
  local file
  for file in ${DEBIAN_KEYRING:-} /usr/share/keyrings/debian-archive-keyring.{gpg,pgp} "$FABRIC_HOME"/parts/keyring/usr/share/keyrings/debian-archive-keyring.{gpg,pgp}; do
    [ ! -r "$file" ] || { printf '%s' "$file"; return; }
  done
  return 1
}

# Mirrors to try, best first: the given one, else what the machine's own sources name, without the security archives.
debian_mirrors() {
  [ -z "${DEBIAN_MIRROR:-}" ] || { printf '%s\n' "${DEBIAN_MIRROR%/}"; return; }
  apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 2> /dev/null |
    grep -Ev '^cdrom:|-security/?$|/ubuntu/?$' | awk '!seen[$0]++' | sed 's#/$##'
}

# Small file, fetched by apt's own methods and therefore through the machine's own configuration.
mirror_answers() {
  local scratch code=0
  scratch=$(mktemp -d)
  timeout 40 /usr/lib/apt/apt-helper -o APT::Sandbox::User=root -o Acquire::Retries=0 -o Acquire::http::Timeout=15 \
    download-file "$1/dists/sid/InRelease" "$scratch/InRelease" > "$scratch/said" 2>&1 || code=$?
  MIRROR_SAID=$(grep -m1 -E '^(E|W|Err)' "$scratch/said" || true)
  rm -rf "$scratch"
  return "$code"
}

find_mirror() {
  local candidate
  [ -z "${FABRIC_MIRROR:-}" ] || return 0
  for candidate in $(debian_mirrors); do
    if mirror_answers "$candidate"; then export FABRIC_MIRROR=$candidate; return; fi
  done
  return 1
}

apt_open() {
  local keyring arch
  arch=$(dpkg --print-architecture)
  if ! keyring=$(debian_keyring); then bring_keyring; keyring=$(debian_keyring); fi
  find_mirror || refuse "$EXIT_UNREACHABLE" "no Debian mirror answers" "${MIRROR_SAID:-}" "Set DEBIAN_MIRROR to one that does."
  mkdir -p "$APT_DIR"/etc/apt/{apt.conf.d,preferences.d} "$APT_DIR"/var/lib/{apt/lists/partial,dpkg} "$APT_DIR"/var/cache/apt/archives/partial
  : > "$APT_DIR/var/lib/dpkg/status"
  printf 'deb [signed-by=%s] %s sid main\n' "$keyring" "$FABRIC_MIRROR" > "$APT_DIR/etc/apt/sources.list.$$"
  mv "$APT_DIR/etc/apt/sources.list.$$" "$APT_DIR/etc/apt/sources.list"
  # A snapshot mirror may be older than its Release file's validity. Credentials may be in here, hence the mode.
  (umask 077 && {
    env -u APT_CONFIG apt-config dump Acquire | grep -v '^Acquire::Languages'
    cat << CONF
Dir "$APT_DIR";
Dir::State::status "$APT_DIR/var/lib/dpkg/status";
Dir::Etc::SourceParts "-";
Dir::Etc::netrc "/etc/apt/auth.conf";
Dir::Etc::netrcparts "/etc/apt/auth.conf.d";
APT::Architecture "$arch";
APT::Install-Recommends "false";
APT::Sandbox::User "";
Acquire::Check-Valid-Until "false";
Acquire::Languages "none";
Acquire::Retries "3";
CONF
  } > "$APT_DIR/apt.conf.$$" && mv "$APT_DIR/apt.conf.$$" "$APT_DIR/apt.conf")
  export APT_CONFIG=$APT_DIR/apt.conf
  # The archive moves several times a day; within an hour its files are still there.
  if [ -z "$(find "$APT_DIR/updated" -mmin -60 2> /dev/null)" ]; then
    apt-get update -qq 2> "$FABRIC_HOME/log/apt.log" || unreachable "the Debian mirror $FABRIC_MIRROR" "$FABRIC_HOME/log/apt.log"
    touch "$APT_DIR/updated"
  fi
}

# Ubuntu's own archive has Debian's keys as a package.
bring_keyring() {
  local made=$FABRIC_HOME/tmp/keyring
  mkdir -p "$made"
  (cd "$made" && apt-get download -qq debian-archive-keyring > /dev/null 2>&1 && dpkg -x debian-archive-keyring*.deb . && rm -f ./*.deb) ||
    refuse "$EXIT_UNREACHABLE" "Debian's archive keys are not on this machine" \
      "Install the package debian-archive-keyring, or name its file in DEBIAN_KEYRING."
  finish_part keyring 1 "$made"
}

# The names a package needs, itself included; alternatives and virtual packages come along and are filtered by the callers.
apt_closure() {
  apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces --no-enhances "$@" |
    grep -E '^[a-z0-9]' | sort -u
}

# Libraries of a closure without those of Debian's installer, which hang on debconf.
libraries_only() { grep -E '^(lib|zlib1g)' | grep -vE '^(libc-bin|libpam|libapache2|libphp|libdebian-installer|libnewt|libslang|libtext)'; }

# unpack_packages FOLDER NAME...: downloads, checks and unpacks; no maintainer script runs
unpack_packages() {
  local folder=$1
  shift
  mkdir -p "$folder/debs"
  (cd "$folder/debs" && apt-get download -qq "$@") > "$FABRIC_HOME/log/apt.log" 2>&1 ||
    unreachable "the Debian mirror $FABRIC_MIRROR" "$FABRIC_HOME/log/apt.log"
  local deb
  for deb in "$folder"/debs/*.deb; do dpkg -x "$deb" "$folder"; done
  rm -rf "$folder"/debs "$folder"/usr/share/{doc,man,locale,lintian,bug,doc-base}
}

# The loader of the unpacked glibc: programs of sid need it, whatever the machine's own glibc is.
multiarch() { printf '%s-linux-gnu' "$(uname -m)"; }
loader_of() { ls "$1/usr/lib/$(multiarch)"/ld-linux-*.so.* | head -1; }
