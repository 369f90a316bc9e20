#!/bin/sh
# Installs the packages that tests need on Debian or Ubuntu, as root or by sudo: those for the core, or with the word
# "all" those for all tests. In a minimal system the first are a download of less than 100 MB.
set -e
cd "$(dirname "$0")/.."

packages='make gcc libc6-dev perl locales dc strace procps util-linux xz-utils tidy libxml2-utils cmark-gfm jq
    dash mksh busybox-static python3 python3-jsonschema python3-prometheus-client'
optional=

if [ "${1-}" = all ]; then
    packages="$packages git gnupg musl-tools clang cppcheck shellcheck
        perltidy libperl-critic-perl libperl-minimumversion-perl valgrind bpftrace zsh fish mount systemd binutils
        python3-pip python3-venv x11-apps xvfb xfonts-base
        libgl-dev libx11-dev libgl1-mesa-dri librsvg2-bin fonts-dejavu-core
        qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross gcc-arm-linux-gnueabihf libc6-dev-armhf-cross
        gcc-arm-linux-gnueabi libc6-dev-armel-cross gcc-mipsel-linux-gnu libc6-dev-mipsel-cross
        gcc-i686-linux-gnu libc6-dev-i386-cross gcc-powerpc64le-linux-gnu libc6-dev-ppc64el-cross
        gcc-riscv64-linux-gnu libc6-dev-riscv64-cross gcc-s390x-linux-gnu libc6-dev-s390x-cross
        ansible-core ansible-lint openssh-client
        dpkg-dev debhelper fakeroot rpm bmake"

    # These packages do not exist in every release: they render pages, and lava-common checks test definitions.
    optional='chromium chromium-driver python3-selenium lava-common'

    # Debian starts a server when its package is installed. So these are installed only on machines that run the tests
    # of others. prometheus has promtool, which checks metrics.
    if [ -n "$CI" ]; then
        packages="$packages openssh-server"
        optional="$optional prometheus"
    fi
fi

sudo=
[ "$(id -u)" = 0 ] || sudo=sudo

# Prints those of the packages that are not installed.
missing() {
    for package; do
        dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || printf ' %s' "$package"
    done
}

# shellcheck disable=SC2046,SC2086  # one word for each package
if [ -n "$(missing $packages $optional)" ]; then
    $sudo apt-get update
    for package in $(missing $optional); do
        if apt-cache show "$package" >/dev/null 2>&1; then packages="$packages $package"; fi
    done
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $(missing $packages)
fi

if ! locale -a | grep -qix 'en_us.utf-\{0,1\}8'; then
    $sudo localedef -i en_US -f UTF-8 en_US.UTF-8
fi

[ "${1-}" = all ] || exit 0

# Installs axe-core 4.12.1, which checks the accessibility of pages. It is taken from a Python package.
axe=build/axe/axe.min.js
axe_package='axe-playwright-python==0.1.8'
axe_sum=84494fec757e4710dc751c8d7a636e457f4532f08f85c86dc9070133fbff53bc
is_axe() { echo "$axe_sum  $axe" | sha256sum -c --status 2>/dev/null; }

if ! is_axe; then
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    if python3 -m pip download -q --no-deps --disable-pip-version-check -d "$scratch" "$axe_package"; then
        python3 -m zipfile -e "$scratch"/*.whl "$scratch/wheel"
        mkdir -p "${axe%/*}"
        cp "$scratch/wheel/axe_playwright_python/axe.min.js" "$axe"
        is_axe || { echo "$axe has another checksum than expected: check the version in $axe_package" >&2; exit 1; }
    else
        echo "can't download axe-core: t/long/pages/pages.t will skip the check of accessibility" >&2
    fi
fi

# Takes a directory, a module, its package and a test; installs the package there, if it is missing.
PIP_ROOT_USER_ACTION=ignore
export PIP_ROOT_USER_ACTION
from_pip() {
    [ -d "$1/$2" ] || python3 -m pip install -q --disable-pip-version-check --target "$1" "$3" ||
        echo "can't download $3: $4 will skip a check" >&2
}

# The C compiler of Zig has the headers of BSD and macOS. check-jsonschema has the schemas of GitHub and GitLab.
from_pip build/ziglang ziglang 'ziglang>=0.16,<0.17' t/long/build/other-builds.t
from_pip build/check-jsonschema check_jsonschema 'check-jsonschema>=0.28,<0.40' t/long/documents/documents.t
