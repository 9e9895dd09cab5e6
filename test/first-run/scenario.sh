#!/usr/bin/env bash
# Runs the steps of a first run in an empty Debian root: scenario.sh ROOT OUT USER. In mount and process namespaces of its
# own, so that nothing of it is left when it ends, however it ends.
set -euo pipefail
ROOT=$1 OUT=$2 WHO=$3

mount --make-rprivate /
mount -t proc proc "$ROOT/proc"
mount -t tmpfs -o mode=755 tmpfs "$ROOT/dev"
mkdir -p "$ROOT/dev/shm" "$ROOT/dev/pts"
mount -t tmpfs -o mode=1777 tmpfs "$ROOT/dev/shm"
for device in null zero full random urandom tty; do
  touch "$ROOT/dev/$device"
  mount --bind "/dev/$device" "$ROOT/dev/$device"
done
ln -s /proc/self/fd "$ROOT/dev/fd"
ln -s fd/0 "$ROOT/dev/stdin" && ln -s fd/1 "$ROOT/dev/stdout" && ln -s fd/2 "$ROOT/dev/stderr"

home=$(chroot "$ROOT" bash -c "echo ~$WHO")
mapfile -t variables < "$OUT/environment"
# One ioctl brings loopback up; perl is part of the smallest Debian, ip is not.
LOOPBACK_UP='socket(my $s, 2, 2, 0); my $r = pack("a16 s x22", "lo", 1); ioctl($s, 0x8914, $r) or die "loopback: $!"'

# step NAME NETWORK COMMAND: output, exit code and milliseconds go to files
step() {
  local started code=0
  started=$(date +%s%3N)
  local inside=(chroot "--userspec=$WHO:$WHO" "$ROOT" env -i "HOME=$home" "USER=$WHO" PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
    LANG=C.UTF-8 "${variables[@]}" bash -c "cd '$home/fabric' && $3")
  if [ "$2" = offline ]; then
    unshare --net bash -c 'perl -e "$1" && shift && exec "$@"' offline "$LOOPBACK_UP" "${inside[@]}" > "$OUT/$1.out" 2>&1 < /dev/null || code=$?
  else
    "${inside[@]}" > "$OUT/$1.out" 2>&1 < /dev/null || code=$?
  fi
  printf '%s %s\n' "$code" $(($(date +%s%3N) - started)) > "$OUT/$1.result"
}

while IFS=$'\t' read -r name network command; do step "$name" "$network" "$command"; done < "$OUT/steps"
