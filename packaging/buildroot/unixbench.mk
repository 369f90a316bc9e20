################################################################################
#
# unixbench
#
################################################################################

# The address is a placeholder, and unixbench.hash gets the checksum: see README.md in the folder of the recipes.
UNIXBENCH_VERSION = 9.0.0
UNIXBENCH_SITE = https://unixbench.invalid
UNIXBENCH_LICENSE = MIT
UNIXBENCH_LICENSE_FILES = LICENSE

UNIXBENCH_MAKE_OPTS = \
	PORTABLE=yes \
	GRAPHIC_TESTS=no \
	CC="$(TARGET_CC)" \
	CPPFLAGS="$(TARGET_CPPFLAGS)" \
	CFLAGS="$(TARGET_CFLAGS)" \
	LDFLAGS="$(TARGET_LDFLAGS)"

define UNIXBENCH_BUILD_CMDS
	$(TARGET_MAKE_ENV) $(MAKE) $(UNIXBENCH_MAKE_OPTS) -C $(@D)
endef

define UNIXBENCH_INSTALL_TARGET_CMDS
	$(TARGET_MAKE_ENV) $(MAKE) $(UNIXBENCH_MAKE_OPTS) -C $(@D) install \
		DESTDIR="$(TARGET_DIR)" PREFIX=/usr
endef

$(eval $(generic-package))
