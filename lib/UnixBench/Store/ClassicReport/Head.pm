package UnixBench::Store::ClassicReport::Head;

# What the head of a text report tells of procedure and machine.

use strict;
use warnings;

use UnixBench::Host::FactList ();
use UnixBench::Store::Notes   ();

use constant FIRST_WITH_NOTES => 7;

my $LANGUAGE = qr/\A(\S+) \(charmap="([^"]*)", collate="([^"]*)"\)/;

# Takes version and notes of a report; returns the procedure as in a summary. Version 7 notes what is not the official
# procedure; versions before had no other and no virtual display, but did not tell their work factor.
sub procedure {
    my ($version, @notes) = @_;
    my %unknown = (display => 'given', map { $_ => undef } qw(kind time_factor work_factor));
    my ($major) = ($version // q{}) =~ /\A([0-9]{1,3})[.]/ or return \%unknown;
    return { %unknown, kind => 'official', time_factor => 1 } if $major < FIRST_WITH_NOTES;
    return UnixBench::Store::Notes::procedure(undef, @notes);
}

# Takes a report, { version, facts => { label => text }, cpus => [[label, text], ...] } as its lines have them; returns
# { label => text } as in a summary.
sub facts {
    my ($report) = @_;
    my ($facts, %host, %language) = ($report->{facts});
    (@host{qw(os release version)}) = split / -- /, $facts->{OS} // q{}, 3;
    ($host{machine})                = split q{ },   $facts->{Machine} // q{};
    ($host{graphics})               = ($facts->{Graphics} // q{}) =~ s/, a software renderer\z//r;
    $host{cpus} = [map { _cpus(@$_) } @{ $report->{cpus} }];
    @language{qw(lang charmap collate)} = ($facts->{Language} // q{}) =~ $LANGUAGE;
    return UnixBench::Host::FactList::distinctions(
        { version => $report->{version}, host => \%host, language => \%language });
}

# A line is for one CPU or, in brief reports, for "0-63,128".
sub _cpus {
    my ($label, $text) = @_;
    my ($model, $count) = ($text =~ s/ ?\([0-9.]+ bogomips\)\z//r, 0);
    for my $range ($label =~ /[0-9]{1,6}(?:-[0-9]{1,6})?/g) {
        my ($first, $last) = split /-/, $range;
        $count += ($last // $first) - $first + 1;
    }
    return { model => length $model ? $model : undef, count => $count };
}

1;
