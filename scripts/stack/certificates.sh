# Certificate authorities: the user's bundle, the machine's, or Debian's unpacked where the machine has none.
bring_certificates() {
  local bundle=${SSL_CERT_FILE:-}
  [ -n "$bundle" ] || bundle=${REQUESTS_CA_BUNDLE:-${CURL_CA_BUNDLE:-}}
  [ -n "$bundle" ] || bundle=/etc/ssl/certs/ca-certificates.crt
  if [ ! -s "$bundle" ] && needs_debian; then
    if ! part_is certificates 1; then
      apt_open
      unpack_packages "$FABRIC_HOME/tmp/certificates" ca-certificates
      cat "$FABRIC_HOME"/tmp/certificates/usr/share/ca-certificates/mozilla/*.crt > "$FABRIC_HOME/tmp/certificates/bundle.pem"
      finish_part certificates 1 "$FABRIC_HOME/tmp/certificates"
    fi
    bundle=$FABRIC_HOME/parts/certificates/bundle.pem
  fi
  [ -s "$bundle" ] || return 0
  export SSL_CERT_FILE=$bundle
  export NODE_EXTRA_CA_CERTS=${NODE_EXTRA_CA_CERTS:-$bundle}
  [ "$bundle" != /etc/ssl/certs/ca-certificates.crt ] || return 0
  export PIP_CERT=${PIP_CERT:-$bundle}
  # Debian's pip opens the system's bundle first and fails where there is none; this way it asks PIP_CERT only.
  [ -e /etc/ssl/certs/ca-certificates.crt ] || export PIP_USE_DEPRECATED=legacy-certs
}
