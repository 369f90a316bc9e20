SUMMARY = "Classic benchmark of Unix systems"
DESCRIPTION = "UnixBench measures processor, kernel, file system and shell, in one index. \
This is an independent implementation in Perl and C."
HOMEPAGE = "https://unixbench.invalid"
SECTION = "console/tests"
LICENSE = "MIT"
LIC_FILES_CHKSUM = "file://LICENSE;md5=4f16a084e4ea7ab1ccdd504c51731d55"

# The address and the checksum are placeholders: see README.md in the folder of the recipes.
SRC_URI = "https://unixbench.invalid/${BP}.tar.gz"
SRC_URI[sha256sum] = "0000000000000000000000000000000000000000000000000000000000000000"

inherit bash-completion

EXTRA_OEMAKE = "PORTABLE=yes"

PACKAGECONFIG ??= ""
PACKAGECONFIG[graphics] = "GRAPHIC_TESTS=yes,GRAPHIC_TESTS=no,virtual/libgl libx11"
EXTRA_OEMAKE += "${PACKAGECONFIG_CONFARGS}"

do_install() {
    oe_runmake install DESTDIR=${D} PREFIX=${prefix} BINDIR=${bindir} LIBEXECDIR=${libexecdir} \
        DATADIR=${datadir} MANDIR=${mandir} DOCDIR=${docdir}/${BPN}
}

FILES:${PN} += "${datadir}/zsh ${datadir}/fish"

# What the suite loads. perl itself has strict, warnings and vars.
RDEPENDS:${PN} += " \
    perl \
    perl-module-b \
    perl-module-config-heavy \
    perl-module-constant \
    perl-module-cwd \
    perl-module-digest-sha \
    perl-module-errno \
    perl-module-exporter \
    perl-module-fcntl \
    perl-module-file-basename \
    perl-module-file-glob \
    perl-module-file-path \
    perl-module-file-spec \
    perl-module-file-spec-unix \
    perl-module-io-handle \
    perl-module-list-util \
    perl-module-overload \
    perl-module-parent \
    perl-module-posix \
    perl-module-scalar-util \
    perl-module-text-parsewords \
    perl-module-time-hires \
"

# Both have bin/interbench.
RCONFLICTS:${PN} = "interbench"

# Read the configuration of a kernel that has it compressed.
RRECOMMENDS:${PN} += "perl-module-compress-raw-zlib"
