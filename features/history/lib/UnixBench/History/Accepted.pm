package UnixBench::History::Accepted;

# The changes in a history that the user has accepted: a file in the directory of results with a line for each. A line
# has the start of the run at which a series changed (UTC), the host, the reason, the series, and the size of the change
# in percent, separated by tabs. Lines of version 8.0.0 have no series: they accept all changes of their run. The suffix
# of the file is not that of a result.

use strict;
use warnings;

use UnixBench::Base::Files ();
use UnixBench::Base::Text  qw(clean);
use UnixBench::Base::Time  qw(iso_time time_of_date);

use constant { FILE => 'history-accepted.log', MOST_MB => 16, PERCENT => 100 };

# The end of a line that a power cut or a full disk has torn.
use constant TORN => "\tincomplete";

# Takes the directory of results; returns ({ started, host, reason, series (undef in a line of version 8.0.0), by (the
# change as a part of 1, or undef) }, ...), in the order of the file. Lines of another form, and those that may
# be incomplete, are ignored. Dies with one line if the file can't be read, or is not a plain file with one name.
sub of_directory {
    my ($directory) = @_;
    my $text = UnixBench::Base::Files::kept_text("$directory/" . FILE, MOST_MB) // q{};
    my @accepted;
    for my $line (split /^/m, $text) {
        my $is_whole = $line =~ s/\n\z// && $line !~ s/\Q@{[TORN]}\E\z//;
        my ($date, $host, $reason, $series, $by) = split /\t/, $line =~ s/\s+\z//r;
        next if ($reason // q{}) !~ /\S/ || $date !~ s/Z\z//;
        my $started = time_of_date($date) // next;
        my ($percent) = ($by // q{}) =~ /\A([-+][0-9]{1,9}[.][0-9]{1,9})%\z/;
        next if !$is_whole && !defined $percent;
        push @accepted,
            {
            started => $started,
            host    => $host,
            reason  => $reason,
            series  => $series,
            by      => defined $percent ? $percent / PERCENT : undef
            };
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

1;
