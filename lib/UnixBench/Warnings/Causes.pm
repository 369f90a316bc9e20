package UnixBench::Warnings::Causes;

# The texts about disturbances of a result. UnixBench::Noise::Causes has the table of causes.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

use UnixBench::Base::Format  qw(counted listed shown);
use UnixBench::Noise::Causes ();

our @EXPORT_OK = qw(amount cause_title of_passes seen_in tag_text);

# Takes a warning, see UnixBench::Warnings::All. Returns { seen, why, advice }, or nothing if its kind is not a cause.
sub of {
    my ($warning) = @_;
    my $cause     = UnixBench::Noise::Causes::named($warning->{kind}) or return;
    my $seen      = UnixBench::Noise::Causes::filled($cause, $cause->{seen}, $warning->{worst});
    $seen = of_passes($warning) . ": $seen." if !$cause->{is_whole};
    return { seen => $seen, why => $cause->{why}, advice => $cause->{advice} };
}

# Takes warnings of the same kind. Returns a sentence about what was seen in all their passes, or nothing if the kind is
# not a cause, or is not about passes.
sub together {
    my (@warnings) = @_;
    my $kind       = $warnings[0]{kind};
    my $cause      = UnixBench::Noise::Causes::named($kind);
    return if !$cause || $cause->{is_whole};
    my ($passes, $of) = map { _sum_of($_, @warnings) } qw(passes of);
    my $worst = UnixBench::Noise::Causes::worst($kind, map { $_->{worst} } @warnings);
    my $seen  = UnixBench::Noise::Causes::filled($cause, $cause->{seen}, $worst);
    return "$passes of " . counted($of, 'pass', 'passes') . ": $seen.";
}

# Takes a warning about passes. Returns the beginning of its sentence: how many were disturbed, and in which tests.
sub of_passes {
    my ($warning) = @_;
    my ($passes, $badly) = @$warning{qw(passes badly)};
    my $verb     = $passes == 1               ? 'was'                                           : 'were';
    my $how      = $badly                     ? 'disturbed'                                     : 'a little disturbed';
    my $slightly = $badly && $badly < $passes ? ', ' . ($passes - $badly) . ' of them a little' : q{};
    return
          "$passes of "
        . counted($warning->{of}, 'pass', 'passes')
        . " $verb $how$slightly, in "
        . listed(@{ $warning->{titles} });
}

# Takes a disturbance of a pass, see Base/README.md; returns it as a text.
sub tag_text {
    my ($tag) = @_;
    my $text = cause_title($tag->{cause}) . ': ' . amount($tag->{cause}, $tag->{value});
    return $tag->{level} eq 'note' ? "$text (a little)" : $text;
}

# Takes the cause of a disturbance, its worst value, and passes as a text, such as "3 of 9 passes"; returns what was
# seen in these passes.
sub seen_in {
    my ($cause, $worst, $passes) = @_;
    my $row  = UnixBench::Noise::Causes::named($cause);
    my $seen = UnixBench::Noise::Causes::filled($row, $row->{seen}, $worst);
    return $seen =~ /just before\z/ ? "$seen $passes" : "$seen in $passes";
}

# Takes the cause of a disturbance; returns its title.
sub cause_title {
    my ($cause) = @_;
    return UnixBench::Noise::Causes::has($cause, 'title') // shown($cause);
}

# Takes the cause of a disturbance and its value; returns the value with its unit.
sub amount {
    my ($cause, $value) = @_;
    my $amount = UnixBench::Noise::Causes::has($cause, 'amount');
    return $amount ? $amount->($value) : $value;
}

sub _sum_of {
    my ($key, @warnings) = @_;
    return List::Util::sum(map { $_->{$key} } @warnings);
}

1;
