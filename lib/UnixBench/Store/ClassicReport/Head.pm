package UnixBench::Store::ClassicReport::Head;

# The head of a text report becomes data: the facts about the machine, and the procedure. No other module reads notes:
# UnixBench::Report::Notes makes them from data, and all decisions are based on data.

use strict;
use warnings;

use UnixBench::Host::FactList ();

use constant FIRST_WITH_NOTES => 7;    # a version

my $LANGUAGE = qr/\A(\S+) \(charmap="([^"]*)", collate="([^"]*)"\)/;

my $NUMBER = qr/[0-9]{1,15}(?:[.][0-9]{1,12})?(?:e-[0-9]{1,2})?/;

# Patterns for the parts of the note on changes, and functions that store the data. The first pattern that matches
# decides, in the next table, too.
my @CHANGES = (
    [qr/\bshortened to ($NUMBER) of\b/            => sub { $_[0]{time_factor} = $_[1] + 0 if $_[1] > 0 }],
    [qr/\AMULTI_SH_WORK_FACTOR is ([0-9]{1,9})\b/ => sub { $_[0]{work_factor} = $_[1] + 0 if $_[1] > 0 }],
    [qr/\Aindex[.]base is edited\z/               => sub { $_[0]{baseline}    = 'edited' }],
    [
        qr/\A(.+) instead of (.+)\z/s => sub { push @{ $_[0]{replacements} }, { by => $_[1], name => $_[2] } }
    ],
);

# The same for whole notes.
my @NOTES = (
    [qr/\A(virtual) display(?: \(\w+\))?\z/ => sub { $_[0]{display} = $_[1] }],
    [qr/\Achanged procedure: (.+)\z/s => sub { my $known = $_[0]; _take($known, \@CHANGES, $_) for split /; /, $_[1] }],
    [qr/\Ainterrupted by SIG([A-Z0-9+-]+)\z/ => sub { $_[0]{interruption}{signal}  = $_[1] }],
    [qr/\Ainterrupted: (.+)\z/s              => sub { $_[0]{interruption}{problem} = $_[1] }],
    [qr/\bquick run\b/i                      => sub { $_[0]{kind}                  = 'quick' }],
);

# Takes the version of a report, the texts of its lines, { label => text }, and [label, text] of its lines about CPUs.
# Returns the facts as in a summary, see UnixBench::Host::FactList::distinctions.
sub facts {
    my ($version, $text, @cpus) = @_;
    my (%host, %language);
    (@host{qw(os release version)}) = split / -- /, $text->{OS} // q{}, 3;
    ($host{machine})                = split q{ },   $text->{Machine} // q{};
    $host{graphics}                     = _graphics($text->{Graphics});
    $host{cpus}                         = [map { _cpus(@$_) } @cpus];
    @language{qw(lang charmap collate)} = ($text->{Language} // q{}) =~ $LANGUAGE;
    return UnixBench::Host::FactList::distinctions({ version => $version, host => \%host, language => \%language });
}

# Takes the renderer in the words of a report, or undef; returns its name, an empty text if it is unknown.
sub _graphics {
    my ($words) = @_;
    return ($words // q{}) =~ s/, a software renderer\z//r;
}

# Takes the label and the text of a line; returns the model and the number of its CPUs. A line is for one CPU or, in
# brief reports, for several: "CPU 0-63,128".
sub _cpus {
    my ($label, $text) = @_;
    my ($model, $count) = ($text =~ s/ ?\([0-9.,]+ bogomips\)\z//r, 0);
    for my $range ($label =~ /[0-9]{1,6}(?:-[0-9]{1,6})?/g) {
        my ($first, $last) = split /-/, $range;
        $count += ($last // $first) - $first + 1;
    }
    return { model => length $model ? $model : undef, count => $count };
}

# Takes version and notes of a report. Returns the procedure as far as the notes describe it, see Base/README.md. The
# baseline is known only if it was edited. Versions from 7 on have notes on procedures that are not official. Earlier
# versions had one procedure only and no virtual display, but did not print their work factor.
sub procedure {
    my ($version, @notes) = @_;
    my %unknown = (display => 'given', map { $_ => undef } qw(kind time_factor work_factor));
    my ($major) = ($version // q{}) =~ /\A([0-9]{1,3})[.]/ or return \%unknown;
    return { %unknown, kind => 'official', time_factor => 1 } if $major < FIRST_WITH_NOTES;
    my %known = (kind => 'official', display => 'given', time_factor => 1, work_factor => 1, replacements => []);
    _take(\%known, \@NOTES, $_) for @notes;
    return \%known;
}

sub _take {
    my ($known, $table, $text) = @_;
    for my $row (@$table) {
        my ($pattern, $take) = @$row;
        my @found = $text =~ $pattern or next;
        return $take->($known, @found);
    }
    return;
}

1;
