# Sourced. Maven, and what it says where it cannot fetch.

# can_compile: a JDK and Maven are there.
can_compile() {
  local tool
  for tool in javac mvn; do
    if ! command -v "$tool" > /dev/null; then
      echo "SKIPPED: there is no $tool (Debian: openjdk-17-jdk-headless, maven)"
      return 1
    fi
  done
}

# maven LOG ARGUMENT...: runs it, first with what is there, without a look at the network. Returns 77 where something could not be fetched.
maven() {
  local log=$1 missing='could not be resolved|Could not transfer|PluginResolutionException|UnresolvableModelException|Cannot access .* in offline mode'
  shift
  if mvn -B -q -o "$@" > "$log" 2>&1; then return 0; fi
  grep -qE "$missing" "$log" || return 1
  if mvn -B -q "$@" > "$log" 2>&1; then return 0; fi
  ! grep -qE "$missing" "$log" || return 77
  return 1
}

# check_jni FOLDER: none of the reports there holds a complaint of -Xcheck:jni.
check_jni() {
  ! grep -rhoE -m 5 '(WARNING|FATAL ERROR) in native method[^.]*' "$1"
}
