package UnixBench::Warnings::Causes;

# The texts about disturbances of a result. UnixBench::Noise::Causes has the table of causes.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Text    qw(counted listed shown);
use UnixBench::Noise::Causes ();

our @EXPORT_OK = qw(amount cause_title of_passes seen_in tag_text);

# Takes the kind of a warning. Returns its texts, as UnixBench::Warnings::Wording has them, or nothing if it is not a
# cause.
sub texts {
    my ($kind) = @_;
    my $cause  = UnixBench::Noise::Causes::named($kind) or return;
    my $before = $cause->{before} || {};
    return {
        seen => sub { ($cause->{is_whole} ? q{} : of_passes($_[0]) . ': ') . _seen($cause, $_[0]{worst}) },
        (map { $_ => $cause->{$_} } qw(why advice)),
        together => $cause->{is_whole} ? undef : sub { _together($cause, @_) },
        before   => { %$before, seen => sub { _filled($cause, $before->{seen}, $_[0]{worst}) } },
    };
}

# Returns a sentence about what was seen in the passes of several warnings.
sub _together {
    my ($cause, @warnings) = @_;
    my ($passes, $of)      = (0, 0);
    ($passes, $of) = ($passes + $_->{passes}, $of + $_->{of}) for @warnings;
    my $worst = UnixBench::Noise::Causes::worst($cause->{name}, map { $_->{worst} } @warnings);
    return "$passes of " . counted($of, 'pass', 'passes') . ': ' . _seen($cause, $worst);
}

# Returns what was seen, up to the end of the sentence.
sub _seen {
    my ($cause, $worst) = @_;
    return _filled($cause, join(q{ }, grep { defined } @$cause{qw(seen moment)}) . ($cause->{is_whole} ? q{} : q{.}),
        $worst);
}

# Takes a row and a text of it; returns the text with the value for {worst}.
sub _filled {
    my ($cause, $text, $value) = @_;
    my $worst = ($cause->{worst} || $cause->{amount})->($value);
    return $text =~ s/[{]worst[}]/$worst/r;
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
    my $row = UnixBench::Noise::Causes::named($cause);
    return _filled($row, $row->{seen}, $worst) . q{ } . ($row->{moment} // 'in') . " $passes";
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

1;
