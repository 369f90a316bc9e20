package UnixBench::Measure::Resume;

# The journal of an interrupted run that is resumed: found by its name, locked, read, and compared with the present
# machine.

use strict;
use warnings;

use File::Basename qw(dirname);
use File::Spec     ();

use UnixBench::Base::Arguments       qw(named);
use UnixBench::Base::Format          qw(counted);
use UnixBench::Base::Result          qw(@SUFFIXES);
use UnixBench::Plan::Plan            ();
use UnixBench::Store::Journal        ();
use UnixBench::Store::JournalFile    ();
use UnixBench::Store::OutputFiles    ();
use UnixBench::Store::SystemIdentity ();

use constant NO_LIMIT => 9**9**9;    # of passes in a quick run

# Takes directory, that of the reports, and name: the base name or the path of one of a run's files. Dies with one line
# if there is no such run, it is finished, it is under way, or its journal is damaged.
sub new {
    my ($class, @given) = @_;
    my $given   = named(\@given, qw(directory name));
    my $base    = _base(@$given{qw(directory name)});
    my $journal = UnixBench::Store::JournalFile::opened($base);
    my $so_far  = eval { UnixBench::Store::Journal::read_text(UnixBench::Store::JournalFile::text_of($journal)) };
    die "can't go on from $base.journal: $@" if !$so_far;
    return bless { base => $base, journal => $journal, so_far => $so_far }, $class;
}

# Returns the words that ask for the same run again.
sub words { my ($self) = @_; return @{ $self->{so_far}{head}{words} } }

# Returns the part of the environment from which the run's settings were made.
sub environment {
    my ($self) = @_;
    return { %{ $self->{so_far}{head}{environment} }, UB_RESULTDIR => dirname($self->{base}) };
}

# Takes the present plan, result, cpu_count and settings. Dies with one line if the journal does not fit them.
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

# Returns what a Session needs to resume the run. Removes the incomplete end of the journal, as a full disk or a power
# cut leaves it.
sub continuation {
    my ($self) = @_;
    truncate $self->{journal}, $self->{so_far}{size};
    my $result = { %{ $self->{so_far}{head}{result} }, runs => [] };
    return (result => $result, map { $_ => $self->{$_} } qw(base journal so_far));
}

# Takes the plan; returns words for the number of passes so far and, if it is known, of all passes.
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
    my @unfinished = UnixBench::Store::OutputFiles::unfinished(dirname($base));
    die "there is no run $base" . (@unfinished ? '; unfinished there: ' . join(q{ }, @unfinished) : q{}) . "\n";
}

# Returns sentences on runs and passes that are not in the plan.
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
