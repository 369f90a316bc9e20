#!/bin/sh
# Prints each place that a packager has to fill in: addresses below a name that never exists (RFC 2606). Ends with exit
# status 1 if there are any.
cd "$(dirname "$0")/.." || exit 2

if grep -srnE 'unixbench[.]invalid' --exclude=README.md --exclude="${0##*/}" debian packaging \
    SECURITY.md features/*/ansible/galaxy.yml | LC_ALL=C sort | grep .; then exit 1; fi
