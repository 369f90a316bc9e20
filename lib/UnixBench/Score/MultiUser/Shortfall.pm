package UnixBench::Score::MultiUser::Shortfall;

# What went wrong in passes of a multi-user load, in words.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

use UnixBench::Base::Format qw(clean counted);

our @EXPORT_OK = qw(complaint_lines incident_count shortfall_text unfinished_count);

use constant MOST => 10;    # lines on standard error

# Takes what passes told, see UnixBench::Score::MultiUser::Said; returns how many incidents there were, those that were
# only counted among them.
sub incident_count {
    my (@said) = @_;
    return List::Util::sum(0, map { _incident_count($_) } @said);
}

sub _incident_count {
    my ($said) = @_;
    return List::Util::max($said->{incident_count} // 0, scalar @{ $said->{incidents} });
}

# Takes the same; returns how many users did not come to the end of the script.
sub unfinished_count {
    my (@said) = @_;
    my @pairs  = map  { ([@$_{qw(users finished)}], [@$_{qw(users_before finished_before)}]) } @said;
    my @known  = grep { defined $_->[0] && defined $_->[1] } @pairs;
    return List::Util::sum(0, map { List::Util::max(0, $_->[0] - $_->[1]) } @known);
}

# Takes the same; returns what the load lacks, or undef: "3 lines failed, 1 of 20 users did not finish". A user that did
# not finish is one incident, all others are lines.
sub shortfall_text {
    my (@said)     = @_;
    my $unfinished = unfinished_count(@said);
    my $lines      = incident_count(@said) - $unfinished;
    my $users      = List::Util::sum(0, grep { defined } map { @$_{qw(users users_before)} } @said);
    my @lacks;
    push @lacks, counted($lines, 'line', 'lines') . ' failed' if $lines > 0;
    push @lacks, "$unfinished of " . counted($users, 'user', 'users') . ' did not finish' if $unfinished;
    return @lacks ? join ', ', @lacks : undef;
}

# Takes the same; returns a line for each incident, at most ten, and then how many there are beside them.
sub complaint_lines {
    my (@said)    = @_;
    my @incidents = map { _lines($_, scalar @said) } @said;
    my @lines     = splice @incidents, 0, MOST;
    my $more      = incident_count(@said) - @lines;
    return @lines, $more > 0 ? "and $more more" : ();
}

sub _lines {
    my ($said, $passes) = @_;
    my $where = $passes > 1 ? "pass $said->{pass}, " : q{};
    return map { "${where}user $_->{user}" . _place($_) . q{: } . _what($_) } @{ $said->{incidents} };
}

# Line 0 is none.
sub _place {
    my ($incident) = @_;
    return $incident->{line} ? ", line $incident->{line}" : q{};
}

sub _what {
    my ($incident) = @_;
    my $what = clean($incident->{what});
    return length $incident->{text} ? qq{$what: "} . clean($incident->{text}) . q{"} : $what;
}

1;
