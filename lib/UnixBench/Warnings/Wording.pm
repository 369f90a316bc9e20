package UnixBench::Warnings::Wording;

# The texts of warnings: what was seen, and what to do.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Text       qw(counted fixed listed percent shown);
use UnixBench::Warnings::Causes qw(load_advice load_seen);

our @EXPORT_OK = qw(ADVICE TRUST merged modes_text summed);

# The heading of all warnings, and the label of the advice.
use constant {
    TRUST  => 'How sure is that?',
    ADVICE => 'What to do:',
};

use constant {
    DIGITS  => 3,          # of a precision
    UNKNOWN => 9**9**9,    # the size of a warning whose number is unknown
};

use constant STOP => 'Stop the other load first.';    # the advice of warnings that it may explain

# How a value is written in a text, by its key. Other values are quoted, see UnixBench::Base::Text::shown.
#<<< a table
my %WRITTEN = (
    (map { $_ => \&percent } qw(cv worst)),
    (map { $_ => sub { $_[0] } } qw(of passes several title)),
    (map { $_ => sub { sprintf '%.2f', $_[0] } } qw(cpus load)),
    changes => sub { join '; ', map { shown($_) } @{ $_[0] } },
    debug   => sub { listed(map { shown($_) } @{ $_[0] }) },
    modes   => \&modes_text,
    rise    => sub { percent(abs $_[0]) . ($_[0] < 0 ? ' slower' : ' faster') },
    set     => sub { listed(map { "$_->[0] (" . shown($_->[1]) . ')' } @{ $_[0] }) },
    set_s   => sub { sprintf '%s by %.0f s', $_[0] < 0 ? 'back' : 'forward', abs $_[0] },
    (map { $_ => sub { listed(@{ $_[0] }) } } qw(titles traced)),
);
#>>>

# The texts of all warnings except those of the causes of disturbances, which UnixBench::Noise::Causes has. A text has
# the keys of its values in braces:
#   seen         what was seen, a text or a function that takes the warning
#   together     the same for several warnings of this kind, about different tests: the text has the values of the
#                largest one, {several} and {titles}
#   size         the key of the number that is larger for a worse warning
#   sum          function that takes several warnings of this kind and returns one about all of them, instead of the
#                largest
#   advice       what to do
#<<< a table
my %WARNING = (
    load => {
        seen   => \&load_seen,
        advice => \&load_advice,
    },
    precision => {
        seen   => \&_precision_seen,
        size   => 'half_width',
        advice => 'Allow more time (--max-time), or accept less precision (--precision).',
    },
    modes => {
        seen     => '{title} has {modes}.',
        together => '{several} have two modes: {titles}.',
        advice => 'The score only says how often. Quote both rates, and compare machines mode by mode.',
    },
    context1 => {
        seen   => '{title} has {modes}.',
        advice => 'The two processes are on one CPU or on two. To measure one mode: pgms/context1 10 -p same. The '
            . 'other one: pgms/context1 10 -p apart.',
    },
    trend => {
        seen     => '{title} got {rise} from first to last pass.',
        together => '{several} got faster or slower from first to last pass: {titles}.',
        size     => 'rise',
        advice => 'Let the machine rest and measure again. A change that remains is an effect of load.',
    },
    varied => {
        seen     => '{title} varies by {cv} from pass to pass (coefficient of variation).',
        together => 'Some scores vary by more than 5 % from pass to pass, {title} most: by {cv}.',
        size     => 'cv',
        advice => 'Look for other load, power saving or busy neighbours, or measure longer (-i, or --max-time).',
    },
    changes => {
        seen   => 'Changed during the run: {changes}.',
        advice => 'Measure again, without such a change.',
    },
    tracer => {
        seen   => 'Traced by {tracer}: {traced}.',
        advice => 'Measure again without a tracer.',
    },
    preload => {
        seen   => 'Loaded into every measured program: {set}.',
        advice => 'Unset the variable, or empty the file, and measure again.',
    },
    libraries => {
        seen   => 'The measured programs have {set}.',
        advice => 'Unset the variable, or compare only with results that have it, too.',
    },
    nice => {
        seen   => 'The nice value of the tests is {nice}.',
        advice => 'Start ./Run without nice, and measure again.',
    },
    class => {
        seen   => 'The scheduling class of the tests is {class}.',
        advice => 'Start ./Run without chrt, in SCHED_OTHER, and measure again.',
    },
    quota => {
        seen   => 'A control group limits CPU time to that of {cpus} of {of} CPUs.',
        advice => 'Raise the quota, or compare only with results under the same quota.',
    },
    governor => {
        seen   => 'The CPU frequency governor is "{governor}".',
        advice => 'As root: cpupower frequency-set -g performance, and measure again.',
    },
    scratch => {
        seen   => 'The scratch files are in memory ({file_system}).',
        advice => 'To measure a disk, set UB_TMPDIR to a directory on it.',
    },
    locale => {
        seen   => 'The language of the tests is "{lang}", with text in {charmap} instead of UTF-8.',
        advice => 'Install en_US.utf8, or compare only with results in the same character set.',
    },
    debug_kernel => {
        seen   => 'The kernel was built with debugging options: {debug}.',
        advice => "Start the distribution's usual kernel, unless you want to measure this one.",
    },
    clock => {
        seen   => 'The clock of the machine was set {set_s} during the run.',
        advice => 'Some dates of this result are wrong; scores are not affected. Let a time service set the clock.',
    },
);
#>>>

# Takes a warning, see UnixBench::Warnings::All; returns { seen, advice }, each one or more sentences.
sub of {
    my ($warning) = @_;
    my $copies    = defined $warning->{copies} ? counted($warning->{copies}, 'copy', 'copies') . ': ' : q{};
    my $words     = _words($warning, _texts($warning));
    return { %$words, seen => ucfirst $copies . $words->{seen} };
}

# Takes a warning before a run, when nothing was measured yet; returns { seen, advice }.
sub before {
    my ($warning) = @_;
    my $kind = $warning->{kind};
    return of($warning) if $WARNING{$kind};
    return UnixBench::Warnings::Causes::before($kind, $warning->{worst});
}

# Takes warnings; returns { seen, advice } for each kind, over all tests and runs.
sub summed {
    my (@warnings) = @_;
    return map { _summed(@$_) } _by_kind(@warnings);
}

# Takes warnings; returns the same as one text for each kind, for the end of a run: what was seen, and what to do. What
# other load explains of single tests and passes is left out: the warning about it has the advice.
sub merged {
    my (@warnings) = @_;
    my @texts;
    for my $kind (_by_kind(grep { !$_->{is_by_load} || $_->{kind} eq 'precision' } @warnings)) {
        my $words = _summed(@$kind);
        push @texts, $kind->[0]{is_by_load} ? $words->{seen} : "$words->{seen} $words->{advice}";
    }
    return @texts;
}

sub _by_kind {
    my (@warnings) = @_;
    my (@kinds, %of_kind);
    for my $warning (@warnings) {
        push @kinds,                            $of_kind{ $warning->{kind} } = [] if !$of_kind{ $warning->{kind} };
        push @{ $of_kind{ $warning->{kind} } }, $warning;
    }
    return @kinds;
}

# Takes warnings of the same kind; returns the words about all of them: about different tests together, or else about
# their sum, or the largest one.
sub _summed {
    my (@warnings) = @_;
    return of(@warnings) if @warnings == 1;
    my $texts = _texts($warnings[0]);
    return of($texts->{sum}->(@warnings)) if $texts->{sum};
    my $size      = $texts->{size} // 'size';
    my ($largest) = sort { abs($b->{$size} // UNKNOWN) <=> abs($a->{$size} // UNKNOWN) } @warnings;
    my ($tests, $titles) = map { [_once_in($_, @warnings)] } qw(test title);
    return of($largest) if !$texts->{together} || @$titles < 2;
    my %all = (%$largest, several => @$tests . ' tests', titles => $titles);
    return _words(\%all, { %$texts, seen => $texts->{together} });
}

# Takes a key and warnings; returns its values, each once.
sub _once_in {
    my ($key, @warnings) = @_;
    my %seen;
    return grep { !$seen{$_}++ } map { $_->{$key} // () } @warnings;
}

# Returns the texts of a warning, as in the table above. What other load may explain shares its advice.
sub _texts {
    my ($warning) = @_;
    my $kind = $warning->{kind};
    return $WARNING{context1} if $kind eq 'modes' && $warning->{test} eq 'context1';
    my $texts = $WARNING{$kind} || UnixBench::Warnings::Causes::texts($kind);
    return $warning->{is_by_load} ? { %$texts, advice => STOP } : $texts;
}

# Takes a warning and texts that have keys of its values in braces, or functions that take it; returns the words.
sub _words {
    my ($warning, $texts) = @_;
    return { map { $_ => _filled($warning, $texts->{$_}) } qw(seen advice) };
}

sub _filled {
    my ($values, $text) = @_;
    return ref $text ? $text->($values) : $text =~ s/[{](\w+)[}]/($WRITTEN{$1} || \&shown)->($values->{$1})/ger;
}

# Takes two modes, see UnixBench::Score::Spread; returns them as a text.
sub modes_text {
    my ($modes) = @_;
    my @modes = map { fixed($_->{rate}) . ' in ' . percent($_->{share}) } @$modes;
    return 'two modes: ' . join(' and ', @modes) . ' of the passes';
}

sub _precision_seen {
    my ($warning) = @_;
    my ($half_width, $wanted) = @$warning{qw(half_width wanted)};
    my $of = $warning->{of}      ? $warning->{of} . ($warning->{is_index} ? ' index' : q{}) : 'The mean of all scores';
    my $is = defined $half_width ? percent($half_width, DIGITS)                             : 'unknown';
    return
          "$of: precision after "
        . counted($warning->{rounds}, 'round', 'rounds')
        . " is $is (wanted "
        . percent($wanted, DIGITS) . ').';
}

1;
