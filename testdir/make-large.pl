#!/usr/bin/perl
# Writes large.txt, the text of the grep test, to standard output: 10,000 lines that look like a trace of
# system calls, 1,032 of which hold "gimp".  The same on every Perl, because it draws its own random numbers.
use strict;
use warnings;

my $LINES    = 10_000;
my $MATCHING = 1_032;

# The "minimal standard" generator of Park and Miller, CACM 31(10), 1988.
my $state = 19950601;

sub random {
    my ($limit) = @_;
    $state *= 16807;
    $state -= 2147483647 * int($state / 2147483647);
    return int($state / 2147483647 * $limit);
}

sub one_of { return $_[random(scalar @_)] }

my @DIRECTORIES = ('/usr/lib', '/usr/share', '/etc', '/var/cache', '/home/ada/.config', '/opt/draw/lib');
my @PROGRAMS    = qw(gtk-2.0 fonts pango glib tiff locale icons python perl5 ghostscript sane mime);
my @FILES       = qw(plug-ins/blur plug-ins/despeckle brushes/oak.gbr palettes/warm.gpl modules/wheel.so
    patterns/marble.pat gradients/dawn.ggr tool-options/crop themes/small/rc scripts/frame.scm);
my @ERRORS = (
    '-1 ENOENT (No such file or directory)',
    '-1 EACCES (Permission denied)',
    '-1 EAGAIN (Resource temporarily unavailable)'
);

sub path {
    my ($program) = @_;
    return join '/', one_of(@DIRECTORIES), $program, one_of(@FILES);
}

my $descriptor = 3;

sub call_with_path {
    my ($program) = @_;
    my $path      = path($program);
    my $kind      = random(4);
    return qq{stat("$path", {st_mode=S_IFREG|0644, st_size=${\random(90000)}, ...}) = 0} if $kind == 0;
    return qq{access("$path", R_OK) = } . one_of(0, @ERRORS[0, 1]) if $kind == 1;
    return qq{readlink("$path", 0x7ffc${\sprintf '%08x', random(2**31)}, 4095) = $ERRORS[0]} if $kind == 2;
    $descriptor = 3 + random(20);
    return qq{open("$path", O_RDONLY) = $descriptor};
}

sub call_without_path {
    my $size    = 16 * (1 + random(512));
    my $address = sprintf '0x40%06x', 4096 * random(4000);
    return one_of(
        qq{read($descriptor, "\\177\\1\\${\random(8)}\\${\random(8)}\\0"..., $size) = $size},
        qq{write($descriptor, "\\${\random(8)}\\2\\30\\0\\1\\0"..., $size) = $size},
        qq{mmap(NULL, ${\(4096 * (1 + random(60)))}, PROT_READ, MAP_PRIVATE, $descriptor, 0) = $address},
        qq{munmap($address, ${\(4096 * (1 + random(60)))}) = 0},
        qq{lseek($descriptor, ${\random(90000)}, SEEK_SET) = ${\random(90000)}},
        qq{select(${\(1 + random(9))}, [3 $descriptor], NULL, NULL, {0, ${\random(999999)}}) = 1 (in [3])},
        qq{recv($descriptor, 0x${\sprintf '%07x', random(2**28)}, 32, 0) = $ERRORS[2]},
        qq{gettimeofday({${\(959818000 + random(999))}, ${\random(999999)}}, NULL) = 0},
        qq{brk($address) = $address},
        qq{close($descriptor) = 0},
    );
}

my $clock_us = 0;
my $missing  = $MATCHING;
binmode STDOUT;
for my $left (reverse 1 .. $LINES) {
    my $call = call_without_path();
    if (random($left) < $missing) {
        $missing--;
        $call = call_with_path('gimp');
    }
    elsif (random(3) == 0) {
        $call = call_with_path(one_of(@PROGRAMS));
    }
    $clock_us += random(900);
    printf "%3d.%06d %s\n", int($clock_us / 1e6), $clock_us % 1e6, $call;
}
close STDOUT or die "standard output: $!\n";
