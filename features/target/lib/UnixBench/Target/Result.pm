package UnixBench::Target::Result;

# Makes a result from the log of pgms/measure.sh, which measured on a machine without Perl. The facts are those that
# the log has. Scores and indexes come from the whole passes alone.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Arguments      qw(named);
use UnixBench::Base::Clock          ();
use UnixBench::Base::Result         ();
use UnixBench::Base::ResultSchema   ();
use UnixBench::CLI::Environment     ();
use UnixBench::Catalog              ();
use UnixBench::Host::Facts          ();
use UnixBench::Host::KernelFiles    ();
use UnixBench::Measure::Copy        ();
use UnixBench::Measure::Protocol    ();
use UnixBench::Measure::Run         ();
use UnixBench::Measure::ValidPass   ();
use UnixBench::Target::Disturbances ();
use UnixBench::Noise::Clock         ();
use UnixBench::Noise::Watch         ();
use UnixBench::Report::Notes        ();
use UnixBench::Score                ();
use UnixBench::Score::Stats         qw(geometric_mean);
use UnixBench::Setup::Build         ();
use UnixBench::Store::Measured      ();

use constant {
    NAME        => 'measure.sh',
    SIGNAL_FROM => 128,            # a shell's exit status of a process that a signal has ended, without its number
    SIGNAL_MOST => 64,
    HZ_IN_MHZ   => 1e6,
    IS_CUT      => 'the log ends before the measurement does',
};

# Takes
#   log               what UnixBench::Target::Log returns
#   baseline          the baseline, see UnixBench::Plan::Baseline
#   kind_of_baseline  "official", "edited" or "missing"
# Returns the result. Dies with one line if what was measured makes no sense.
sub result {
    my (@given) = @_;
    my $given   = named(\@given, qw(log baseline kind_of_baseline));
    my $log     = $given->{log};
    my $plan    = $log->{plan};
    my $result  = {
        schema       => UnixBench::Base::ResultSchema::SCHEMA,
        version      => $plan->{version},
        procedure    => _procedure($log, $given->{kind_of_baseline}),
        asked        => [split q{ }, $plan->{asked} // q{}],
        is_brief     => 0,
        utc_offset_s => 0,
        _facts($log),
        labels => undef,
        runs   => [_runs($log, $given->{baseline})],
    };
    $result->{procedure}{replacements} = [UnixBench::Base::Result::replacements($result->{runs})];
    $result->{notes} = [UnixBench::Report::Notes::of($result)];
    die "the log contradicts itself: $@" if !eval { UnixBench::Store::Measured::check($result); 1 };
    return $result;
}

sub _procedure {
    my ($log, $kind_of_baseline) = @_;
    my $plan = $log->{plan};
    return {
        kind         => $plan->{kind},
        time_factor  => 0 + $plan->{factor},
        work_factor  => 0 + $plan->{work},
        seed         => $plan->{kind} eq 'quick' && $plan->{seed} ? 0 + $plan->{seed} : undef,
        baseline     => $kind_of_baseline,
        resumptions  => [],
        runner       => { name => NAME, is_gated => $plan->{gate} ? 1 : 0 },
        interruption => $log->{is_cut}
        ? { signal => $log->{signal}, problem => $log->{signal} ? undef : IS_CUT }
        : undef,
    };
}

# The facts about the machine

sub _facts {
    my ($log) = @_;
    my %lines;
    push @{ $lines{ $_->{source} } }, $_->{line} for @{ $log->{facts} };
    my %recorded = _recorded($log, qr{\A/});
    my %uname    = map { /\A([a-z]) (.*)\z/ ? ($1 => $2) : () } @{ $lines{uname}       || [] };
    my %variable = map { /\A(\w+)=(.*)\z/   ? ($1 => $2) : () } @{ $lines{environment} || [] };
    my %seams    = (
        recorded => \%recorded,
        uname    => [map { $uname{$_} // 'unknown' } qw(s n r v m)],
        run      => sub { return $uname{o} if "@{ $_[0] }" eq 'uname -o'; return },
        sysconf  => sub { return },
        which    => sub { return },
    );
    my $machine = UnixBench::Host::Facts->new(%seams, now => sub { $log->{passes}[0]{began} }, env => \%variable);
    my $facts   = $machine->facts;

    # The log has only some signs of virtual machines. A board is none.
    $_ = ($_ // 'none') eq 'none' ? undef : $_ for values %{ $facts->{virtualization} };
    $facts->{virtualization}{hypervisor} //= 'none' if defined $facts->{board};
    my %digest  = map { m{\A([0-9a-f]{64})\s+(?:.*/)?([^/]+)\z} ? ($2 => $1) : () } @{ $lines{sha256} || [] };
    my ($build) = map { $recorded{$_} } grep { m{/build[.]info\z} } sort keys %recorded;
    return (
        host     => { %{ $machine->head }, cpu_quota => $machine->quota },
        language => { lang                           => UnixBench::CLI::Environment::LANGUAGE },
        build    => scalar UnixBench::Setup::Build::record_in($build // q{}, $log->{plan}{execl}),
        facts    => {
            %$facts,
            scratch  => undef,
            tools    => { map { /\Atool (\w+)\z/ ? ($1 => $lines{$_}[0]) : () } keys %lines },
            unread   => [@{ $facts->{unread} || [] }, map { "process.$_" } qw(ld_audit preload_file variables)],
            programs => %digest ? \%digest : undef,
        },
    );
}

sub _recorded {
    my ($log, $pattern) = @_;
    my %text;
    $text{ $_->{source} } .= "$_->{line}\n" for grep { $_->{source} =~ $pattern } @{ $log->{facts} };
    return %text;
}

# The runs

sub _runs {
    my ($log, $baseline) = @_;
    my %passes;
    push @{ $passes{ $_->{copies} } }, $_ for @{ $log->{passes} };
    return map { $passes{$_} ? _run($log, $_, $passes{$_}, $baseline) : () } split q{ }, $log->{plan}{copies};
}

sub _run {
    my ($log, $copies, $passes, $baseline) = @_;
    my %passes_of;
    push @{ $passes_of{ $_->{test} } }, $_ for @$passes;
    my @tests = (
        (
            map { +{ _named($_->{test}), status => 'skipped', reason => $_->{reason}, passes => [] } }
                @{ $log->{skipped} }
        ),
        (
            map { _test($log, $copies, @$_{qw(test wanted)}, @{ $passes_of{ $_->{test} } || [] }) }
                @{ $log->{plan}{passes} }
        )
    );
    my @asked   = map { $_->{name} } @tests;
    my $indexes = UnixBench::Score::indexes(\@tests, $baseline, @asked);
    my $run     = {
        copies    => 0 + $copies,
        started   => 0 + $passes->[0]{began},
        ended     => 0 + List::Util::max($passes->[0]{began}, map { $_->{ended} } @$passes),
        cpu_count => 0 + $log->{plan}{cpus},
        ($log->{plan}{kind} eq 'quick' ? (rounds => _rounds($log, $copies, $passes)) : ()),
        indexes => $indexes,
        tests   => \@tests,
    };
    UnixBench::Noise::Clock::judge($run);
    return $run;
}

# Returns the number of complete rounds. A test that did not fail ends with its run. Without such an end, the last
# round may be incomplete.
sub _rounds {
    my ($log, $copies, $passes) = @_;
    my $last     = List::Util::max(map { $_->{number} } @$passes);
    my $is_whole = !$log->{is_cut} || grep { !$_->{has_failed} } values %{ $log->{made}{$copies} || {} };
    return $is_whole || !$last ? 0 + $last : $last - 1;
}

sub _named {
    my ($name) = @_;
    my $test = UnixBench::Catalog::test($name);
    return (name => $name, command => [$test->{command}[0]], map { $_ => $test->{$_} } qw(title category));
}

# The log has a pass that was to warm up, with the number 0, only if it failed.
sub _test {
    my ($log, $copies, $name, $wanted, @whole) = @_;
    my $is_quick = $log->{plan}{kind} eq 'quick';
    my @passes;
    for my $pass (@whole) {
        push @passes, _pass($pass, $log);
        last if defined $passes[-1]{error};
    }
    my $test = {
        _named($name),
        passes_wanted => $is_quick ? undef : $wanted,
        passes        => \@passes,
        (@passes ? (command => _command($whole[-1])) : ()),
    };
    my ($status, $reason) = _why_no_score($log, $copies, $name, $wanted, @passes);
    return { %$test, status => $status, reason => "$passes[0]{error} (warm-up)", passes => [] }
        if @passes && !$passes[0]{number};
    return { %$test, status => $status, reason => $reason } if defined $status;
    my $score = $is_quick ? \&UnixBench::Score::test_of_rounds : \&UnixBench::Score::test;
    return { %$test, status => 'measured', %{ $score->(\@passes) } };
}

# Returns the status and the reason of a test that has no score, or nothing. A test ends after a pass that failed.
sub _why_no_score {
    my ($log, $copies, $name, $wanted, @passes) = @_;
    my $last = $passes[-1] or return (interrupted => 'interrupted before its first pass');
    return (failed => "$last->{error} ($last->{where})") if defined $last->{error};
    my $made = $log->{made}{$copies}{$name};
    return (failed => 'measure.sh says that its last pass failed') if $made && $made->{has_failed};
    return if $made || $last->{number} == $wanted || $log->{plan}{kind} eq 'quick';
    return UnixBench::Measure::Run::interrupted_after(scalar @passes, { passes_wanted => $wanted });
}

sub _command {
    my ($pass) = @_;
    my ($program, @arguments) = split q{ }, $pass->{command} =~ s/[{]bindir[}]/pgms/gr =~ s/[{]tmpdir[}]/tmp/gr;
    return [$program, @arguments];
}

# If the script could not look at the system, nothing is known of disturbances.
sub _pass {
    my ($pass, $log) = @_;
    my $plan    = $log->{plan};
    my @copies  = map { _copy($_, $pass->{limit_s}, $plan->{gate}) } @{ $pass->{made} };
    my @sensors = map { _sensors($log, $_) } @{ $pass->{heat} };
    my $tags    = UnixBench::Target::Disturbances::disturbances(
        looks       => $pass->{looks},
        copies      => \@copies,
        planned     => $pass->{planned},
        usable_cpus => $plan->{cpus},
        is_quick    => $plan->{kind} eq 'quick',
        sensors     => \@sensors,
    );
    my %pass = (
        number => 0 + $pass->{number},
        copies => \@copies,
        (@sensors ? UnixBench::Noise::Watch::sensed(@sensors) : ()),
        $tags            ? (tags => $tags)                                                         : (),
        @{ $pass->{hz} } ? (used => { clock_mhz => geometric_mean(@{ $pass->{hz} }) / HZ_IN_MHZ }) : (),
    );
    return UnixBench::Measure::ValidPass::judged(\%pass);
}

sub _sensors {
    my ($log, $texts) = @_;
    my $files = UnixBench::Host::KernelFiles->new(recorded => { _recorded($log, qr{\A/sys/}), %$texts });
    return UnixBench::Noise::Clock->new(files => $files, clock => UnixBench::Base::Clock->new)->seen;
}

# Takes the exit status by which a shell reports the end of a program; returns the exit status and the signal of the
# program. Shells add 128 to a signal, ksh93 adds 256. A number that stands for no signal is the exit status.
sub _ending {
    my ($status) = @_;
    my ($signal) = grep { $_ > 0 && $_ <= SIGNAL_MOST } map { $status - $_ } SIGNAL_FROM, 2 * SIGNAL_FROM;
    return defined $signal ? (0, $signal) : ($status, 0);
}

# A shell tells only the time that the program reports.
sub _copy {
    my ($copy, $limit_s, $is_gated) = @_;
    my $reader = UnixBench::Measure::Protocol->new;
    $reader->add("$_\n") for @{ $copy->{said} };
    $reader->finish;
    my ($status, $signal) = _ending($copy->{status} // SIGNAL_FROM);
    my $data  = $reader->data;
    my $error = UnixBench::Measure::Copy::what_went_wrong($signal || $status << 8, $reader, $limit_s);
    $error //= 'it reported no time' if !$data->{TIME};
    $data->{ERROR} = [$error] if defined $error;
    return {
        pid       => 0 + ($copy->{pid} // 0),
        elapsed_s => 0 + (($data->{TIME} || [0])->[0]),
        status    => 0 + $status,
        signal    => $signal,
        error     => $error,
        gated     => $is_gated ? 1 : 0,
        data      => $data,
        (defined $error ? () : %{ $reader->counted }),
    };
}

1;
