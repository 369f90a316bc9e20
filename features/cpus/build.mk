# The programs place and taken, which the command cpus needs.

CPUS = features/cpus/src

PROGRAMS    += place taken
SOURCES     += $(CPUS)/place.c $(CPUS)/taken.c
BRIEF_place  = 0 0 $(PROGDIR)/taken 0.01
BRIEF_taken  = 0.01

$(PROGDIR)/place $(PROGDIR)/taken: DEFINES = -Isrc
$(PROGDIR)/place: $(CPUS)/place.c
	$(BUILD)
$(PROGDIR)/taken: $(CPUS)/taken.c
	$(BUILD)
