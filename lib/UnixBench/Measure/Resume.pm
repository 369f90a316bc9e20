package UnixBench::Measure::Resume;

# What an interrupted run has left: found by its name, locked, read, and held against what is here now.

use strict;
use warnings;

use File::Basename qw(dirname);
use File::Spec     ();

use UnixBench::Base::Format          qw(counted);
use UnixBench::Base::Result          qw(@SUFFIXES);
use UnixBench::Plan::Plan            ();
use UnixBench::Store::Journal        ();
use UnixBench::Store::JournalFile    ();
use UnixBench::Store::OutputLock     ();
use UnixBench::Store::SystemIdentity ();

use constant NO_LIMIT => 9**9**9;    # of passes in a quick run

# Takes the directory of the reports, and a name: the base name or the path of one of a run's files. Dies with one
# line when there is no such run, it is finished, it is under way, or its journal is damaged.
sub new {
    my ($class, $directory, $name) = @_;
    my $base    = _base($directory, $name);
    my $journal = UnixBench::Store::JournalFile::opened($base);
    my $so_far  = eval { UnixBench::Store::Journal::read_text(UnixBench::Store::JournalFile::text_of($journal)) };
    die "can't go on from $base.journal: $@" if !$so_far;
    return bless { base => $base, journal => $journal, so_far => $so_far }, $class;
}

# Returns the words that ask for the same run again.
sub words { my ($self) = @_; return @{ $self->{so_far}{head}{words} } }

# Returns the part of the environment that the run's settings were made of.
sub environment {
    my ($self) = @_;
    return { %{ $self->{so_far}{head}{environment} }, UB_RESULTDIR => dirname($self->{base}) };
}

# Takes plan, result, cpu_count and settings as they are now. Dies with one line when the journal does not
# fit them.
sub check {
    my ($self, $plan, $result, $cpu_count, $settings) = @_;
    my $now     = UnixBench::Store::SystemIdentity::take($plan, $result, $cpu_count, $settings);
    my @misfits = (
        UnixBench::Store::SystemIdentity::differences($self->{so_far}{head}{fingerprint}, $now),
        _misfits($plan, $self->{so_far}{runs})
    );
    die "can't go on from $self->{base}.journal: " . join('; ', @misfits) . "\n" if @misfits;
    return;
}

# What a Session needs to go on. Drops from the journal what a full disk or a power cut has torn.
sub continuation {
    my ($self) = @_;
    truncate $self->{journal}, $self->{so_far}{size};
    my $result = { %{ $self->{so_far}{head}{result} }, runs => [] };
    return (result => $result, map { $_ => $self->{$_} } qw(base journal so_far));
}

# What is there already, and, where that is known, what was asked for, in words.
sub progress {
    my ($self, $plan) = @_;
    my $made = grep { 1 } map {
        map { @$_ }
            values %{ $_->{passes} }
    } @{ $self->{so_far}{runs} };
    return counted($made, 'pass is', 'passes are') . ' there' if $plan->{quick};
    my $wanted = 0;
    for my $copies (@{ $plan->{copies} }) {
        $wanted += $_->{passes_wanted} for UnixBench::Plan::Plan::measured($plan, $copies);
    }
    return "$made of " . counted($wanted, 'pass', 'passes') . ' are there';
}

sub _base {
    my ($directory, $name) = @_;
    my $base = $name =~ m{/} ? File::Spec->rel2abs($name) : "$directory/$name";
    my ($suffix) = grep { $base =~ /\Q$_\E\z/ } @SUFFIXES;
    $base = substr $base, 0, -length $suffix if defined $suffix && !-e "$base.journal";
    return $base if -e "$base.journal" || -l "$base.journal";
    die "the run $base is finished: there is nothing to go on with\n" if -f $base;
    my @unfinished = UnixBench::Store::OutputLock::unfinished(dirname($base));
    die "there is no run $base" . (@unfinished ? '; unfinished there: ' . join(q{ }, @unfinished) : q{}) . "\n";
}

# What the runs hold that the plan does not.
sub _misfits {
    my ($plan, $runs) = @_;
    my @copies  = map { $_->{copies} } @$runs;
    my %wanted  = map { $_->{name} => $_->{passes_wanted} // NO_LIMIT } @{ $plan->{tests} };
    my @misfits = map { "it holds a run of $copies[$_] copies" }
        grep { $copies[$_] != ($plan->{copies}[$_] // 0) } 0 .. $#copies;
    for my $passes (map { $_->{passes} } @$runs) {
        push @misfits, map { "it holds too many passes of $_" }
            grep { @{ $passes->{$_} } > ($wanted{$_} // 0) } sort keys %$passes;
    }
    return @misfits;
}

1;
