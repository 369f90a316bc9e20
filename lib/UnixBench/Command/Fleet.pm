package UnixBench::Command::Fleet;

# Reports a fleet of any size: hosts that were measured, and hosts that were not.

use strict;
use warnings;

use UnixBench::CLI::Declaration qw(shared);

# The smallest number of hosts among which one can stand out. Two values do not tell which of them is usual.
use constant JUDGED => 3;

# The largest number of machines of a ranking on a terminal.
use constant SHOWN_MOST => 60;

# Returns the declaration, see UnixBench::CLI::Declaration.
sub declaration {
    my ($verdict) = shared('--verdict');
    return {
        takes     => 'result',
        arguments => 'LIST | RESULT ...',
        needs     => 'a list or results',
        purpose   => 'list all hosts of a fleet, also those without a result',
        about     => 'LIST is a file NAME.csv with the columns host, shares, phase, try, outcome, reason and result. '
            . 'With --require, each host has a verdict. The exit status is 1 if a host is not measured.',
        options => [
            shared(qw(--require --force --html --markdown --json --export --junit)),
            { %$verdict, needs => undef },    # hosts also have outcomes without requirements
        ],
    };
}

# Takes a UnixBench::Call::Call; reads the list, or finds the files of the results. Dies with one line if that fails.
sub check {
    my ($call) = @_;
    my $options = $call->options;
    my ($list, @others) = @{ $options->{words} };
    $call->find_required;
    if (@others || $list !~ /[.]csv\z/) { $options->{words} = [$call->files($list, @others)] }
    else {
        require UnixBench::Store::FleetFile;
        $options->{tries} = [UnixBench::Store::FleetFile::tries($list)];
        push @{ $options->{words} }, grep { defined } map { $_->{file} } @{ $options->{tries} };
    }
    require UnixBench::Call::Output;
    return UnixBench::Call::Output::check($options);
}

# Takes the same; prints the report and writes it to the files that the options name. Returns the outcome: "done",
# "failed" if a host was not measured, "not met", "inconclusive" or "wrong usage".
sub run {
    my ($call) = @_;
    my ($options, $console) = ($call->options, $call->console);
    my $list = eval { of(options => $options, baseline => $call->baseline, of_directories => $call->of_directories) };
    if (!$list) {
        $console->refuse($@);
        return 'wrong usage';
    }
    my $kind       = UnixBench::Call::Output::of_standard_output($options) // 'text';
    my $text_of    = sub { UnixBench::Report::Formats::of_fleet($_[0], $list) };
    my $shown      = $kind eq 'text' ? _for_people($list) : $list;
    my $is_printed = $console->answer(UnixBench::Report::Formats::of_fleet($kind, $shown));
    my @problems   = UnixBench::Call::Output::write_files($options, $text_of);
    $console->complain($_) for @problems;
    return !$is_printed || @problems ? 'failed' : _outcome(@{ $list->{hosts} });
}

# Takes the list; returns it as it is printed: on a terminal, long rankings end early.
sub _for_people {
    my ($list) = @_;
    return $list if !UnixBench::CLI::Console::is_for_people();
    return { %$list, most => SHOWN_MOST, rest => 'add "> fleet.txt" to this command for all of them' };
}

sub _outcome {
    my (@hosts) = @_;
    my %is      = map { ($_->{verdict} // q{}) => 1 } @hosts;
    return 'failed' if grep { UnixBench::Compare::Fleet::Hosts::is_missing($_) } @hosts;
    return $is{FAIL} ? 'not met' : $is{INCONCLUSIVE} ? 'inconclusive' : 'done';
}

# Loads the modules that report a fleet. The help needs none of them.
sub _load {
    require UnixBench::CLI::Console;
    require UnixBench::Call::Output;
    require UnixBench::Command::Fleet::Results;
    require UnixBench::Compare::Fleet::Hosts;
    require UnixBench::Compare::Fleet::Sharing;
    require UnixBench::Compare::Fleet;
    require UnixBench::Report::Formats;
    require UnixBench::Store::ResultFile;
    return;
}

# Takes
#   options         the options; tries, if a list was given, see UnixBench::Store::FleetFile, else words, the paths of
#                   results
#   of_directories  { path => 1 } for those of them that were found in a directory
#   baseline        the parsed index.base
# Returns the list, see UnixBench::Report::FleetList. Dies with a line for each reason if
# the results can't be compared, if no result has what a requirement names, or if a result that the user has named can't
# be read.
sub of {
    my (%with) = @_;
    _load();
    my $options = $with{options};
    my $results = UnixBench::Command::Fleet::Results->new(
        requirements => $options->{requirements},
        baseline     => $with{baseline},
    );
    my @tries =
        $options->{tries}
        ? map({ _read($_, $results) } @{ $options->{tries} })
        : _named($results, $with{of_directories}, @{ $options->{words} });
    my @hosts    = UnixBench::Compare::Fleet::Hosts::of(@tries);
    my @machines = map { _machine($_) } grep { $_->{outcome} eq 'measured' } @hosts;
    $results->check_fit;
    $results->check_references(@machines) if !$options->{force};
    return {
        hosts   => \@hosts,
        fleet   => @machines ? _fleet(\@machines, $options->{force}) : undef,
        sharing => [UnixBench::Compare::Fleet::Sharing::of(@hosts)],
        results => sub {
            return map { _result($_) } grep { $_->{counted}{summary} } @hosts;
        },
    };
}

# Takes a host with a result; returns the result as UnixBench::Report::Export takes it.
sub _result {
    my ($host)  = @_;
    my $try     = $host->{counted};
    my $summary = UnixBench::Store::ResultFile::summary($try->{file});
    return { host => $host->{name}, summary => $summary, cases => $try->{cases}, is_of_fleet => 1 };
}

# Takes a try of a list; returns it with its result. If the result can't be used, the try has failed. A try that failed
# has the verdict FAIL if its result shows that, and else none.
sub _read {
    my ($try, $results) = @_;
    return $try if !defined $try->{file};
    my $read = eval { $results->of($try->{file}) } || { outcome => 'failed', reason => $@ =~ s/\n.*//sr };
    return { %$try, %$read } if $try->{outcome} eq 'measured';
    my $verdict = ($read->{verdict} // q{}) eq 'FAIL' ? 'FAIL' : undef;
    return { %$try, %$read, outcome => 'failed', verdict => $verdict, reason => $try->{reason} // $read->{reason} };
}

# Takes { path => 1 } for files of a directory, and paths of results; returns a try for each, with a name of its own for
# its host. A file of a directory that can't be used is a host that failed, with the name of the file. Dies for any
# other, which the user has named.
sub _named {
    my ($results, $of_directories, @files) = @_;
    my @tries;
    for my $file (@files) {
        my %try = (phase => 'alone', try => 1, outcome => 'measured', file => $file);
        push @tries, $of_directories->{$file} ? _read(\%try, $results) : { %try, %{ $results->of($file) } };
    }
    my @names = UnixBench::Compare::Fleet::names(map { [($_->{summary} || {})->{name}, $_->{file}] } @tries);
    return map { +{ %{ $tries[$_] }, host => $names[$_] } } 0 .. $#tries;
}

sub _machine {
    my ($host) = @_;
    return { label => $host->{name}, summary => { %{ $host->{counted}{summary} }, name => $host->{name} } };
}

# Dies if the machines can't be compared, and --force does not demand it.
sub _fleet {
    my ($machines, $is_forced) = @_;
    my $fleet    = UnixBench::Compare::Fleet::of($machines, is_forced => $is_forced, judged => JUDGED, shown => 1);
    my @refusals = @{ $fleet->{refusals} } or return $fleet;
    my @advice   = @{ $fleet->{obstacles} } && !$is_forced ? 'use --force to compare them anyway' : ();
    die join "\n", "these results can't be compared", @refusals, @advice, q{};
}

1;
