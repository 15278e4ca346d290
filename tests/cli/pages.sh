# Man page and completions.
leitong help --man > leitong.1
head -n 3 leitong.1 | sed 's/leitong [0-9.\\]*"/leitong N"/'
grep -c '^\.SS leitong' leitong.1
for shell in bash zsh fish; do leitong completions $shell | grep -c -e '--\?l\? \?output-dir'; done
leitong completions bash > completion.bash
bash -n completion.bash
source completion.bash
complete_words() {
  COMP_WORDS=("$@")
  COMP_CWORD=$(($# - 1))
  _leitong
  echo "${COMPREPLY[*]}"
}
complete_words leitong de
complete_words leitong dedup --mem
complete_words leitong dedup --verify ''
complete_words leitong completions ''
