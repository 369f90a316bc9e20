# Builds, installs, packs and tests UnixBench. For GNU make.
#
#   make                   builds the measured programs into pgms/, for this CPU, and testdir/large.txt; makes the
#                          manual page and the completions in share/
#   make check             says whether everything exists that a run needs, and builds what is missing
#   make names             prints the names of the programs that this system can have
#   make brief             the same without ubgears, each with arguments for a little work that it checks itself
#   make install           installs the suite; builds it with the variables of the last build
#   make uninstall         removes what an installation with the same variables has installed
#   make static            packs a release for machines without a compiler: unixbench-VERSION-ARCHITECTURE.tar.xz
#   make dist              packs the committed sources: unixbench-VERSION.tar.gz, with its checksum
#   make setup             installs what the tests of the core need, on Debian and Ubuntu; setup-all: of all tests
#   make test              runs the tests of the core; test-all: all tests
#   make lint, tidy        checks the coding standard of files that changed; gives them the layout of perltidy
#   make reference         makes the reference and the lists of documents from the program, and writes its version
#   make share/result.schema.json
#                          makes the JSON Schema of results
#   make clean, spotless   remove what was built; spotless removes results, too
#
# Variables, on the command line or in the environment:
#   PORTABLE=yes           builds for every CPU that the compiler is for; usual if DESTDIR is set
#   CC, CPPFLAGS, CFLAGS, LDFLAGS
#                          as usual; in a portable build, CFLAGS come last and win. Levels of optimisation (-O2) are
#                          ignored in them. CC=aarch64-linux-gnu-gcc builds for another architecture
#   UB_GCC_OPTIONS, OPTON  replace the optimisation flags chosen here (-O3 -ffast-math)
#   ARCH                   architecture, by default that of the compiler
#   GRAPHIC_TESTS          no, or empty: ubgears is not built; anything else: it is built even if its headers were not
#                          found
#   GL_LIBS                libraries of ubgears
#   PROGDIR                directory for the programs
#   DESTDIR, PREFIX        destination of an installation
#   BINDIR, LIBEXECDIR, DATADIR, MANDIR, DOCDIR
#                          directories below PREFIX: bin, lib, share, share/man, share/doc/unixbench
#   BASHCOMPDIR, ZSHCOMPDIR, FISHCOMPDIR
#                          directories of completions, below DATADIR
#   JOBS                   number of test files that run at once; they spend half of their time waiting

VERSION := $(shell sed -n "s/^our .VERSION = '\(.*\)';/\1/p" lib/UnixBench/Version.pm)
PROGDIR ?= pgms
GL_LIBS ?= -lGL -lX11
JOBS    ?= 4

PREFIX      ?= /usr/local
BINDIR      ?= $(PREFIX)/bin
LIBEXECDIR  ?= $(PREFIX)/lib
DATADIR     ?= $(PREFIX)/share
MANDIR      ?= $(DATADIR)/man
DOCDIR      ?= $(DATADIR)/doc/unixbench
BASHCOMPDIR ?= $(DATADIR)/bash-completion/completions
ZSHCOMPDIR  ?= $(DATADIR)/zsh/site-functions
FISHCOMPDIR ?= $(DATADIR)/fish/vendor_completions.d

# An installation builds with the variables of the last build, unless others are given: packages name the compiler only
# once. $(call given,NAME) is not empty if that variable was given, and $(call last,NAME) is its last value.
MEMORY  = $(PROGDIR)/build.mk
GIVEN   = CC CPPFLAGS CFLAGS LDFLAGS UB_GCC_OPTIONS OPTON ARCH GRAPHIC_TESTS GL_LIBS PORTABLE
given   = $(filter command environment override,$(firstword $(origin $(1))))
last    = $(strip $(value $(if $(call given,$(1)),$(1),LAST_$(1))))
MENTION = $(foreach name,$(GIVEN),$(if $(call last,$(name)),echo $(call quoted,LAST_$(name) = $(call last,$(name)));))
ifeq ($(MAKECMDGOALS),install)
  -include $(MEMORY)
  $(foreach name,$(GIVEN),$(if $(LAST_$(name)),$(if $(call given,$(name)),,$(eval $(name) = $$(LAST_$(name))))))
endif

ifeq ($(origin CC),default)
  CC := $(or $(shell for c in gcc cc clang; do command -v $$c >/dev/null && echo $$c && break; done),gcc)
endif

# The system and the architecture for which the compiler builds, such as x86_64-linux-gnu.
TARGET := $(or $(shell $(CC) -dumpmachine 2>/dev/null),$(shell uname -m)-$(shell uname -s | tr A-Z a-z))
ARCH   ?= $(firstword $(subst -, ,$(TARGET)))

# A package is for all users of an architecture.
PORTABLE ?= $(if $(DESTDIR),yes)
IS_PORTABLE = $(filter-out 0 no,$(PORTABLE))

# Remove the comment sign, or give GRAPHIC_TESTS=defined on the command line, to build ubgears in any case.
# GRAPHIC_TESTS = defined

# In the classic suite, an empty value is as good as none: ubgears is not built. An installation remembers that.
ifneq ($(origin GRAPHIC_TESTS),undefined)
  ifeq ($(strip $(GRAPHIC_TESTS)),)
    override GRAPHIC_TESTS = no
  endif
endif

# $(call quoted,TEXT) is TEXT as one word for the shell. $(call accepted,FLAGS) is FLAGS, or nothing if the compiler
# refuses them. $(call sources,PATTERNS) is the files, without those of tests, in the same order everywhere: it is that
# of the linker.
sources  = $(sort $(filter-out $(wildcard features/*/src/t/*),$(wildcard $(1))))
quoted   = '$(subst ','\'',$(1))'
accepted = $(shell $(CC) -Werror $(1) -E -x c /dev/null >/dev/null 2>&1 && echo $(call quoted,$(1)))

# The newest standard of C that the compiler knows: gcc before 8 has no c17, gcc before 4.7 no c11. The measured
# programs are the same by each. The record of the build names any other than c17.
STANDARD := $(or $(call accepted,-std=c17),$(call accepted,-std=c11),$(call accepted,-std=gnu99),-std=c17)

# $(call levels,FLAGS) is the levels of optimisation among FLAGS, and $(call others,FLAGS) is the rest. Distributions
# set -O2 or -Os for all packages. Scores depend on the level, so the same version would have other scores on each of
# them. So levels count only in UB_GCC_OPTIONS and OPTON.
LEVELS   = -O -O% --optimize --optimize=%
levels   = $(filter $(LEVELS),$(1))
others   = $(strip $(filter-out $(LEVELS),$(1)))
USUAL    = CPPFLAGS CFLAGS LDFLAGS

# The flags of all programs.
FLAGS    = $(strip $(if $(IS_PORTABLE),$(OPTON) $(call others,$(CPPFLAGS) $(CFLAGS)), \
             $(call others,$(CPPFLAGS) $(CFLAGS)) $(OPTON)))
LINKING  = $(call others,$(LDFLAGS))

# $(call links,CODE,FLAGS,LIBRARIES) is a command that succeeds if this can be linked. Its output is a file of its own,
# because some compilers remove the file that they write: for root, /dev/null would be gone.
links    = file=$$(mktemp) && trap 'rm -f "$$file"' EXIT && echo $(call quoted,$(1)) | \
             $(CC) $(FLAGS) $(2) -x c - $(LINKING) -fno-lto $(3) -o "$$file"

# HAS_GL is "yes" if a program can be linked with OpenGL. The headers alone do not show this: they may belong to another
# architecture, and the libraries may not be static. HAS_GLX is "yes" if the compiler finds the headers.
A_WINDOW = int main(void) { return glXQueryVersion(XOpenDisplay(0), 0, 0); }
HAS_GL   = $(shell ($(call links,$(A_WINDOW),-include GL/glx.h,$(GL_LIBS))) 2>/dev/null && echo yes)
HAS_GLX  = $(shell $(CC) $(FLAGS) -include GL/glx.h -E -x c /dev/null >/dev/null 2>&1 && echo yes)

ifdef UB_GCC_OPTIONS
  OPTON = $(UB_GCC_OPTIONS)
else ifndef OPTON
  OPTON = -O3 -ffast-math
  ifneq ($(IS_PORTABLE),)
  else ifneq ($(filter ppc64% powerpc%,$(ARCH)),)
    OPTON += -mcpu=native -mtune=native
  else ifeq ($(ARCH),riscv64)
    OPTON += -march=rv64g -mabi=lp64d
  else
    OPTON += -march=native -mtune=native
  endif
  OPTON := $(or $(call accepted,$(strip $(OPTON))),$(foreach flag,$(OPTON),$(call accepted,$(flag))))

  # A compiler for another architecture knows nothing of this CPU.
  ifeq ($(findstring =native,$(OPTON))$(filter riscv64,$(ARCH)),)
    PORTABLE = yes
  endif
endif

# The programs of the core; "make names" prints all. A program of ONE_FILE is built from src/NAME.c. Without a
# program of INDEX, a build fails.
INDEX      = dhry2reg whetstone-double syscall context1 pipe spawn execl fstime looper
ONE_FILE   = whetstone-double hanoi syscall pipe context1 spawn execl fstime looper clock
ARITHMETIC = short int long float double
PROGRAMS   = dhry2reg dhry2 arithoh $(ARITHMETIC) register $(ONE_FILE)
SOURCES    = $(addprefix src/,ub.h dhry.h dhry.c dhry_procedures.c arith.c $(ONE_FILE:%=%.c) \
             ubgears.c gears_scene.c gears_scene.h gears_window.c gears_window.h base/guardian.c)
SCRIPTS    = index.base unixbench.logo multi.sh tst.sh by-hand.sh gfx-x11 measure.sh measure.table
DATA       = cctest.c dc.dat large.txt sort.src multiuser.script
OPTIONAL   = ubgears

# The programs of features. A feature adds to the lists above, and to LARGE, the programs that are files of their own in
# a static release. OPTIONAL has programs that are not built everywhere.
FRAGMENTS     = $(sort $(wildcard features/*/build.mk))
.DEFAULT_GOAL = all
include $(FRAGMENTS)

ifneq ($(wildcard src/ubgears.c),)
  ifneq ($(filter-out 0 no,$(or $(GRAPHIC_TESTS),$(HAS_GL))),)
    PROGRAMS += ubgears
  else ifeq ($(GRAPHIC_TESTS),)
    WITHOUT_GEARS = $(HAS_GLX)
  endif
endif

BUILT  = $(addprefix $(PROGDIR)/,$(PROGRAMS))
TEXT   = testdir/large.txt
PAGE   = share/unixbench.1
NEEDED = Run $(addprefix pgms/,$(SCRIPTS)) $(filter-out $(TEXT),$(addprefix testdir/,$(DATA)))

# The arguments for a little work that a program checks itself. Most programs count loops.
BRIEF                  = -n 10
BRIEF_clock            = 1
BRIEF_looper           = -n 3 true
BRIEF_whetstone-double = -n 1
brief_of               = $(if $(filter undefined,$(origin BRIEF_$(1))),$(BRIEF),$(BRIEF_$(1)))

# If a script, the baseline or a text is missing, the programs are built all the same.
all: sources programs places
	@lacking=; for file in $(NEEDED); do test -r $$file || lacking="$$lacking $$file"; done; \
	if test -z "$$lacking"; then echo "distribution complete"; else \
	    echo "missing:$$lacking" >&2; \
	    echo "All programs are built, but runs need these files: unpack the release again, or git checkout them" >&2; \
	fi

# Each program is built by itself: make ignores that one fails, unless it was asked for by its path. The end names those
# that are missing, with their tests. If .IGNORE had no names, make would ignore all errors.
.IGNORE: notes $(PAGE) $(filter-out $(MAKECMDGOALS),$(BUILT))
TESTS_OF = perl -Ilib -MUnixBench::Catalog -e 'print map { " $$_" } UnixBench::Catalog::tests_by(shift)'

programs: $(BUILT) $(TEXT) $(PAGE)
	@status=0; for name in $(PROGRAMS); do \
	    test ! -e $(PROGDIR)/$$name || continue; \
	    tests=$$($(TESTS_OF) $$name 2>/dev/null); \
	    echo "not built: $$name$${tests:+, for$$tests}" >&2; \
	    case " $(INDEX) " in *" $$name "*) status=1 ;; esac; \
	done; exit $$status

# The manual page of unixbench, and its completions in share/completion. A tree that is read-only, or a machine without
# Perl, does without them.
DESCRIBED = $(wildcard $(addsuffix .pm,$(foreach lib,lib features/*/lib,$(addprefix $(lib)/UnixBench/,* */* */*/*))))
$(PAGE): build/reference $(wildcard build/completion/*/*) $(DESCRIBED)
	@test ! -w share || ! command -v perl >/dev/null || perl build/reference --built

# Prints the names of the programs. Tests and packages read them here.
names:
	@printf '%s\n' $(PROGRAMS)

# Prints what a short check of all programs runs. ubgears needs a display.
brief:
	@printf '%s\n' $(foreach name,$(filter-out ubgears,$(PROGRAMS)),$(call quoted,$(name) $(call brief_of,$(name))))

# Users' scripts write to these directories, or refuse to start without them. Other users may not write to them. In a
# read-only tree they can't be made, which is not an error.
places:
	@umask u+rwx,o-w; for place in results tmp; do test -d $$place || mkdir $$place 2>/dev/null || :; done

# The record of the build. If it would be different now, or a source is newer, it is written again, and every program is
# built again. So one record is valid for all programs.
STAMP    = $(PROGDIR)/build.info
RECORDED = $(strip $(FLAGS) $(filter-out -std=c17,$(STANDARD)))
RECORD   = sh build/record.sh $(call quoted,$(CC)) $(call quoted,$(RECORDED)) $(call quoted,$(LINKING)) $(IS_PORTABLE)
NOW     := $(shell $(RECORD))
BEFORE  := $(filter-out time=%,$(shell grep -v ^execl_ $(STAMP) 2>/dev/null))

ifneq ($(strip $(NOW)),$(strip $(BEFORE)))
  .PHONY: $(STAMP)
endif
C_FILES  = $(addsuffix /*.[ch],src src/* features/*/src features/*/src/*)
$(STAMP): Makefile $(FRAGMENTS) build/record.sh $(call sources,$(C_FILES))
	@$(call links,int main(void) { return 0; },-include stdio.h $(STANDARD)) || \
	    { echo "the programs can't be built" >&2; exit 1; }
	@mkdir -p $(PROGDIR)
	@rm -f $(BUILT)
	@{ $(MENTION) :; } | sed 's/#/\\#/g' > $(MEMORY)
	@{ $(RECORD); sh build/record.sh --time; } > $@

# Dhrystone requires that its two source files are compiled separately. One command with both files does that, and
# -fno-lto prevents optimisation across them.
DEFINES =
LIBS    =
MATH    = $(FLAGS)
define BUILD
$(CC) $(MATH) $(STANDARD) -Wall -Wextra $(DEFINES) -o $@ $(filter %.c,$^) $(LINKING) -fno-lto $(LIBS)
@test -e $@ || echo "$(@F) can't be built" >&2
endef

$(BUILT): $(STAMP) | notes

# Names the flags that are ignored, and the program that they prevent; also if everything is built already.
notes:
	@$(foreach name,$(USUAL),$(if $(call levels,$($(name))),\
	    echo $(call quoted,ignored in $(name): $(call levels,$($(name))) (use UB_GCC_OPTIONS)) >&2;)) \
	$(if $(WITHOUT_GEARS),\
	    echo "ubgears is not built: OpenGL can't be linked with these flags (GRAPHIC_TESTS=yes shows why)" >&2;) :

$(PROGDIR)/%: src/%.c
	$(BUILD)

# The record also describes the file of execl. It keeps its time, since the other programs must not be older.
$(PROGDIR)/execl: src/execl.c
	$(BUILD)
	@test -e $@ || exit 0; set -C; new=$(STAMP).$$$$.new; \
	{ grep -v ^execl_ $(STAMP); sh build/record.sh --program $(call quoted,$(CC)) $@; } > $$new && \
	touch -r $(STAMP) $$new && mv -f $$new $(STAMP)

$(PROGDIR)/dhry2reg: DEFINES = -DDHRY_REGISTER=register
$(PROGDIR)/dhry2reg $(PROGDIR)/dhry2: src/dhry.c src/dhry_procedures.c
	$(BUILD)

$(ARITHMETIC:%=$(PROGDIR)/%): DEFINES = -DARITH_TYPE=$(@F)
$(PROGDIR)/register: DEFINES = -DARITH_TYPE=int -DARITH_CLASS=register
$(addprefix $(PROGDIR)/,arithoh $(ARITHMETIC) register): src/arith.c
	$(BUILD)

$(PROGDIR)/whetstone-double: LIBS = -lm

$(PROGDIR)/ubgears: LIBS = $(GL_LIBS) -lm
$(PROGDIR)/ubgears: src/gears_scene.c src/gears_window.c

# Several programs in one file, for a static release: build/static.sh makes the files of OBJECTS.
$(PROGDIR)/several: LIBS = -I$(OBJECTS) $(sort $(wildcard $(OBJECTS)/*.o)) -lm -s
$(PROGDIR)/several: build/several.c $(STAMP)
	$(BUILD)

# The text of the grep test. It is the same everywhere.
$(TEXT): testdir/make-large.awk
	@LC_ALL=C awk -f $< > $@

# Checks whether all files exist, except those that are built.
distr: sources
	@for file in $(NEEDED); do test -r $$file || { echo "missing: $$file" >&2; exit 1; }; done
	@echo "distribution complete"

sources:
	@for file in testdir/make-large.awk $(SOURCES); do \
	    test -r $$file || { echo "missing: $$file" >&2; exit 1; }; \
	done

# Checks whether everything exists that the index needs, and names what other tests lack. Builds missing programs first.
check:
	@for file in $(BUILT) $(TEXT); do test -r $$file || { $(MAKE) --no-print-directory all; break; }; done
	@status=0; for file in $(NEEDED) $(BUILT) $(TEXT); do \
	    test ! -r $$file || continue; \
	    echo "missing: $$file" >&2; \
	    case " $(NEEDED) $(INDEX:%=$(PROGDIR)/%) $(TEXT) " in *" $$file "*) status=1 ;; esac; \
	done; \
	test $$status = 0 && echo "all files that the index needs exist"

clean:
	rm -f $(BUILT) $(OPTIONAL:%=$(PROGDIR)/%) $(MEMORY) $(STAMP) $(TEXT)
	rm -f $(PAGE) share/completion/*/*unixbench*

spotless: clean
	rm -rf results tmp share/*.schema.json t/long/screenshots
	rm -rf build/axe build/check-jsonschema build/ziglang build/passed build/drivers

# The programs, the files that they need, and the places: all that build/install.sh has to know. The variable is not
# named INSTALL, which tools that build packages set to the program install.
PLACES    = DESTDIR BINDIR LIBEXECDIR DATADIR MANDIR DOCDIR BASHCOMPDIR ZSHCOMPDIR FISHCOMPDIR
INSTALLER = $(foreach place,$(PLACES),$(place)=$(call quoted,$($(place)))) sh build/install.sh

install: all
	@$(INSTALLER) install $$(ls -d $(BUILT) 2>/dev/null) $(STAMP) $(SCRIPTS:%=pgms/%) $(DATA:%=testdir/%)

uninstall:
	@$(INSTALLER) uninstall

static:
	MAKE=$(call quoted,$(MAKE)) INDEX=$(call quoted,$(INDEX)) LARGE=$(call quoted,$(LARGE)) sh build/static.sh \
	    $(call quoted,$(CC)) $(VERSION) $(SCRIPTS:%=pgms/%) $(DATA:%=testdir/%)

dist:
	sh build/dist.sh $(VERSION)

# The tests of the core are in t, those of a feature in its folder t, and those of a large program beside its sources.
# Tests that need more tools or time are in t/long, also of a feature: t/suite runs them only if it is asked for them.
TESTS     = t $(sort $(wildcard features/*/t))
ALL_TESTS = $(TESTS) $(sort $(wildcard t/long features/*/t/long features/*/src/t))

# Builds the programs and runs the tests. At the end, it lists the tests that were skipped because of a missing tool or
# because of this machine. Another make builds, since `make setup test` may have just installed a compiler or libraries.
test:
	@$(MAKE) --no-print-directory programs
	@t/suite -j$(JOBS) $(TESTS)

test-all:
	@$(MAKE) --no-print-directory programs
	@t/suite -j$(JOBS) $(ALL_TESTS)

# The slow checks remember in build/passed what has passed, by checksums.
lint:
	@t/suite -j$(JOBS) t/lint t/long/lint

tidy:
	@perl -It/lint/lib -It/lib -MPerl::Tidy -MTidied -e 'Tidied::write_layouts()'

# Installs the packages that the tests need, on Debian and Ubuntu: those of the core, or of all tests.
setup:
	sh build/setup.sh

setup-all:
	sh build/setup.sh all

# Makes the reference and the lists of documents from the program, and writes its version into other files.
reference:
	build/reference

# The JSON Schemas of results and of the other files that are written as JSON. An installation and a release have them;
# the source tree needs none.
share/%.schema.json: build/schema $(addprefix lib/UnixBench/Base/,ResultSchema.pm Shape.pm) \
  $(wildcard features/*/lib/UnixBench/*.pm features/*/lib/UnixBench/*/Schema.pm)
	perl build/schema $* > $@

help:
	@sed -n '/^$$/q; s/^# \{0,1\}//p' Makefile

.PHONY: all programs names brief notes places distr sources check clean spotless install uninstall static dist test \
  test-all lint tidy setup setup-all reference help
.DELETE_ON_ERROR:
