package UnixBench::Warnings::All;

# Warnings about the numbers of a result, as data. UnixBench::Warnings::Wording has their texts.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Result        qw(is_measured);
use UnixBench::Base::Text          qw(counted);
use UnixBench::Host::FactList      ();
use UnixBench::Noise::Causes       ();
use UnixBench::Noise::Disturbances ();
use UnixBench::Score::Estimate     ();
use UnixBench::Warnings::Trust     ();

use constant LOAD_LEAST => 0.5;    # the load average of the last minute

# Variables and files, each with its name among the facts.
my @PRELOADING = ([LD_PRELOAD => 'ld_preload'], [LD_AUDIT => 'ld_audit'], ['/etc/ld.so.preload' => 'preload_file']);
my @SETTINGS   = ([LD_LIBRARY_PATH => 'ld_library_path'], [GLIBC_TUNABLES => 'glibc_tunables']);

# Each kind of warning about the machine and its setup, with a function that takes a result and returns the values of
# the warning, or nothing.
my @KINDS = (
    [changes      => \&_changes],
    [tracer       => \&_tracer],
    [preload      => sub { _set($_[0], @PRELOADING) }],
    [libraries    => \&_settings],
    [nice         => _unusual(qw(process nice),  sub { $_[0] != 0 })],
    [class        => _unusual(qw(process class), sub { $_[0] ne 'SCHED_OTHER' })],
    [quota        => \&_quota],
    [governor     => _unusual(qw(cpu governor),        sub { $_[0] ne 'performance' })],
    [scratch      => _unusual(qw(scratch file_system), sub { $_[0] =~ /\A(?:tmpfs|ramfs)\z/ })],
    [locale       => \&_locale],
    [debug_kernel => _unusual(qw(kernel debug), sub { @{ $_[0] } > 0 })],
);

# What other load may explain, besides disturbances that the table of causes marks.
my %BY_LOAD = map { $_ => 1 } qw(modes precision trend varied);

# Takes a result, perhaps without runs. Returns its warnings: that about other load, then those about the runs, then
# those about the machine. Warnings that share a cause are one. Each has the keys below and the values of its kind.
#   kind    the kind
#   run     the position of the run in the result, from 0, or undef if the warning is about the whole result
#   copies  the number of copies of that run, or undef if there is only one run
#   test    the name of the test, or undef if the warning is not about a single test
#   is_by_load  whether other load may be the reason; missing if not
#   runner  what measured instead of Run; missing for Run
sub of {
    my ($result)  = @_;
    my @load      = _load($result);
    my @of_runs   = map { _of_runs($result, $_) } \&_precision, \&_disturbances, \&_tests, \&_clock;
    my @warnings  = (@load, @of_runs, _precision_of_ratios($result), map { _of_kind($result, @$_) } @KINDS);
    my $is_loaded = grep { ($_->{badly} // 0) > UnixBench::Warnings::Trust::DISTURBED_FAIR * ($_->{of} // 0) } @load;
    return map {
        +{
            run    => undef,
            copies => undef,
            test   => undef,
            %$_,
            $result->{procedure}{runner} ? (runner => $result->{procedure}{runner}{name}) : (),
            $is_loaded && ($BY_LOAD{ $_->{kind} } || UnixBench::Noise::Causes::has($_->{kind}, 'by_load'))
            ? (is_by_load => 1)
            : ()
        }
    } @warnings;
}

sub _of_runs {
    my ($result, $of) = @_;
    my @runs = @{ $result->{runs} };
    my @warnings;
    for my $number (0 .. $#runs) {
        my %place = (run => $number, copies => @runs > 1 ? $runs[$number]{copies} : undef);
        push @warnings, map { +{ %place, %$_ } } $of->($runs[$number], $result->{procedure});
    }
    return @warnings;
}

sub _tests {
    my ($run) = @_;
    return map { UnixBench::Warnings::Trust::of_test($_) } @{ $run->{tests} };
}

sub _clock {
    my ($run) = @_;
    return defined $run->{clock_set_s} ? { kind => 'clock', set_s => $run->{clock_set_s} } : ();
}

# Returns a warning if the index of a quick run is less precise than requested, unless it was interrupted. If states
# were measured in turns, the precision is that of their ratios.
sub _precision {
    my ($run, $procedure) = @_;
    return if $procedure->{turns}     || $procedure->{interruption};
    return if !defined $run->{rounds} || !grep { is_measured($_) } @{ $run->{tests} };
    require UnixBench::Score::StopRule;
    my %reached = (rounds => $run->{rounds}, %{ UnixBench::Score::StopRule::precision_of($run) });
    return _less_precise($procedure->{precision}, %reached);
}

sub _less_precise {
    my ($wanted, %reached) = @_;
    return if !defined $wanted || defined $reached{half_width} && $reached{half_width} <= $wanted;
    return { kind => 'precision', wanted => $wanted, %reached };
}

# Returns a warning if the ratio of a state to the first one is less precise than requested, about the least precise
# one.
sub _precision_of_ratios {
    my ($result) = @_;
    return if $result->{procedure}{interruption};
    my @worst;
    for my $table (@{ ($result->{experiment} || {})->{tables} || [] }) {
        my @sums = grep { $_->{kind} ne 'test' } @{ $table->{rows} };
        for my $other (grep { $_->{ratio} } map { @{ $_->{others} } } @sums) {
            my $half_width = UnixBench::Score::Estimate::half_width($other->{ratio});
            @worst = ($half_width, $table, $other) if !@worst || ($half_width // 9**9**9) > ($worst[0] // 9**9**9);
        }
    }
    return if !@worst;
    my ($half_width, $table, $other) = @worst;
    my $of      = "$other->{letter}/A, " . counted($table->{copies}, 'copy', 'copies');
    my %reached = (half_width => $half_width, of => $of, is_index => 0, rounds => $table->{rounds});
    return _less_precise($result->{procedure}{precision}, %reached);
}

# Takes a run; returns a warning for each cause except other load that disturbed its passes:
#   kind                  the cause
#   worst, passes, badly  see UnixBench::Noise::Disturbances::sums
#   by                    the same; missing if nothing is known of processes
#   of                    number of all passes of the run
sub _disturbances {
    my ($run)    = @_;
    my @of_tests = map { UnixBench::Noise::Disturbances::of_test($_) } @{ $run->{tests} };
    my $count    = map { @{ $_->{passes} } } @{ $run->{tests} };
    my @sums     = UnixBench::Noise::Disturbances::together(@of_tests);
    @$_{qw(kind of)} = (delete $_->{cause}, $count) for @sums;
    return @sums;
}

# Takes a result. Returns the warning of the kind "load" if other load was there, else nothing: what
# UnixBench::Noise::Disturbances::load_of returns for all its passes, if they have other load, and load, the load
# average of the minute before the start, or undef if it was low.
sub _load {
    my ($result)  = @_;
    my ($average) = @{ ($result->{facts} || {})->{load} || [] };
    my @passes    = map { @{ $_->{passes} } } map { @{ $_->{tests} } } @{ $result->{runs} };
    my $found     = UnixBench::Noise::Disturbances::load_of(@passes);
    $average = undef if ($average // 0) < LOAD_LEAST;
    return $found || defined $average ? { kind => 'load', load => $average, %{ $found || { causes => [] } } } : ();
}

sub _of_kind {
    my ($result, $kind, $values) = @_;
    return map { +{ kind => $kind, %$_ } } $values->($result);
}

sub _changes {
    my ($result) = @_;
    my @changes = map { UnixBench::Host::FactList::change_in_words($_) } @{ $result->{changes} || [] };
    return @changes ? { changes => \@changes } : ();
}

# Returns the program that traced Run, or one that traced copies. In a state under a command, it may be that command.
sub _tracer {
    my ($result) = @_;
    return if ($result->{procedure}{turns} || {})->{state};
    my $tracer = _fact($result, qw(process tracer));
    return { tracer => $tracer, traced => ['./Run'] } if defined $tracer;
    my @tests = map { @{ $_->{tests} } } @{ $result->{runs} };
    my (%title, $first);
    for my $test (@tests) {
        my @tracers = grep { defined } map { $_->{tracer} } map { @{ $_->{copies} } } @{ $test->{passes} } or next;
        $first //= $tracers[0];
        $title{ $test->{title} } = 1;
    }
    return defined $first ? { tracer => $first, traced => [sort keys %title] } : ();
}

sub _set {
    my ($result, @places) = @_;
    my @set =
        map { [$_->[0], _fact($result, process => $_->[1])] }
        grep { defined _fact($result, process => $_->[1]) } @places;
    return @set ? { set => \@set } : ();
}

sub _settings {
    my ($result)    = @_;
    my $variables   = _fact($result, qw(process variables)) || {};
    my ($libraries) = _set($result, @SETTINGS);
    my @decisive =
        grep { UnixBench::Host::FactList::meaning("process.variables.$_") eq 'decides' } sort keys %$variables;
    my @set = (@{ ($libraries || {})->{set} || [] }, map { [$_, $variables->{$_}] } @decisive);
    return @set ? { set => \@set } : ();
}

sub _quota {
    my ($result) = @_;
    my $host     = $result->{host};
    my $cpus     = _fact($result, qw(cgroup cpus)) // $host->{cpu_quota} // return;
    my $of       = List::Util::max(map { $_->{cpu_count} } @{ $result->{runs} }) // @{ $host->{cpus} };
    return $cpus < $of ? { cpus => $cpus, of => $of } : ();
}

sub _locale {
    my ($result) = @_;
    my ($lang, $charmap) = map { $_ // q{} } @{ $result->{language} || {} }{qw(lang charmap)};
    return if !length $charmap || $charmap =~ /\Autf-?8\z/i;
    return { lang => $lang, charmap => $charmap };
}

# Takes the group and the name of a fact, and a function that returns whether its value is unusual. Returns a function
# that takes a result and returns the fact under its name if it is unusual.
sub _unusual {
    my ($group, $name, $is_unusual) = @_;
    return sub {
        my $value = _fact($_[0], $group, $name);
        return defined $value && $is_unusual->($value) ? { $name => $value } : ();
    };
}

sub _fact {
    my ($result, $group, $name) = @_;
    return (($result->{facts} || {})->{$group} || {})->{$name};
}

1;
