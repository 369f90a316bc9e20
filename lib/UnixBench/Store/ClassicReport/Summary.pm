package UnixBench::Store::ClassicReport::Summary;

# The summary of a text report: its head becomes facts about the machine and the procedure, and notes say what is
# missing. No other module reads notes: UnixBench::Report::Notes makes them from data, and all decisions are based on
# data.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Text                   qw(counted listed);
use UnixBench::Host::FactList               ();
use UnixBench::Plan::Baseline               ();
use UnixBench::Store::ClassicReport::Tables qw(gaps is_readable whole);

our @EXPORT_OK = qw(take);

use constant FIRST_WITH_NOTES => 7;    # a version

use constant {
    UNKNOWN_COPIES => 'the number of copies is unknown; give it with --copies N, and the number of CPUs with --cpus N',
    UNKNOWN_CPUS   => 'the number of CPUs is unknown; give it with --cpus N',
    ASSUMED        => ' (the place assumes one copy for each CPU)',
};

my $LANGUAGE = qr/\A(\S+) \(charmap="([^"]*)", collate="([^"]*)"\)/;

my $NUMBER = qr/[0-9]{1,15}(?:[.][0-9]{1,12})?(?:e-[0-9]{1,2})?/;

# Patterns for the parts of the note on changes, and functions that store the data, see take().
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
    [qr/\Achanged procedure: (.+)\z/s => sub { my $known = $_[0]; take($known, \@CHANGES, $_) for split /; /, $_[1] }],
    [qr/\Ainterrupted by SIG([A-Z0-9+-]+)\z/ => sub { $_[0]{interruption}{signal}  = $_[1] }],
    [qr/\Ainterrupted: (.+)\z/s              => sub { $_[0]{interruption}{problem} = $_[1] }],
    [qr/\bquick run\b/i                      => sub { $_[0]{kind}                  = 'quick' }],
);

# Takes what is known, [[pattern, function], ...], and a text. The first pattern that matches decides: its function gets
# what is known and the parts of the text. Returns what it returns, or nothing.
sub take {
    my ($known, $table, $text) = @_;
    for my $row (@$table) {
        my ($pattern, $take) = @$row;
        my @found = $text =~ $pattern or next;
        return $take->($known, @found);
    }
    return;
}

# Takes a report that was read (with head, runs and unread at least, see UnixBench::Store::ClassicReport), a number of
# CPUs or undef, and numbers of copies, for runs that do not say theirs. Returns its summary. Dies with one line if it
# contradicts itself.
sub of {
    my ($report, $cpus, @copies) = @_;
    my @head    = grep { length $_->[1] || $_->[0] =~ /\ACPU/ } @{ $report->{head} };
    my %systems = map  { $_->[0]                   =~ /System\z/ ? ($_->[1] => 1) : () } @head;
    my @mixed   = map  { "\"$_\"" } sort keys %systems;
    die 'two reports are mixed line by line: they are of the systems ' . listed(@mixed) . "\n" if @mixed > 1;
    my @read = grep { is_readable($_) } @{ $report->{runs} };
    my @runs = map  { whole($_) } @read;
    $_->{cpu_count} //= $cpus for @runs;

    for my $run (grep { @copies && !defined $_->{copies} } @runs) {
        @$run{qw(copies is_given)} = (shift @copies, 1);
    }
    my %text  = map { @$_ } @head;
    my @notes = map { $_->[0] eq 'Note' ? $_->[1] : () } @head;
    my ($name, $system) = ($text{System} // q{}) =~ /\A(?!(?:System|OS|Machine|Language|CPUs):)(.*?): (.*)/;
    undef $name if !length($name // q{});
    my $procedure = procedure($report->{version}, @notes);
    my @baselines = grep { defined $_->{baseline} } map { @{ $_->{tests} } } @runs;
    $procedure->{baseline} = 'edited'
        if grep { !UnixBench::Plan::Baseline::is_official_score(@$_{qw(name baseline)}) } @baselines;
    my $head = head($report->{version}, \%text, grep { $_->[0] =~ /\ACPU/ } @head);
    $head->{host}{name} = $name;
    return {
        has_passes => 0,
        version    => $report->{version},
        notes      => [@notes, _remarks($report, @runs)],
        name       => $name,
        system     => $system,
        started    => undef,
        date       => $read[0]{date} // $read[0]{on_page},
        procedure  => $procedure,
        flags      => undef,
        head       => { %$head, procedure => $procedure },
        %{ facts($head) },
        runs => \@runs,
    };
}

# Takes a report and its runs; returns notes about what is not known, and what was not read.
sub _remarks {
    my ($report, @runs) = @_;
    my @empty   = grep { defined $_->{copies}    && !is_readable($_) } @{ $report->{runs} };
    my @unknown = grep { ($_->{copies} // 1) > 1 && !defined $_->{cpu_count} } @runs;
    my @unread  = @{ $report->{unread} };
    return (
        (map { 'the part for ' . counted($_->{copies}, 'copy', 'copies') . ' has no results' } @empty),
        ((grep { !defined $_->{copies} } @runs) ? UNKNOWN_COPIES                                         : ()),
        (@unknown                               ? UNKNOWN_CPUS . ($unknown[0]{is_given} ? ASSUMED : q{}) : ()),
        (map { gaps($_) } grep { is_readable($_) } @{ $report->{runs} }),
        (@unread                    ? 'results were not read, because of their numbers: ' . listed(@unread) : ()),
        (defined $report->{aborted} ? "the run ended early: $report->{aborted}"                             : ()),
    );
}

# Takes the version of a report, the texts of its lines, { label => text }, and [label, text] of its lines about CPUs.
# Returns what it has of the head of a result, see UnixBench::Base::ResultSchema.
sub head {
    my ($version, $text, @cpus) = @_;
    my (%host, %language);
    (@host{qw(os release version)}) = split / -- /, $text->{OS} // q{}, 3;
    ($host{machine})                = split q{ },   $text->{Machine} // q{};
    $host{graphics} = $text->{Graphics} =~ s/, a software renderer\z//r if defined $text->{Graphics};
    $host{cpus}     = [map { _cpus(@$_) } @cpus];
    @language{qw(lang charmap collate)} = ($text->{Language} // q{}) =~ $LANGUAGE;
    return { version => $version, host => \%host, language => \%language };
}

# Takes such a head; returns its facts as in a summary, see UnixBench::Host::FactList::distinctions. All others are
# unread.
sub facts {
    my ($head) = @_;
    my $of     = UnixBench::Host::FactList::distinctions($head);
    my @unread = grep { !defined $of->{facts}{$_} } UnixBench::Host::FactList::keys_of_facts();
    return { %$of, facts_unread => \@unread };
}

# Takes the label and the text of a line; returns the model and the number of its CPUs, and the id of the first one. A
# line is for one CPU or, in brief reports, for several: "CPU 0-63,128".
sub _cpus {
    my ($label, $text) = @_;
    my ($model, $count, $id) = ($text =~ s/ ?\([0-9.,]+ bogomips\)\z//r, 0);
    for my $range ($label =~ /[0-9]{1,6}(?:-[0-9]{1,6})?/g) {
        my ($first, $last) = split /-/, $range;
        $count += ($last // $first) - $first + 1;
        $id //= $first;
    }
    return { id => $id // 0, model => length $model ? $model : undef, count => $count };
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
    take(\%known, \@NOTES, $_) for @notes;
    return \%known;
}

1;
