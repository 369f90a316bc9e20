# Builds the measured programs of src/ into pgms/, installs and tests the suite. For GNU make.
#
# Variables, from the command line or the environment:
#   CC, CFLAGS, LDFLAGS    as usual; CFLAGS precede the flags chosen here
#   UB_GCC_OPTIONS, OPTON  replace the optimisation flags chosen here
#   ARCH                   kind of machine, by default that of `uname -m`
#   GRAPHIC_TESTS          if defined, ubgears is built even if its headers were not found
#   GL_LIBS                libraries of ubgears
#   PROGDIR                directory for the programs
#   DESTDIR, PREFIX        destination of an installation
#   JOBS                   number of test files that run at once; they spend half of their time waiting

VERSION = 7.0.0
PROGDIR ?= pgms
GL_LIBS ?= -lGL -lX11
PREFIX  ?= /usr/local
JOBS    ?= 4
ARCH    ?= $(shell uname -m)

ifeq ($(origin CC),default)
  CC := $(or $(shell for c in gcc cc clang; do command -v $$c >/dev/null && echo $$c && break; done),gcc)
endif

# Remove the comment sign, or give GRAPHIC_TESTS=defined on the command line, to build ubgears in any case.
# GRAPHIC_TESTS = defined

# $(call quoted,TEXT) is TEXT as one word for the shell. $(call accepted,FLAGS) is FLAGS, or nothing if the compiler
# refuses them.
quoted   = '$(subst ','\'',$(1))'
accepted = $(shell $(CC) -Werror $(1) -fsyntax-only -x c /dev/null 2>/dev/null && echo $(call quoted,$(1)))

# Is "yes" if a program can be linked with OpenGL. The headers alone do not show this: they may belong to another
# architecture.
HAS_GL   = $(shell $(CC) $(CFLAGS) -include GL/glx.h -nostartfiles -x c /dev/null $(LDFLAGS) $(GL_LIBS) \
             -o /dev/null 2>/dev/null && echo yes)

ifdef UB_GCC_OPTIONS
  OPTON = $(UB_GCC_OPTIONS)
else ifndef OPTON
  OPTON = -O3 -ffast-math
  ifneq ($(filter ppc64% powerpc%,$(ARCH)),)
    OPTON += -mcpu=native -mtune=native
  else ifeq ($(ARCH),riscv64)
    OPTON += -march=rv64g -mabi=lp64d
  else
    OPTON += -march=native -mtune=native
  endif
  OPTON := $(or $(call accepted,$(strip $(OPTON))),$(foreach flag,$(OPTON),$(call accepted,$(flag))))
endif

ARITHMETIC = short int long float double
PROGRAMS   = dhry2reg dhry2 whetstone-double arithoh $(ARITHMETIC) register hanoi \
             syscall pipe context1 spawn execl fstime looper
SOURCES    = ub.h dhry.h dhry.c dhry_procedures.c whetstone-double.c arith.c hanoi.c \
             syscall.c pipe.c context1.c spawn.c execl.c fstime.c looper.c \
             ubgears.c gears_scene.c gears_scene.h gears_window.c gears_window.h interbench/main.c \
             multiuser/main.c base/guardian.c
SCRIPTS    = index.base unixbench.logo multi.sh tst.sh by-hand.sh gfx-x11
DATA       = cctest.c dc.dat large.txt sort.src multiuser.script

# The interactivity benchmark measures features that only Linux has.
ifeq ($(shell uname -s),Linux)
  PROGRAMS += interbench
endif

# The multi-user test waits by ppoll, which macOS does not have.
ifneq ($(shell uname -s),Darwin)
  PROGRAMS += multiuser
endif

ifneq ($(wildcard src/ubgears.c),)
  ifneq ($(or $(GRAPHIC_TESTS),$(HAS_GL)),)
    PROGRAMS += ubgears
  endif
endif

BUILT  = $(addprefix $(PROGDIR)/,$(PROGRAMS))
NEEDED = Run $(addprefix pgms/,$(SCRIPTS)) $(addprefix testdir/,$(DATA))

all: distr programs places

programs: $(BUILT)

# Users' scripts write to these directories, or refuse to start without them. Other users may not write to them. In a
# read-only tree they can't be made, which is not an error.
places:
	@umask u+rwx,o-w; for place in results tmp; do test -d $$place || mkdir $$place 2>/dev/null || :; done

# The record of the build. If it would be different now, or a source is newer, it is written again, and every program is
# built again. So one record is valid for all programs.
STAMP    = $(PROGDIR)/build.info
FLAGS    = $(strip $(CFLAGS) $(OPTON))
RECORD   = sh build/record.sh $(call quoted,$(CC)) $(call quoted,$(FLAGS)) $(call quoted,$(strip $(LDFLAGS)))
NOW     := $(shell $(RECORD))
BEFORE  := $(filter-out time=%,$(shell cat $(STAMP) 2>/dev/null))

ifneq ($(strip $(NOW)),$(strip $(BEFORE)))
  .PHONY: $(STAMP)
endif
$(STAMP): Makefile build/record.sh $(wildcard src/*.[ch] src/*/*.[ch] src/*/*/*.[ch])
	@mkdir -p $(PROGDIR)
	@{ $(RECORD); date -u '+time=%Y-%m-%dT%H:%M:%SZ'; } > $@

# Dhrystone requires that its two source files are compiled separately. One command with both files does that, and
# -fno-lto prevents optimisation across them.
DEFINES =
LIBS    =
BUILD   = $(CC) $(FLAGS) -std=c17 -Wall -Wextra $(DEFINES) -o $@ $(filter %.c,$^) $(LDFLAGS) -fno-lto $(LIBS)

$(BUILT): $(STAMP)

$(PROGDIR)/%: src/%.c
	$(BUILD)

$(PROGDIR)/dhry2reg: DEFINES = -DDHRY_REGISTER=register
$(PROGDIR)/dhry2reg $(PROGDIR)/dhry2: src/dhry.c src/dhry_procedures.c
	$(BUILD)

$(ARITHMETIC:%=$(PROGDIR)/%): DEFINES = -DARITH_TYPE=$(@F)
$(PROGDIR)/register: DEFINES = -DARITH_TYPE=int -DARITH_CLASS=register
$(addprefix $(PROGDIR)/,arithoh $(ARITHMETIC) register): src/arith.c
	$(BUILD)

$(PROGDIR)/whetstone-double: LIBS = -lm

# The score of execl depends on the size of its file and on how it is linked. Both are recorded.
$(PROGDIR)/execl: src/execl.c
	$(BUILD)
	@sh build/record.sh --program $@ > $@.info

# interbench and multiuser test for NaN and infinite values. -ffast-math would remove these tests.
$(PROGDIR)/interbench: DEFINES = -D_GNU_SOURCE= -D_FILE_OFFSET_BITS=64 -DINTERBENCH_VERSION='"$(VERSION)"' \
  -Isrc/interbench -Isrc/base -pthread -fno-fast-math
$(PROGDIR)/interbench: LIBS = -lm
$(PROGDIR)/interbench: $(wildcard src/interbench/*.c src/interbench/*/*.c src/base/*.c)
	$(BUILD)

$(PROGDIR)/multiuser: DEFINES = -D_GNU_SOURCE= -D_FILE_OFFSET_BITS=64 -Isrc/base -fno-fast-math
$(PROGDIR)/multiuser: LIBS = -lm
$(PROGDIR)/multiuser: $(wildcard src/multiuser/*.c src/base/*.c)
	$(BUILD)

$(PROGDIR)/ubgears: LIBS = $(GL_LIBS) -lm
$(PROGDIR)/ubgears: src/gears_scene.c src/gears_window.c

# Checks whether all files exist, except those that are built.
distr:
	@for file in $(NEEDED) $(SOURCES:%=src/%); do \
	    test -r $$file || { echo "missing: $$file" >&2; exit 1; }; \
	done
	@echo "distribution complete"

# Checks whether everything exists that a run needs. Builds missing programs first.
check:
	@for file in $(BUILT); do test -r $$file || { $(MAKE) --no-print-directory all; break; }; done
	@status=0; for file in $(NEEDED) $(BUILT); do \
	    test -r $$file || { echo "missing: $$file" >&2; status=1; }; \
	done; \
	test $$status = 0 && echo "all files that a run needs exist"

clean:
	rm -f $(BUILT) $(PROGDIR)/ubgears $(PROGDIR)/interbench $(PROGDIR)/execl.info $(STAMP)

spotless: clean
	rm -rf results tmp t/screenshots build/axe build/passed build/drivers

# Everything goes into one directory below PREFIX/lib. PREFIX/bin/unixbench starts it from there and keeps reports and
# scratch files below the user's home. PREFIX/bin/interbench is a link to that program.
HOMEDIR = $(PREFIX)/lib/unixbench
WRAPPER = $(PREFIX)/bin/unixbench
MANUALS = $(PREFIX)/share/man/man1
to      = $(call quoted,$(DESTDIR)$(1))
PARTS   = Run lib share pgms testdir

install: all
	mkdir -p $(call to,$(HOMEDIR)/pgms) $(call to,$(HOMEDIR)/testdir) $(call to,$(PREFIX)/bin)
	cp -R Run lib share $(call to,$(HOMEDIR))
	cp $(BUILT) $(STAMP) $(PROGDIR)/execl.info $(SCRIPTS:%=pgms/%) $(call to,$(HOMEDIR)/pgms)
	cp $(DATA:%=testdir/%) $(call to,$(HOMEDIR)/testdir)
	{ printf '#!/bin/sh\n%s\n' $(call quoted,home=$(call quoted,$(HOMEDIR))); cat build/wrapper.sh; } \
	    > $(call to,$(WRAPPER))
	chmod 755 $(call to,$(WRAPPER))
	mkdir -p $(call to,$(MANUALS))
	cp share/unixbench.1 $(call to,$(MANUALS))
ifneq ($(filter interbench,$(PROGRAMS)),)
	cp share/interbench.1 $(call to,$(MANUALS))
	ln -sf ../lib/unixbench/pgms/interbench $(call to,$(PREFIX)/bin/interbench)
endif

uninstall:
	rm -rf $(foreach part,$(PARTS),$(call to,$(HOMEDIR)/$(part)))
	rm -f $(call to,$(WRAPPER)) $(call to,$(PREFIX)/bin/interbench) \
	    $(foreach manual,unixbench interbench,$(call to,$(MANUALS)/$(manual).1))
	test ! -d $(call to,$(HOMEDIR)) || rmdir $(call to,$(HOMEDIR))

dist:
	git archive --format=tar.gz --prefix=unixbench-$(VERSION)/ -o unixbench-$(VERSION).tar.gz HEAD

# Builds the programs and runs the tests. At the end, it lists the tests that were skipped because of a missing tool or
# because of this machine. Another make builds, since `make setup test` may have just installed the OpenGL libraries.
test:
	@$(MAKE) --no-print-directory programs
	@t/suite -j$(JOBS)

lint:
	@t/suite -j$(JOBS) t/lint

# Installs the packages that the tests need, on Debian and Ubuntu.
setup:
	sh build/setup.sh

# Makes the reference, the page on tests and the manual page from the program.
reference:
	build/reference

.PHONY: all programs places distr check clean spotless install uninstall dist test lint setup reference
.DELETE_ON_ERROR:
