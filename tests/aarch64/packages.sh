# Sourced. Packages of AArch64, unpacked beside this machine's own, whose architectures stay as they are.

# fetch_packages WORK TO PACKAGE...: into the folder TO, unless that was done before. What apt keeps and says goes to WORK. Not 0: it could not.
fetch_packages() {
  local work=$1 to=$2
  shift 2
  [[ ! -e $to/.filled ]] || return 0
  (
    mkdir -p "$work"/apt/{lists/partial,cache} "$work/apt/$(basename "$to")"
    cd "$work/apt/$(basename "$to")"
    apt=(apt-get -qq -o APT::Architectures::=amd64 -o APT::Architectures::=arm64 -o Dir::State::lists="$work/apt/lists"
      -o Dir::Cache="$work/apt/cache" -o Debug::NoLocking=1 -o APT::Sandbox::User=)
    "${apt[@]}" update && "${apt[@]}" download "${@/%/:arm64}" || exit 1
    for package in *.deb; do dpkg-deb -x "$package" "$to"; done
    # Links in -dev packages that name /lib are relative to the system's root.
    [[ -e $to/lib ]] || ln -s usr/lib "$to/lib"
    touch "$to/.filled"
  ) > "$work/packages.log" 2>&1
}
