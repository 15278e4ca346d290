# Untested: builds and tests Leitong on a fresh Debian 12.
FROM debian:12
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates git sudo
COPY . /leitong
WORKDIR /leitong
RUN ./run version
ENTRYPOINT ["/leitong/run"]
