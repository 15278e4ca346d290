# Help reads well cold.
leitong --help
leitong dedup --help
leitong help compare
leitong join --help
leitong search --help
COLUMNS=60 leitong version --help
leitong --version | sed 's/[0-9][0-9.]*/N/'
