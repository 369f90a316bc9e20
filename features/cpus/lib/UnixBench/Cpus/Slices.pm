package UnixBench::Cpus::Slices;

# Measures slices: copies of a program on chosen CPUs for 0.2 s. The program "place" binds each copy, and becomes the
# program of the test, so no measured program knows of it.

use strict;
use warnings;

use List::Util qw(max min sum);

use UnixBench::Base::Arguments      qw(named);
use UnixBench::Base::Files          ();
use UnixBench::Base::OtherUsers     ();
use UnixBench::Base::Proc           qw(TICK_S);
use UnixBench::CLI::Environment     ();
use UnixBench::Catalog              ();
use UnixBench::Measure::PassSandbox ();
use UnixBench::Measure::Scratch     ();
use UnixBench::Noise::Disturbances  ();
use UnixBench::Noise::Late          qw(growth);
use UnixBench::Noise::Watch         ();
use UnixBench::Plan::Test           ();
use UnixBench::Process              ();

use constant { SLICE_S => 0.2, SPIN_MS => 20, LEAD_S => 0.02, LIMIT_S => 60, TRIES => 10 };
use constant { US => 1e6, LOST_MOST => 0.98 };

# Takes clock (UnixBench::Base::Clock), files (UnixBench::Host::KernelFiles) and settings, see
# UnixBench::CLI::Environment. Makes the scratch directory and starts the guardian. Dies with one line if that fails.
sub new {
    my ($class, @given) = @_;
    my $given    = named(\@given, qw(clock files settings));
    my $settings = $given->{settings};
    UnixBench::Base::OtherUsers::check_scratch(@$settings{qw(tmpdir home)});
    UnixBench::Base::Files::make_directory($settings->{tmpdir});
    %ENV = %{ UnixBench::CLI::Environment::for_tests(\%ENV, $settings) }; ## no critic (RequireLocalizedPunctuationVars)
    my %with = (clock => $given->{clock}, process => UnixBench::Process->new(clock => $given->{clock}));
    $with{scratch} = UnixBench::Measure::Scratch->new(parent => $settings->{tmpdir});
    $with{process}->start_guardian($with{scratch}->path);
    my $sandbox = UnixBench::Measure::PassSandbox->new(%with, map { $_ => $settings->{$_} } qw(testdir home));
    my $watch   = UnixBench::Noise::Watch->new(usable_cpus => 1, map { $_ => $given->{$_} } qw(clock files));
    return bless { %with, sandbox => $sandbox, watch => $watch, bindir => $settings->{bindir} }, $class;
}

# Removes the scratch directory, and gives the signals back. Returns the name of the one that interrupted, or undef.
sub release {
    my ($self) = @_;
    my $signal = $self->{process}->interrupted;
    $self->{scratch}->remove;
    $self->{process}->release;
    return $signal;
}

# Takes a slice, see UnixBench::Cpus::Measurement::rounds. Measures it, again if this program was stopped meanwhile, or
# if a copy was not on its CPU between two looks at the clock, or in the whole slice. Returns
#   rate      of all copies together, a second; without the time for which copies that have a CPU each waited for others
#   seconds   of all copies together
#   waited_s  for which they waited for a CPU; stolen_s and throttled_s: what the hypervisor and a quota took from all
#             CPUs together; undef if it is unknown
#   pieces    [[copy, begin, length in seconds], ...] that were missing in loops that read the clock
# Returns nothing after an interruption. Dies with one line if a copy fails.
sub measured {
    my ($self,    $slice) = @_;
    my ($process, $watch) = @$self{qw(process watch)};
    my $why_not;
    for (1 .. TRIES) {
        my ($stops, $before) = ($process->stops, $watch->counters);
        my @copies   = $self->_pass($slice);
        my $after    = UnixBench::Noise::Disturbances::believed($before, $watch->counters);
        my ($failed) = grep { defined } map { $_->{error} } @copies;
        return if defined $process->interrupted;
        $why_not = $process->stops > $stops ? 'it was stopped' : $failed;
        return _measured($slice, $before, $after, @copies) if !defined $why_not;
        last if $why_not !~ /it was stopped|clock is wrong|counted nothing/;
    }
    die "$slice->{key}: $why_not\n";
}

sub _pass {
    my ($self, $slice) = @_;
    my ($bindir, $name, @cpus) = ($self->{bindir}, $slice->{test}, @{ $slice->{cpus} });
    my $test = { name => 'taken', command => ["$bindir/taken", SLICE_S] };
    if (defined $name) {
        my $catalogued = { %{ UnixBench::Catalog::test($name) }, short_s => SLICE_S };
        my %wish       = (factor => 1, words => { bindir => $bindir });
        $test = UnixBench::Plan::Test::short_pass($catalogued, \%wish, placing_s => LEAD_S);
        push @{ $test->{command} }, '-p', $cpus[0] if $slice->{what} eq 'place';
    }
    my $placed = sub { ["$bindir/place", shift @cpus, SPIN_MS, @{ $_[0] }] };
    return $self->{sandbox}->one_pass({ %$test, limit_s => LIMIT_S }, scalar @cpus, { words => $placed });
}

sub _measured {
    my ($slice, $before, $after, @copies) = @_;
    my ($ticks, $throttled_us) =
        map { scalar growth($before, $after, $_) } qw(steal_ticks throttled_us);
    my @waited    = map { ($_->{work} || {})->{waited_s} } @copies;
    my $waited    = (grep { !defined } @waited) ? undef : sum(@waited);
    my $is_own    = $waited && $slice->{what} !~ /\A(?:place|taken)\z/;
    my $of_others = $is_own ? max(0, 1 - ($throttled_us // 0) / US / $waited) : 0;
    my ($rate, @pieces) = (0);
    for my $number (0 .. $#copies) {
        my ($copy, $data) = ($copies[$number], $copies[$number]{data});
        my $lost = $of_others ? min($of_others * $waited[$number], LOST_MOST * $copy->{time_s}) : 0;
        $rate += $copy->{count} * ($copy->{timebase} || $copy->{time_s}) / ($copy->{time_s} - $lost);
        my @lines = sort { $a <=> $b } map { /\APIECES([0-9]+)\z/ ? $1 : () } keys %$data;
        push @pieces,
            map { /\A([0-9]+):([0-9]+)\z/ ? [$number, $1 / US, $2 / US] : () } map { @{ $data->{"PIECES$_"} } } @lines;
    }
    return {
        rate        => $rate,
        seconds     => sum(map { $_->{time_s} } @copies),
        waited_s    => $waited,
        stolen_s    => defined $ticks        ? $ticks * TICK_S    : undef,
        throttled_s => defined $throttled_us ? $throttled_us / US : undef,
        pieces      => \@pieces,
    };
}

1;
