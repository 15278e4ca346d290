# Sourced by run and test. Everything that is said goes to standard error.

# leitong_install GROUP...: installs those packages of the groups in debian-packages.txt that are missing. Removes none: headers of another
# Boost, which somebody may need, would be in the way of the server's.
leitong_install() {
  local here wanted=() missing=() group package name groups=" $* "
  here=$(dirname "${BASH_SOURCE[0]}")
  if ! command -v dpkg-query > /dev/null; then
    echo "leitong: not a Debian system: the packages of cmake/debian-packages.txt ($*) must be there already" >&2
    return 0
  fi
  while read -r group package; do
    [[ $group == '#'* || -z $package || $groups != *" $group "* ]] || wanted+=("$package")
  done < "$here/debian-packages.txt"
  local installed
  installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "${wanted[@]}" 2> /dev/null || true)
  for name in "${wanted[@]}"; do
    grep -qx "installed $name" <<< "$installed" || missing+=("$name")
  done
  ((${#missing[@]} > 0)) || return 0
  local as_root=()
  if ((EUID != 0)); then
    if ! command -v sudo > /dev/null; then
      echo "leitong: these packages are missing, and there is neither root nor sudo to install them: ${missing[*]}" >&2
      return 1
    fi
    as_root=(sudo)
  fi
  echo "leitong: installing Debian packages: ${missing[*]}" >&2
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get)
  # Package lists may be missing or old: fetch them, then install.
  "${apt[@]}" update -qq >&2 || echo "leitong: apt-get update failed; trying with the lists that are there" >&2
  "${apt[@]}" install -y -qq --no-remove --no-install-recommends "${missing[@]}" >&2
}
