# The program multiuser.

MULTIUSER = features/multiuser/src

PROGRAMS        += multiuser
SOURCES         += $(MULTIUSER)/main.c
LARGE           += multiuser
BRIEF_multiuser  = --script testdir/multiuser.script --scale 0.001 --users 1

# It tests for NaN and infinite values. -ffast-math would remove these tests. -Ofast has it, too.
$(PROGDIR)/multiuser: MATH = $(filter-out -ffast-math,$(FLAGS))
$(PROGDIR)/multiuser: DEFINES = -D_GNU_SOURCE= -D_FILE_OFFSET_BITS=64 -Isrc -Isrc/base -fno-fast-math
$(PROGDIR)/multiuser: LIBS = -lm
$(PROGDIR)/multiuser: $(call sources,src/base/*.c) $(call sources,$(MULTIUSER)/*.c)
	$(BUILD)
