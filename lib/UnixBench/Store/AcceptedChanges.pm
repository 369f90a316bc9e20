package UnixBench::Store::AcceptedChanges;

# The changes in a history that the user has accepted: a file in the directory of results with a line for each. A line
# has the start of the run at which the series changed (UTC), the host, and the reason, separated by tabs. Its suffix is
# not that of a result.

use strict;
use warnings;

use UnixBench::Base::Files ();
use UnixBench::Base::Text  qw(clean);
use UnixBench::Base::Time  qw(iso_time time_of_date);

use constant FILE => 'history-accepted.log';

# Takes the directory of results; returns [{ started, host, reason }, ...], in the order of the file. Lines of another
# form are ignored.
sub of_directory {
    my ($directory) = @_;
    my $text = UnixBench::Base::Files::content("$directory/" . FILE) // q{};
    my @accepted;
    for my $line (split /\n/, $text) {
        my ($date, $host, $reason) = $line =~ /\A([^\t]+)Z\t([^\t]*)\t(.*\S)\s*\z/ or next;
        my $started = time_of_date($date) // next;
        push @accepted, { started => $started, host => $host, reason => $reason };
    }
    return @accepted;
}

# Takes the directory of results, and an accepted change in the same form. Adds its line to the file. Dies with one line
# if that fails.
sub add {
    my ($directory, $change) = @_;
    my $path       = "$directory/" . FILE;
    my $date       = iso_time($change->{started}, 0) =~ s/[+]00:00\z/Z/r;
    my $line       = join("\t", $date, map { clean($_) } @$change{qw(host reason)}) . "\n";
    my $is_open    = open my $file, '>>:raw', $path;
    my $is_written = $is_open && UnixBench::Base::Files::append($file, $line) && close $file;
    die 'can\'t write ' . clean($path) . ": $!\n" if !$is_written;
    return;
}

1;
