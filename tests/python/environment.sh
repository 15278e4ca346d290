# Sourced. Environments with packages from PyPI; what is missing is said.

# can_build PYTHON: it has headers, environments and a way to PyPI.
can_build() {
  if ! "$1" -c 'import ensurepip, venv, sysconfig, os, sys; sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))' 2> /dev/null; then
    echo "SKIPPED: $1 has no headers or no venv (Debian: python3-dev, python3-venv)"
    return 1
  fi
  if ! "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    echo "SKIPPED: $1 is older than 3.11"
    return 1
  fi
  if [[ -z ${PIP_INDEX_URL-}${PIP_FIND_LINKS-} ]] &&
    ! timeout 60 "$1" -c 'import urllib.request as u; u.urlopen("https://pypi.org/simple/nanobind/", timeout=30)' 2> /dev/null; then
    echo "SKIPPED: PyPI cannot be reached"
    return 1
  fi
}

# environment PYTHON DIRECTORY PACKAGE...: a new environment unless it is there, with these packages.
environment() {
  local python=$1 directory=$2
  shift 2
  [[ -x $directory/bin/python ]] || "$python" -m venv "$directory"
  "$directory/bin/pip" install -q --disable-pip-version-check "$@"
}
