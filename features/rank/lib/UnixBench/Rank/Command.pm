package UnixBench::Rank::Command;

# Lists results by their index, the fastest first, among those that people have published.

use strict;
use warnings;

use UnixBench::Base::Result       qw(has_passes);
use UnixBench::Base::Text         qw(clean listed);
use UnixBench::Call::Output       ();
use UnixBench::Compare::Published ();
use UnixBench::Summary::Outline   qw(identity lines once);
use UnixBench::Rank::JSON         ();
use UnixBench::Rank::Own          ();
use UnixBench::Rank::Report       ();
use UnixBench::Store::ResultFile  ();

use constant LACKING =>
    'no complete index of one copy, or of one copy for each CPU, by the unchanged procedure; measure one: ./Run -c 1';

# Takes a UnixBench::Call; returns [paths of results, and indexes]. Dies with one line if a word names no result and is
# not an index.
sub prepare {
    my ($call) = @_;
    my (@indexes, @words);
    for my $word (@{ $call->options->{words} }) {
        my $is_alone = UnixBench::Rank::Own::is_index($word) && !eval { $call->names->files($word) };
        push @{ $is_alone ? \@indexes : \@words }, $word;
    }
    my @named = (@indexes, $call->files(@words));
    UnixBench::Call::Output::check_tables($call->options, @named);
    return \@named;
}

# Takes a call and what prepare() returned; prints the list, and writes it to the files that the options name. Returns
# the outcome, "done", "failed" or "wrong usage".
sub run {
    my ($call, $named) = @_;
    my %with = (
        names  => $call->names,
        is_all => $call->options->{all},
        (map { $_ => $call->options->{$_} } qw(copies cpus)),
        published => [UnixBench::Compare::Published::results($call->home)]
    );
    die UnixBench::Compare::Published::FILE() . " is missing: unpack or install the suite again\n"
        if !@{ $with{published} };
    return UnixBench::Call::Output::reported(
        $call,
        found  => sub { +{ %{ _found($call, \%with, @$named) }, map { $_ => $with{$_} } qw(published is_all) } },
        json   => \&UnixBench::Rank::JSON::render,
        table  => \&UnixBench::Rank::JSON::table,
        report => \&UnixBench::Rank::Report::report_of,
    );
}

# Returns { owns (the results that are ranked, see UnixBench::Rank::Own), unranked (those without a place), not_ranked
# and left_out (sentences about these and about files) }. Dies with one line if a file that the user has named is not a
# result, or with a line for each reason if none can be ranked.
sub _found {
    my ($call, $with, @paths) = @_;
    my %is_unnamed = %{ $call->of_directories };
    return { owns => [_newest($call, $with)] } if !@paths;
    my (@owns, @unranked, @refused);
    for my $path (@paths) {
        my ($own, $summary) = eval { UnixBench::Rank::Own::of_word($path, $with) };
        if    ($own)                { push @owns, $own }
        elsif ($summary)            { push @unranked, { label => $path, summary => $summary } }
        elsif (!$is_unnamed{$path}) { die $@ }
        else                        { push @refused, [$path, $@] }
    }
    my @not_ranked = _not_ranked(@unranked);
    my ($once, $others) = once(map { [identity($_->{summary}), $_->{label}, $_] } @owns);
    my @left_out = UnixBench::Store::ResultFile::left_out(@refused, $call->left_out, lines(@$others));
    die map { "$_\n" } @not_ranked, @left_out if !@owns;
    return { owns => $once, unranked => \@unranked, not_ranked => \@not_ranked, left_out => \@left_out };
}

sub _not_ranked {
    my (@results) = @_;
    my (%files, @reasons, @notes);
    for my $result (@results) {
        my ($file, $why) = (clean($result->{label}), _why_not($result->{summary}));
        push @reasons,          $why if !$files{$why};
        push @{ $files{$why} }, $file;
        push @notes,            map { "$file: $_" } grep { / in the same file / } @{ $result->{summary}{notes} };
    }
    return ((map { listed(@{ $files{$_} }) . " can't be ranked: $_" } @reasons), @notes);
}

sub _why_not {
    my ($summary) = @_;
    return 'its indexes refer to an edited baseline' if ($summary->{procedure}{baseline} // q{}) eq 'edited';
    return 'there is ' . LACKING if has_passes($summary);
    my @with = grep { @{ $_->{indexes} } } @{ $summary->{runs} };
    return 'the text has indexes of tests, but the index score is missing or cut off, or a row above it'
        if !@with && grep { defined $_->{baseline} } map { @{ $_->{tests} } } @{ $summary->{runs} };
    return 'the text has scores, but no index' if !@with;
    my @whole = grep { $_->{indexes}[0]{complete} } @with;
    return 'the text has no complete index of one copy, or of one copy for each CPU'
        if !grep { !defined } map { @$_{qw(copies cpu_count)} } @whole;
    return 'the number of copies or of CPUs is unknown; give the numbers with --copies N --cpus N';
}

# Tells the user which newer ones can't be read.
sub _newest {
    my ($call, $with) = @_;
    for my $path ($with->{names}->newest_first) {
        my ($own) = eval { UnixBench::Rank::Own::of_word($path, $with) };
        return $own if $own;
        $call->complain_of([$path, $@]) if $@;
    }
    die 'no result in the directory of results can be ranked: there is ' . LACKING . "\n";
}

1;
