#!/bin/sh
# Installs what the tests need on Debian or Ubuntu, as root or through sudo.
set -e
packages='make gcc libc6-dev musl-tools clang cppcheck perl perltidy libperl-critic-perl
    libperl-minimumversion-perl strace valgrind busybox-static dash mksh locales dc shellcheck tidy git procps
    util-linux mount systemd libxml2-utils python3-junitparser python3-jsonschema x11-apps xvfb xfonts-base
    libgl-dev libx11-dev libgl1-mesa-dri'

sudo=
[ "$(id -u)" = 0 ] || sudo=sudo

missing=
for package in $packages; do
    dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed ||
        missing="$missing $package"
done
if [ -n "$missing" ]; then
    $sudo apt-get update
    # shellcheck disable=SC2086  # one word for each package
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing
fi

if ! locale -a | grep -qix 'en_us.utf-\{0,1\}8'; then
    $sudo localedef -i en_US -f UTF-8 en_US.UTF-8
fi
