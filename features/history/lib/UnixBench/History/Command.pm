package UnixBench::History::Command;

# Shows the history of hosts: the values of their results by date, the runs at which they changed, and what changed with
# them. Accepts changes for the worse, so that cron and CI report each only until the user has seen it.

use strict;
use warnings;

use UnixBench::Base::Halt         ();
use UnixBench::Base::Text         ();
use UnixBench::CLI::Console       ();
use UnixBench::Call::Output       ();
use UnixBench::Compare::Rows      ();
use UnixBench::History::Accepted  ();
use UnixBench::History::Explained ();
use UnixBench::History::JSON      ();
use UnixBench::History::Report    ();
use UnixBench::History::Series    ();
use UnixBench::History::Wording   ();
use UnixBench::Store::ResultFile  ();

# Takes a UnixBench::Call; returns [paths of the results]. Dies with one line if there are none, or if an output can't
# be written.
sub prepare {
    my ($call)  = @_;
    my @words   = @{ $call->options->{words} };
    my $default = $call->settings->{resultdir};
    die "there are no results yet: $default does not exist\n" if !@words && !-d $default;
    my @paths    = $call->files(@words ? @words : $default);
    my $accepted = join q{/}, $call->settings->{resultdir}, UnixBench::History::Accepted::FILE;
    UnixBench::Call::Output::check_tables($call->options, @paths, $accepted);
    return \@paths;
}

# Takes a call and [paths of results]; accepts a change if the user asks for that, prints the report, and writes it to
# the files that the options name. Returns the outcome: "done", "not met" if a change for the worse is not accepted,
# "inconclusive" if no run is evidence, "failed", or "wrong usage".
sub run {
    my ($call, $paths) = @_;
    return UnixBench::Call::Output::reported(
        $call,
        found   => sub { _of($call, @$paths) },
        json    => \&UnixBench::History::JSON::render,
        table   => \&UnixBench::History::JSON::table,
        report  => \&UnixBench::History::Report::report_of,
        outcome => sub { UnixBench::History::Wording::outcome(@_) =~ s/worse/not met/r },
    );
}

sub _of {
    my ($call, @paths)        = @_;
    my ($options, $directory) = ($call->options, $call->settings->{resultdir});
    my ($results, @notes)     = _read($call, @paths);
    my $effect  = $options->{min_effect} // UnixBench::Compare::Rows::MIN_EFFECT;
    my $history = UnixBench::History::Series::of($results, effect => $effect);
    push @{ $history->{notes} }, @notes;
    my $reasons = join q{ }, map { $_->{text} } @{ $history->{notes} };
    die "no result has a place in a history: $reasons\n" if !@{ $history->{hosts} };
    $history->{min_effect} = $effect;
    my @accepted = _accepted($directory);
    my $mark     = sub { UnixBench::History::Accepted::mark($history, @accepted) };
    $mark->();

    if (defined $options->{accept}) {
        my @open = UnixBench::History::Wording::open_events($history)
            or die "option --accept: there is no change for the worse that is not accepted\n";
        my @own = map { UnixBench::History::Accepted::of_event(@$_) } @open;
        @accepted = _accepted($directory, map { +{ %$_, reason => $options->{accept} } } @own);
        $mark->();
    }
    for my $host (@{ $history->{hosts} }) {
        push @{ $history->{notes} }, map { _explain($host, $_) } @{ $host->{events} };
    }
    return $history;
}

# Takes the directory of results, and perhaps changes that the user accepts, which it adds. Returns the accepted
# changes. Their file is not a part of the command line: if it can't be read or written, the call has failed.
sub _accepted {
    my ($directory, @added) = @_;
    my @accepted = eval {
        UnixBench::History::Accepted::add($directory, @added) if @added;
        (1, UnixBench::History::Accepted::of_directory($directory));
    };
    die UnixBench::Base::Halt->new(line => $@) if !@accepted;
    shift @accepted;
    return @accepted;
}

# Adds to an event what may be its cause. Returns a note if a result can't be read: only the head of its page was.
sub _explain {
    my ($host, $event) = @_;
    my $summary_of = sub { UnixBench::Store::ResultFile::summary($_[0]{place}) };
    return if eval { UnixBench::History::Explained::explain($host, $event, $summary_of); 1 };
    my ($why) = $@ =~ /(\N*)/;
    my $date = UnixBench::History::Wording::date_of($host->{runs}[$event->{run}]);
    @$event{qw(differs files)} = ([], []);
    return { text => "What differs at $date is unknown: $why" };
}

# Returns [{ path, place (path#N if it is one of several), word, outline }, ...] of the results, and notes about the
# files that are left out. Dies with one line about a file that the user has named, unless another version has written
# it.
sub _read {
    my ($call, @paths) = @_;
    my (@results, @refused);
    for my $path (@paths) {
        my ($other, @unread);
        my %how = (other_writer => \$other, unread => \@unread, map { $_ => $call->options->{$_} } qw(copies cpus));
        my @outlines = eval { UnixBench::Store::ResultFile::outlines($path, %how) };
        if (@outlines) {
            push @refused, map { [$path, UnixBench::Base::Text::clean($path) . ": $_"] } @unread;
            my $word = $call->names->word($path);
            for my $at (0 .. $#outlines) {
                my $of    = @outlines > 1 ? '#' . (1 + $at) : q{};
                my %named = (place => "$path$of", word => UnixBench::CLI::Console::quoted("$word$of"));
                push @results, { path => $path, %named, outline => $outlines[$at] };
            }
            next;
        }
        my $error = $@;
        die $error if !$call->of_directories->{$path} && !defined $other;
        push @refused, [$path, $error];
    }
    my @left_out = UnixBench::Store::ResultFile::left_out(@refused, $call->left_out);
    return (\@results, map { +{ text => "Left out: $_." } } @left_out);
}

1;
