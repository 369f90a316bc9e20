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
use UnixBench::Changes::Events ();
use UnixBench::History::Series ();

use constant { FILE => 'history-accepted.log', MOST_MB => 16, PERCENT => 100 };
use constant GROWN => 1.5;    # times its accepted size that a change may be

my $LINE = qr/\A([^\t]*)Z\t([^\t]*)\t([^\t]*\S[^\t]*)\t([^\t]+)\t([-+][0-9]{1,9}[.][0-9]{1,9})%\s*\z/;

# Takes the directory of results; returns ({ started, host, reason, series, by (the change as a part of 1) }, ...), in
# the order of the file. Lines of another form are ignored. Dies with one line if the file can't be read.
sub of_directory {
    my ($directory) = @_;
    my @accepted;
    for my $line (split /\n/, _text("$directory/" . FILE)) {
        my ($date, %change);
        ($date, @change{qw(host reason series by)}) = $line =~ $LINE or next;
        $change{started} = time_of_date($date) // next;
        push @accepted, { %change, by => $change{by} / PERCENT };
    }
    return @accepted;
}

sub _text {
    my ($path) = @_;
    return -e $path || -l $path ? UnixBench::Base::Files::text_within($path, sub { MOST_MB }) : q{};
}

# Takes the directory of results, and accepted changes in the same form, each with its series. Adds their lines to the
# file. Dies with one line if that fails.
sub add {
    my ($directory, @changes) = @_;
    my $path = "$directory/" . FILE;
    my @text = _text($path) =~ s/[^\n]\K\z/\n/r;
    for my $change (@changes) {
        my $date = iso_time($change->{started}, 0) =~ s/[+]00:00\z/Z/r;
        push @text, join("\t", $date, map { clean($_) } @$change{qw(host reason series)});
        $text[-1] .= sprintf "\t%+.2f%%\n", PERCENT * $change->{by};
    }
    return UnixBench::Base::Files::write_whole($path, join q{}, @text);
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
            my @open   = UnixBench::Changes::Events::worse($event);
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
    } grep { !defined $_->{accepted} } UnixBench::Changes::Events::worse($event);
}

sub _named {
    my ($event, $change) = @_;
    return ($event->{kind} eq 'step' ? q{} : "$event->{kind} of ")
        . UnixBench::History::Series::what($change->{series});
}

# Returns whether an accepted change is that change of an event. Later runs may move a step by one run, and the begin of
# a drift by more, and make the size larger by half of it.
sub _accepts {
    my ($accepted, $host, $event, $change) = @_;
    return 0 if $accepted->{host} ne clean($host->{label}) || $accepted->{series} ne clean(_named($event, $change));
    my $of = List::Util::first { $_->{last} >= $change->{at} } @{ $change->{series}{segments} };
    my ($first, $last) = $event->{kind} eq 'step' ? ($change->{at} - 1, $change->{at} + 1) : @$of{qw(first last)};
    my @near  = grep { $_ >= 0 } $first .. List::Util::min($last, $#{ $host->{runs} });
    my $is_at = grep { int $host->{runs}[$_]{started} == $accepted->{started} } @near;
    return $is_at && $accepted->{by} * $change->{by} > 0 && abs $change->{by} <= GROWN * abs $accepted->{by};
}

1;
