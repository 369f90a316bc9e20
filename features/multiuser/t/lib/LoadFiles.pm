package LoadFiles;

# Files with results of multi-user loads.

use strict;
use warnings;

use Exporter 'import';

use Fixture      qw(result run);
use MultiUserRun qw(asked load_lines played search_lines);
use Rendered     qw(rendered);

our @EXPORT_OK = qw(load_file search_file written);

# Takes a directory, a name and a text; writes the file and returns its path.
sub written {
    my ($place, $name, $text) = @_;
    open my $file, '>:raw', "$place/$name" or die "$name: $!\n";
    print {$file} $text;
    close $file or die "$name: $!\n";
    return "$place/$name";
}

# Takes a directory, a name, a hash for each pass (see MultiUserRun::load_lines), and replacements for the load's
# procedure. Writes the result; returns its path.
sub load_file {
    my ($place, $name, $passes, %procedure) = @_;
    return _written($place, $name, played(map { [load_lines(%$_)] } @$passes), %{ asked(20) }, %procedure);
}

# Takes a directory and a name; writes the result of a search for the capacity, and returns its path.
sub search_file {
    my ($place, $name) = @_;
    return _written($place, $name, played([search_lines(11.4)]), %{ asked() });
}

sub _written {
    my ($place, $name, $test, %load) = @_;
    my %procedure = (kind => 'official', time_factor => 1, work_factor => 1, multiuser => \%load);
    my $result    = result([run(1, $test)], asked => ['multiuser'], procedure => \%procedure);
    return written($place, $name, rendered(json => $result));
}

1;
