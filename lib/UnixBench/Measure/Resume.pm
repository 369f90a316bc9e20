package UnixBench::Measure::Resume;

# Finds the journal of an interrupted run that is to be resumed. Locks it, reads it, and compares it with the present
# machine.

use strict;
use warnings;

use File::Basename qw(dirname);

use UnixBench::Base::Arguments       qw(named);
use UnixBench::Base::Text            qw(clean counted);
use UnixBench::Host::FactList        ();
use UnixBench::Plan::Plan            ();
use UnixBench::Store::Journal        ();
use UnixBench::Store::OutputFiles    ();
use UnixBench::Store::SystemIdentity ();
use UnixBench::Version               ();

use constant TO_DO => "; resume it where and as it began, or start it again\n";

# Takes base, the absolute path that the files of the run have in common. Dies with one line if the run is under way, if
# its journal is damaged, or if another version began it.
sub new {
    my ($class, @given) = @_;
    my $base    = named(\@given, qw(base))->{base};
    my $journal = UnixBench::Store::OutputFiles::opened_journal($base);
    my $so_far  = eval { UnixBench::Store::Journal::read_text(UnixBench::Store::OutputFiles::text_of($journal)) };
    die "can't resume $base.journal: $@" if !$so_far;
    my $version = $so_far->{head}{fingerprint}{version} // q{};
    die "can't resume $base.journal: " . UnixBench::Store::Journal::other_version($version)
        if $version ne $UnixBench::Version::VERSION;
    return bless { base => $base, journal => $journal, so_far => $so_far }, $class;
}

# Returns the words of the command line that asks for the same run again.
sub words { my ($self) = @_; return @{ $self->{so_far}{head}{words} } }

# Returns the environment variables for the settings of the run, { NAME => value }.
sub environment {
    my ($self) = @_;
    return { %{ $self->{so_far}{head}{environment} }, UB_RESULTDIR => dirname($self->{base}) };
}

# Takes the present plan, result, cpu_count and settings. Dies with one line if the journal does not match them.
sub check {
    my ($self, $plan, $result, $cpu_count, $settings) = @_;
    my $head    = $self->{so_far}{head};
    my $now     = UnixBench::Store::SystemIdentity::take($plan, $result, $cpu_count, $settings);
    my @files   = UnixBench::Store::SystemIdentity::differences($head->{fingerprint}, $now);
    my @changes = grep { $plan->{experiment} || $_->{meaning} eq 'decides' }
        UnixBench::Host::FactList::changes($head->{result}, $result);
    my @misfits = ((map { UnixBench::Host::FactList::change_in_words($_) } @changes), @files);
    die "can't resume $self->{base}.journal: " . join('; ', map { clean($_) } @misfits) . (@changes ? TO_DO : "\n")
        if @misfits;
    $self->{present} = $result;
    return;
}

# Returns the arguments with which a Session resumes the run. Removes the incomplete end of the journal, which a full
# disk or a power failure leaves.
sub continuation {
    my ($self) = @_;
    truncate $self->{journal}, $self->{so_far}{size};
    my $result = { %{ $self->{so_far}{head}{result} }, runs => [] };
    return (result => $result, map { $_ => $self->{$_} } qw(base journal so_far present));
}

# Takes the plan. Returns a text with the number of passes so far and, for an official run, the number of all passes.
sub progress {
    my ($self, $plan) = @_;
    my $made = grep { 1 } map {
        map { @$_ }
            values %{ $_->{passes} }
    } @{ $self->{so_far}{runs} };
    return counted($made, 'pass is', 'passes are') . ' done' if $plan->{quick};
    my $wanted = 0;
    for my $copies (@{ $plan->{copies} }) {
        $wanted += $_->{passes_wanted} for UnixBench::Plan::Plan::measured($plan, $copies);
    }
    return "$made of " . counted($wanted, 'pass', 'passes') . ' are done';
}

1;
