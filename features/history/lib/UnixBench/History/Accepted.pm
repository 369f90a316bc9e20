package UnixBench::History::Accepted;

# The changes in a history that the user has accepted, and a file of them in the directory of results. A line of it
# has the start of the run at which a series changed (UTC), the host, the reason, the series, and the size of the change
# in percent, separated by tabs. The suffix of the file is not that of a result.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Files     ();
use UnixBench::Base::Text      qw(clean);
use UnixBench::Base::Time      qw(iso_time time_of_date);
use UnixBench::History::Series ();

use constant { FILE => 'history-accepted.log', MOST_MB => 16, PERCENT => 100 };
use constant GROWN => 1.5;    # times its accepted size that a change may be

# The end of a line that a power cut or a full disk has torn.
use constant TORN => "\tincomplete";

my $LINE = qr/\A([^\t]*)Z\t([^\t]*)\t([^\t]*\S[^\t]*)\t([^\t]+)(?:\t([-+][0-9]{1,9}[.][0-9]{1,9})%)?\s*\z/;

# Takes the directory of results; returns ({ started, host, reason, series, by (the change as a part of 1, or undef) },
# ...), in the order of the file. Lines of another form, and those that may be incomplete, are ignored. Dies with one
# line if the file can't be read, or is not a plain file with one name.
sub of_directory {
    my ($directory) = @_;
    my $text = UnixBench::Base::Files::kept_text("$directory/" . FILE, MOST_MB) // q{};
    my @accepted;
    for my $line (split /^/m, $text) {
        my $is_whole = $line =~ s/\n\z// && $line !~ s/\Q@{[TORN]}\E\z//;
        my ($date, $host, $reason, $series, $percent) = $line =~ $LINE or next;
        my $started = time_of_date($date) // next;
        next if !$is_whole && !defined $percent;
        my %size = (by => defined $percent ? $percent / PERCENT : undef);
        push @accepted, { started => $started, host => $host, reason => $reason, series => $series, %size };
    }
    return @accepted;
}

# Takes the directory of results, and accepted changes in the same form, each with its series. Adds their lines to the
# file. Dies with one line if that fails.
sub add {
    my ($directory, @changes) = @_;
    UnixBench::Base::Files::append_line("$directory/" . FILE, join(q{}, map { _line($_) } @changes), TORN);
    return;
}

sub _line {
    my ($change) = @_;
    my $date     = iso_time($change->{started}, 0) =~ s/[+]00:00\z/Z/r;
    my @size     = defined $change->{by} ? sprintf '%+.2f%%', PERCENT * $change->{by} : ();
    return join("\t", $date, (map { clean($_) } @$change{qw(host reason series)}), @size) . "\n";
}

# Takes a history, and accepted changes in the same form. Adds to each change accepted, the reason, if it is one of
# them. An event of which each confirmed change for the worse is accepted has the reason, too.
sub mark {
    my ($history, @accepted) = @_;
    for my $host (@{ $history->{hosts} }) {
        for my $event (@{ $host->{events} }) {
            for my $change (@{ $event->{changes} }) {
                my ($last) = grep { _accepts($_, $host, $event, $change) } reverse @accepted;
                $change->{accepted} = $last->{reason} if $last;
            }
            my @open   = UnixBench::History::Series::worse($event);
            my ($last) = reverse map { $_->{accepted} // () } @open;
            $event->{accepted} = $last if @open && !grep { !defined $_->{accepted} } @open;
        }
    }
    return;
}

# Takes a host and one of its events; returns what the user accepts with it, in the same form without the reason: its
# confirmed changes for the worse. One that is not confirmed yet may become larger, so it is not accepted.
sub of_event {
    my ($host, $event) = @_;
    return map {
        +{
            started => $host->{runs}[$_->{at}]{started},
            host    => $host->{label},
            series  => _named($event, $_),
            by      => $_->{by},
        }
    } grep { !defined $_->{accepted} } UnixBench::History::Series::worse($event);
}

# Returns how a line of accepted changes names what changed.
sub _named {
    my ($event, $change) = @_;
    return ($event->{kind} eq 'step' ? q{} : "$event->{kind} of ")
        . UnixBench::History::Series::what($change->{series});
}

# Returns whether an accepted change is that change of an event. Later runs may move a step by one run, and the begin of
# a drift by more, and change the size a little.
sub _accepts {
    my ($accepted, $host, $event, $change) = @_;
    return 0 if $accepted->{host} ne clean($host->{label}) || $accepted->{series} ne clean(_named($event, $change));
    my ($first, $last) =
        $event->{kind} eq 'step'
        ? ($change->{at} - 1, $change->{at} + 1)
        : @{ $change->{series}{segments}[_segment_of($change)] }{qw(first last)};
    my @near  = grep { $_ >= 0 } $first .. List::Util::min($last, $#{ $host->{runs} });
    my $is_at = grep { int $host->{runs}[$_]{started} == $accepted->{started} } @near;
    return $is_at && _is_covered($accepted->{by}, $change->{by});
}

# Returns the number of the segment in which a change began.
sub _segment_of {
    my ($change) = @_;
    my $segments = $change->{series}{segments};
    return List::Util::first { $segments->[$_]{last} >= $change->{at} } 0 .. $#$segments;
}

# Returns whether a change goes in the direction of an accepted size, and is not larger by more than half of it. An
# unknown size covers all.
sub _is_covered {
    my ($size, $by) = @_;
    return !defined $size || $size * $by > 0 && abs $by <= GROWN * abs $size;
}

1;
