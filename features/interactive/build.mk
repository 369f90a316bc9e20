# The program interbench. It measures features that only Linux has.

INTERBENCH = features/interactive/src

ifneq ($(findstring linux,$(TARGET)),)
  PROGRAMS += interbench
endif
SOURCES          += $(INTERBENCH)/main.c
OPTIONAL         += interbench
LARGE            += interbench
BRIEF_interbench  = -c -l 1000 -W Probe -w None -t 0.1 --warmup 0

# It tests for NaN and infinite values. -ffast-math would remove these tests. -Ofast has it, too.
$(PROGDIR)/interbench: MATH = $(filter-out -ffast-math,$(FLAGS))
$(PROGDIR)/interbench: DEFINES = -D_GNU_SOURCE= -D_FILE_OFFSET_BITS=64 -DINTERBENCH_VERSION='"$(VERSION)"' \
  -I$(INTERBENCH) -Isrc -Isrc/base -pthread -fno-fast-math
$(PROGDIR)/interbench: LIBS = -lm
$(PROGDIR)/interbench: $(call sources,src/base/*.c) $(call sources,$(INTERBENCH)/*.c $(INTERBENCH)/*/*.c)
	$(BUILD)
