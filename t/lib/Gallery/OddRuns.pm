package Gallery::OddRuns;

# Runs with rare properties.

use strict;
use warnings;

use Exporter 'import';

use Cases         qw(@TWO_MODES);
use Fixture       qw(failed interrupted measured run skipped tag tagged);
use Gallery::Runs qw(@INDEX one_test);
use OfFeatures    qw(helpers);

our @EXPORT_OK = qw(disturbed extremes long_titles of_features some_of_everything);

# Takes the name of a sub; returns what those of the features return that have it, see Gallery.
sub of_features {
    my ($sub) = @_;
    return map { $_->can($sub)->() } grep { $_->can($sub) } helpers('Gallery');
}

# Takes a number of copies; returns a small run in which every kind of test and status occurs.
sub some_of_everything {
    my ($copies) = @_;
    my @measured =
        ((map { _tagged(one_test($_, $copies, 3)) } qw(pipe spawn)), measured('2d-rects', $copies, 5000, 5100));
    push @measured, of_features('tests') if $copies == 1;
    my @failed = (failed('syscall', 'killed', 1e6), skipped('ubgears', 'one copy'), interrupted('grep', 'stopped', 5));
    $_->{passes}[0]{copies}[0]{output} = 'said' for @measured;
    return run($copies, @measured, @failed);
}

my @CAUSES = qw(steal others throttled thermal swap major_faults run_queue pressure_cpu pressure_io pressure_memory);

# Takes a number of copies; returns a run of the index with all disturbances. One test becomes faster, one is slow at
# first, and one has two modes.
sub disturbed {
    my ($copies) = @_;
    my %odd = (
        syscall  => [map { 24_000_000 + 400_000 * $_ } 0 .. 9],
        pipe     => [14_359_609, map { 16_359_609 + 9_000 * ($_ % 3) } 1 .. 9],
        context1 => [@TWO_MODES[1, 0, 2, 3, 4, 6, 5, 7 .. 9]],    # nothing disturbs the slow passes 2, 4 and 6
    );
    my @tests = map { $odd{$_} ? measured($_, $copies, @{ $odd{$_} }) : one_test($_, $copies, 5) } @INDEX;
    return run($copies, map { _tagged($_) } @tests);
}

sub _tagged {
    my ($test) = @_;
    my $passes = @{ $test->{passes} };
    my @loud   = $test->{name} eq 'context1' ? (1, 3) : grep { $_ % 2 } 1 .. $passes;       # a floor has no modes
    my %tags   = map                                         { $_ => [_tags($_)] } @loud;
    my $again  = { count => 80_211, time_s => 1.01, tags => [tag('run_queue', 'disturbed', 3)] };
    my $tagged = tagged($test, \%tags);
    $tagged->{passes}[1]{set_aside} = [$again, $again];
    return $tagged;
}

sub _tags {
    my ($number) = @_;
    my @causes   = map { $CAUSES[($number * 3 + $_) % @CAUSES] } 0 .. 3;
    return map { tag($_, $number % 3 ? 'disturbed' : 'note', 0.06 + $number) } @causes;
}

# Takes a number of copies; returns a run with long titles and a long reason.
sub long_titles {
    my ($copies) = @_;
    my @titles = (
        'A test whose title goes on and on, because its author wanted the title to say all that it does',
        'x' x 90, 'Arithmetic/with/slashes/' . 'and-hyphens-' x 9,
    );
    my @tests = map { one_test($_, $copies) } @INDEX;
    $tests[$_]{title} = $titles[$_] for 0 .. $#titles;
    push @tests, failed('hanoi', 'a reason that is long, too, ' x 9 . 'y' x 120);
    return run($copies, @tests);
}

# Takes a number of copies; returns a run whose numbers are very large, very small, far apart, or all equal.
sub extremes {
    my ($copies) = @_;
    return run(
        $copies,
        measured('dhry2reg', $copies, 1e29,        1.1e29,  0.9e29),
        measured('syscall',  $copies, 1e-26,       3e-26,   2e-26),
        measured('pipe',     $copies, 9_999_999.9, 1,       5_000),
        measured('spawn',    $copies, 0.4,         0.41,    0.39),
        measured('execl',    $copies, 43 * 30,     43 * 30, 43 * 30),
    );
}

1;
