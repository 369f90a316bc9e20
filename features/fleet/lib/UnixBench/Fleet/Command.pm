package UnixBench::Fleet::Command;

# Reports a fleet of any size: hosts that were measured, and hosts that were not. Judges each result by the
# requirements: most results by their summaries, which are a small part of the files.

use strict;
use warnings;

# The smallest number of hosts among which one can stand out. Two values do not tell which of them is usual.
use constant JUDGED => 3;

# The largest number of machines of a ranking on a terminal.
use constant SHOWN_MOST => 60;

# The kinds of reports that list the cases of tests. Without them, only requirements are kept, which takes less memory.
my $LISTS_TESTS = qr/\A(?:junit|export)/;

# Takes a UnixBench::Call::Call; reads the list, or finds the files of the results. Dies with one line if that fails.
sub check {
    my ($call) = @_;
    my $options = $call->options;
    my ($list, @others) = @{ $options->{words} };
    if (@others || $list !~ /[.]csv\z/ || -d $list) { $options->{words} = [$call->files($list, @others)] }
    else {
        require UnixBench::Fleet::File;
        $options->{tries} = [UnixBench::Fleet::File::tries($list)];
        push @{ $options->{words} }, grep { defined } map { $_->{file} } @{ $options->{tries} };
    }
    require UnixBench::Call::Output;
    require UnixBench::Report::Formats;
    my @exports  = grep { /\Aexport/ } map { $_->[0] } @{ $options->{outputs} };
    my ($of_one) = grep { !UnixBench::Report::Formats::is_of_results($_) } @exports;
    die "option --$of_one writes one result, not a fleet\n" if defined $of_one;
    return UnixBench::Call::Output::check($options, $call->judged_by);
}

# Takes the same; prints the report and writes it to the files that the options name. Returns the outcome: "done",
# "failed" if a host was not measured, "not met", "inconclusive" or "wrong usage".
sub run {
    my ($call) = @_;
    my %of = (map { $_ => $call->$_ } qw(options baseline of_directories));
    $of{not_results} = [$call->left_out];
    return UnixBench::Call::Output::reported(
        $call,
        found => sub { of(%of) },
        text  => sub {
            my ($list, $kind, $screen) = @_;
            my %cut = (most => SHOWN_MOST, rest => 'add "> fleet.txt" to this command for all of them');
            return UnixBench::Fleet::Report::in_format($kind, { %$list, $screen ? %cut : () }, $screen);
        },
        outcome => sub { _outcome(@{ $_[0]{hosts} }) },
    );
}

sub _outcome {
    my (@hosts) = @_;
    my %is      = map { ($_->{verdict} // q{}) => 1 } @hosts;
    return 'failed' if grep { UnixBench::Fleet::Hosts::is_missing($_) } @hosts;
    return $is{FAIL} ? 'not met' : $is{INCONCLUSIVE} ? 'inconclusive' : 'done';
}

# Loads the modules that report a fleet. The help needs none of them.
sub _load {
    require UnixBench::Accept::Acceptance;
    require UnixBench::Accept::Requirement;
    require UnixBench::Base::Result;
    require UnixBench::Base::Text;
    require UnixBench::Call::Output;
    require UnixBench::Compare::Kind;
    require UnixBench::Fleet::Hosts;
    require UnixBench::Fleet::Machines;
    require UnixBench::Fleet::Measures;
    require UnixBench::Fleet::Report;
    require UnixBench::Score::Cases;
    require UnixBench::Store::ResultFile;
    return;
}

# Takes
#   options         the options; tries, if a list was given, see UnixBench::Fleet::File, else words, the paths of
#                   results
#   of_directories  { path => 1 } for those of them that were found in a directory
#   not_results     [[path, line that refuses it], ...] for the other files of directories
#   baseline        the parsed index.base
# Returns the list, see UnixBench::Fleet::Report. Dies with a line for each reason if the results can't be compared, if
# no result has what a requirement names, or if a result that the user has named can't be read.
sub of {
    my (%with) = @_;
    _load();
    my $options      = $with{options};
    my $requirements = $options->{requirements} || [];
    my %references   = map { $_ => UnixBench::Store::ResultFile::summary($_) }
        grep { defined } map { $_->{file} } @$requirements;
    my $self = bless {
        requirements => $requirements,
        read_by      => { map { $_ => $options->{$_} } qw(copies cpus) },
        references   => \%references,
        baseline     => $with{baseline},
        shared       => {},
        lists_tests  => scalar(grep { $_->[0] =~ $LISTS_TESTS } @{ $options->{outputs} || [['junit']] }),
        read         => 0,
        misfits      => {},
        },
        __PACKAGE__;
    my @tries =
        $options->{tries}
        ? _of_their_hosts(map { $self->_read($_) } @{ $options->{tries} })
        : $self->_named($with{of_directories}, @{ $options->{words} });
    @tries = _counted_once(@tries);
    my @hosts    = UnixBench::Fleet::Hosts::of(@tries);
    my @machines = map { _machine($_) } grep { $_->{outcome} eq 'measured' } @hosts;
    $self->_check_fit;
    $self->_check_references(@machines) if !$options->{force};
    return {
        hosts    => \@hosts,
        left_out => [UnixBench::Store::ResultFile::left_out(@{ $with{not_results} || [] })],
        fleet    => @machines ? _fleet(\@machines, $options->{force}) : undef,
        sharing  => [UnixBench::Fleet::Hosts::sharing(@hosts)],
        results  => sub {
            return map { $self->_result($_) } grep { $_->{counted}{summary} } @hosts;
        },
    };
}

# Takes a host with a result; returns the result as UnixBench::Report::Formats::of_results takes it.
sub _result {
    my ($self, $host) = @_;
    my $try     = $host->{counted};
    my $summary = UnixBench::Store::ResultFile::summary($try->{file}, %{ $self->{read_by} });
    return { host => $host->{name}, summary => $summary, cases => $try->{cases}, is_host_named => 1 };
}

# Takes a try of a list; returns it with its result. If the result can't be used, the try has failed. A try that failed
# has the verdict FAIL if its result shows that, and else none.
sub _read {
    my ($self, $try) = @_;
    return $try if !defined $try->{file};
    my $read = eval { $self->_result_in($try->{file}) } || { outcome => 'failed', reason => $@ =~ s/\n.*//sr };
    return { %$try, %$read } if $try->{outcome} eq 'measured';
    my $verdict = ($read->{verdict} // q{}) eq 'FAIL' ? 'FAIL' : undef;
    return { %$try, %$read, outcome => 'failed', verdict => $verdict, reason => $try->{reason} // $read->{reason} };
}

# Takes the tries of a list. A result that names another host of the list belongs to that host: its try has failed. A
# host may have a name in the list that it does not know itself, such as an address.
sub _of_their_hosts {
    my (@tries) = @_;
    my %is_listed = map { lc $_->{host} => $_->{host} } @tries;
    my @checked;
    for my $try (@tries) {
        my $named = $is_listed{ lc($try->{name} // q{}) };
        push @checked, !defined $named || _is_own($try)
            ? $try
            : _failed($try, 'its result is of the host ' . UnixBench::Base::Text::shown($named));
    }
    return @checked;
}

# Takes tries. If several have the same result, or copies of it, one counts: that of the host which the result names, or
# else the first one. The others have failed.
sub _counted_once {
    my (@tries) = @_;
    my (%counts, @checked);
    for my $try (sort { _is_own($b) <=> _is_own($a) } grep { _has_identity($_) } @tries) {
        $counts{ $try->{identity} } ||= $try;
    }
    for my $try (@tries) {
        my $counted = _has_identity($try) && $counts{ $try->{identity} };
        push @checked,
            !$counted || $counted == $try ? $try : _failed($try, "its result is also that of $counted->{host}");
    }
    return @checked;
}

sub _has_identity {
    my ($try) = @_;
    return $try->{outcome} eq 'measured' && defined $try->{identity};
}

# Returns whether the result of a try names its host, perhaps without the domain.
sub _is_own {
    my ($try) = @_;
    my ($host, $name) = map { lc($_ // q{}) } @$try{qw(host name)};
    return $name eq $host || grep({ index($_->[0], "$_->[1].") == 0 } [$host, $name], [$name, $host]) ? 1 : 0;
}

# Takes a try and a reason; returns the try as one that failed, without its result.
sub _failed {
    my ($try, $reason) = @_;
    delete @$try{qw(summary indexes identity)};
    return { %$try, outcome => 'failed', verdict => undef, cases => [], reason => $reason };
}

# Takes { path => 1 } for files of a directory, and paths of results; returns a try for each, with a name of its own for
# its host. A file of a directory that can't be used is a host that failed, with the name of the file. Dies for any
# other, which the user has named.
sub _named {
    my ($self, $of_directories, @files) = @_;
    my @tries;
    for my $file (@files) {
        my %try = (phase => 'alone', try => 1, outcome => 'measured', file => $file);
        push @tries, $of_directories->{$file} ? $self->_read(\%try) : { %try, %{ $self->_result_in($file) } };
    }
    my @names = UnixBench::Fleet::Machines::names(map { [($_->{summary} || {})->{name}, $_->{file}] } @tries);
    return map { +{ %{ $tries[$_] }, host => $names[$_] } } 0 .. $#tries;
}

sub _machine {
    my ($host) = @_;
    return { label => $host->{name}, summary => { %{ $host->{counted}{summary} }, name => $host->{name} } };
}

# Dies if the machines can't be compared, and --force does not demand it.
sub _fleet {
    my ($machines, $is_forced) = @_;
    my $fleet    = UnixBench::Fleet::Machines::of($machines, is_forced => $is_forced, judged => JUDGED, shown => 1);
    my @refusals = @{ $fleet->{refusals} } or return $fleet;
    my @advice   = @{ $fleet->{obstacles} } && !$is_forced ? 'use --force to compare them anyway' : ();
    die join "\n", "these results can't be compared", map({ UnixBench::Base::Text::clean($_) } @refusals), @advice, q{};
}

# Takes the path of a result. Returns what a try has of it, see UnixBench::Fleet::Hosts: summary, cases,
# verdict, outcome and reason; and indexes, see UnixBench::Fleet::Hosts; and the name of the host and the
# identity of the result. A result with a failed test has the
# verdict FAIL if what was measured shows a bad machine, and else none. Dies with one line if the file can't be read.
sub _result_in {
    my ($self, $path) = @_;
    my $summary   = UnixBench::Store::ResultFile::summary($path, %{ $self->{read_by} });
    my @cases     = $self->_cases($summary, $path);
    my @failed    = grep { UnixBench::Score::Cases::is_failed($_) } @cases;
    my ($failed)  = ((grep { $_->{verdict} eq 'FAIL' } @failed), @failed);
    my ($verdict) = $self->_verdict(@cases);
    return {
        summary  => UnixBench::Fleet::Measures::lean($summary, $self->{shared}),
        indexes  => UnixBench::Fleet::Hosts::indexes($summary),
        name     => $summary->{name},
        identity => scalar _identity($summary),
        cases    => [grep { $self->{lists_tests} || $_->{kind} ne 'test' } @cases],
        verdict  => $failed && ($verdict // q{}) ne 'FAIL' ? undef : $verdict,
        $failed
        ? (outcome => 'failed', reason => "\"$failed->{title}\": " . ($failed->{reason} // 'failed'))
        : (outcome => 'measured'),
    };
}

# Takes a summary; returns a text that only the same result has, whatever its file is, or undef without a time: when it
# was measured, and all scores.
sub _identity {
    my ($summary) = @_;
    return if !defined $summary->{started};
    my @scores = map { "$_->{name}=" . ($_->{score} // q{}) } map { @{ $_->{tests} } } @{ $summary->{runs} };
    return join "\n", map { $_ // q{} } @$summary{qw(name version started ended)}, @scores;
}

sub _verdict {
    my ($self, @cases) = @_;
    return 'FAIL' if UnixBench::Accept::Acceptance::has_bad_machine(@cases);
    return if !@{ $self->{requirements} };
    return UnixBench::Accept::Acceptance::has_open_requirement(@cases) ? 'INCONCLUSIVE' : 'PASS';
}

# Returns the cases of a result. The passes are read only if they may change a verdict.
sub _cases {
    my ($self, $summary, $path) = @_;
    my ($open, @criteria) = $self->_criteria($summary);
    my @cases = UnixBench::Accept::Acceptance::cases(_outline($summary), $summary, @criteria);
    delete $_->{seconds} for @cases;
    @cases = UnixBench::Accept::Acceptance::cases(UnixBench::Store::ResultFile::result($path), $summary, @criteria)
        if $summary->{source} eq 'UnixBench' && (_needs_passes($summary) || grep { defined $_->{quantity} } @criteria);
    return (@cases, @$open);
}

# Returns a result without passes.
sub _outline {
    my ($summary) = @_;
    my @runs;
    for my $run (@{ $summary->{runs} }) {
        push @runs, { copies => $run->{copies}, tests => [map { +{ %$_, passes => [] } } @{ $run->{tests} }] };
    }
    return { asked => [], runs => \@runs };
}

# Returns whether a test may have failed for a reason that the summary does not have.
sub _needs_passes {
    my ($summary) = @_;
    my @tests = map { @{ $_->{tests} } } @{ $summary->{runs} };
    return
        scalar grep { !UnixBench::Base::Result::is_measured($_) || UnixBench::Score::Cases::may_fall_short($_) } @tests;
}

# Returns [cases of the requirements that do not fit the result], and the criteria of the others.
sub _criteria {
    my ($self, $summary) = @_;
    my $asked = UnixBench::Accept::Requirement::request_of($summary, $self->{baseline});
    my (@open, @criteria);
    $self->{read}++;
    for my $requirement (@{ $self->{requirements} }) {
        my @own = eval { _criteria_of($requirement, $asked, $summary, $self->{references}) };
        push @criteria, @own;
        next if @own;
        push @{ $self->{misfits}{ $requirement->{text} } }, $@;
        push @open,                                         _open_case($requirement, $asked, $@);
    }
    return (\@open, @criteria);
}

sub _criteria_of {
    my ($requirement, $asked, $summary, $references) = @_;
    die UnixBench::Accept::Requirement::complaint($requirement->{text}, "a text report has no intervals\n")
        if $summary->{source} ne 'UnixBench';
    UnixBench::Accept::Requirement::check([$requirement], $asked);
    return UnixBench::Accept::Requirement::of([$requirement], $asked, $references);
}

# Returns the case of a requirement that does not fit the result. The error becomes the reason.
sub _open_case {
    my ($requirement, $asked, $error) = @_;
    chomp $error;
    my $beginning = UnixBench::Accept::Requirement::complaint($requirement->{text}, q{});
    return {
        kind    => 'requirement',
        verdict => 'INCONCLUSIVE',
        title   => $requirement->{text},
        name    => $requirement->{name},
        copies  => UnixBench::Accept::Requirement::copies_wanted($requirement, $asked) // $asked->{copies}[0] // 1,
        run     => undef,
        reason  => $error =~ s/\A\Q$beginning\E//r,
    };
}

# Dies with one line if a requirement does not fit any of the results that were read.
sub _check_fit {
    my ($self)    = @_;
    my ($nowhere) = grep { @$_ == $self->{read} } map { $self->{misfits}{$_} } sort keys %{ $self->{misfits} };
    die $nowhere->[0] if $nowhere;
    return;
}

# Takes machines, each { label, summary }. Dies with one line if they can't be compared with the result that a
# requirement names, since it was measured in another way.
sub _check_references {
    my ($self, @machines) = @_;
    for my $file (sort keys %{ $self->{references} }) {
        my $reference = { label => $file, summary => $self->{references}{$file} };
        my @obstacles = UnixBench::Compare::Kind::obstacles($reference, @machines) or next;
        die UnixBench::Base::Text::clean($file)
            . " can't be compared with this fleet: "
            . join('; ', @obstacles)
            . "; use --force to compare them anyway\n";
    }
    return;
}

1;
