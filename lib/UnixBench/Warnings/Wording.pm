package UnixBench::Warnings::Wording;

# The texts of warnings: what was seen, and what to do; and those about disturbances, whose causes are in the table of
# UnixBench::Noise::Causes.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

use UnixBench::Base::Text          qw(counted fixed listed percent shown unique);
use UnixBench::Features            ();
use UnixBench::Noise::Causes       ();
use UnixBench::Noise::Disturbances qw(UNSEEN);

our @EXPORT_OK = qw(ADVICE OTHER_LOAD TRUST amount cause_title disturbers load_text merged modes_text summed tag_text);

# The heading of all warnings, and the label of the advice.
use constant {
    TRUST  => 'How sure is that?',
    ADVICE => 'What to do:',
};

use constant { OTHER_LOAD => 'other load', LOADS_MOST => 3 };    # causes of it in one sentence

use constant {
    DIGITS  => 3,                                                # of a precision
    UNKNOWN => 9**9**9,                                          # the size of a warning whose number is unknown
};

use constant {
    STOP      => 'Stop the other load first.',                   # the advice of warnings that it may explain
    ELSEWHERE => 'They run on the host or in other containers, or are hidden. Stop them where top shows them.',
};

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
#   advice       what to do
#<<< a table
my %WARNING = (
    load => {
        seen   => \&_load_seen,
        advice => \&_load_advice,
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
    my $cause  = UnixBench::Noise::Causes::row($kind);
    my %before = %{ $cause->{before} };
    my $seen   = $before{seen} // $cause->{seen} . ($cause->{is_whole} ? q{} : q{.});
    return {
        seen   => ucfirst _with_value($cause, $seen, $warning->{worst}, q{}),
        advice => _with_steps($before{advice} // $cause->{advice}, UnixBench::Features::steps($kind))
    };
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
    return of(_sum(@warnings)) if !$WARNING{ $warnings[0]{kind} };
    my $texts     = _texts($warnings[0]);
    my $size      = $texts->{size} // 'size';
    my ($largest) = sort { abs($b->{$size} // UNKNOWN) <=> abs($a->{$size} // UNKNOWN) } @warnings;
    my @titles    = unique(map { $_->{title} // () } @warnings);
    return of($largest) if !$texts->{together} || @titles < 2;
    my %all = (%$largest, several => @titles . ' tests', titles => \@titles);
    return _words(\%all, { %$texts, seen => $texts->{together} });
}

# Returns the texts of a warning, as in the table above. What other load may explain shares its advice.
sub _texts {
    my ($warning) = @_;
    my $kind = $warning->{kind};
    return $WARNING{context1} if $kind eq 'modes' && $warning->{test} eq 'context1';
    my $texts = $WARNING{$kind} || { seen => \&_cause_seen, advice => \&_cause_advice };
    return $warning->{is_by_load} ? { %$texts, advice => STOP } : $texts;
}

# Takes a warning and texts that have keys of its values in braces, or functions that take it; returns the words. Advice
# for a machine that another runner measured does not name Run: it needs Perl.
sub _words {
    my ($warning, $texts) = @_;
    my $words = { map { $_ => _filled($warning, $texts->{$_}) } qw(seen advice) };
    $words->{advice} =~ s{[.]/Run\b}{sh $warning->{runner}} if $warning->{runner};
    return $words;
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

# Texts about disturbances.

# Takes warnings about the same cause in several runs; returns one about all of them.
sub _sum {
    my (@warnings) = @_;
    my ($all)      = UnixBench::Noise::Disturbances::together(map { +{ %$_, cause => $_->{kind} } } @warnings);
    return { %$all, kind => $all->{cause}, of => List::Util::sum(map { $_->{of} } @warnings) };
}

sub _cause_seen {
    my ($warning) = @_;
    my $cause     = UnixBench::Noise::Causes::row($warning->{kind});
    my $seen      = _with_value($cause, $cause->{seen}, $warning->{worst});
    return $seen if $cause->{is_whole};
    my $of = "$warning->{passes} of " . counted($warning->{of}, 'pass', 'passes');
    return "$of: " . join('; ', $seen, _processes($warning)) . q{.};
}

sub _cause_advice {
    my ($warning) = @_;
    my $cause     = UnixBench::Noise::Causes::row($warning->{kind});
    my ($first)   = @{ UnixBench::Noise::Disturbances::in_brief($warning)->{by} || $warning->{by} || [] };
    return ELSEWHERE if $first && $first->{name} eq UNSEEN;
    my $advice = $first ? $cause->{advice} : $cause->{advice_if_unknown} // $cause->{advice};
    return _with_steps($advice, $warning->{runner} ? () : UnixBench::Features::steps($cause->{name}));
}

# Takes an advice, and the next steps that features know; returns it with them.
sub _with_steps {
    my ($advice, @steps) = @_;
    my $steps = join ', ', @steps;
    return $advice =~ s/[{]([^{}]*)STEPS([^{}]*)[}]/@steps ? "$1$steps$2" : q{}/er;
}

# Takes a row, a text of it, a value, and what precedes the value for {most}; returns the text with the value.
sub _with_value {
    my ($cause, $text, $value, $up_to) = @_;
    my $worst = ($cause->{worst} || $cause->{amount})->($value);
    my %text  = (worst => $worst, most => ($up_to // 'up to ') . $worst);
    return $text =~ s/[{](worst|most)[}]/$text{$1}/r;
}

# Takes causes of other load, each { cause, worst } and perhaps by, see UnixBench::Noise::Disturbances::sums, the most
# important first; returns them as one text, such as "1.98 CPUs used, 2 other Runs, 9 processes waited, above all yes".
sub load_text {
    my (@causes)  = @_;
    my ($culprit) = grep { length } map { _culprit($_) } @causes;
    splice @causes, LOADS_MOST if @causes > LOADS_MOST;
    return join(', ', map { _in_brief($_) } @causes) . ($culprit // q{});
}

sub _in_brief {
    my ($of)  = @_;
    my $row   = UnixBench::Noise::Causes::row($of->{cause});
    my $brief = $row->{brief} // sub { "$row->{title} " . $row->{amount}->($_[0]) };
    return $brief->($of->{worst});
}

# Takes the warning about other load, see UnixBench::Warnings::All, or the same before a run, without passes. Returns
# what was seen.
sub _load_seen {
    my ($warning) = @_;
    my @causes = map { +{ %$_, by => $warning->{by} // $_->{by} } } @{ $warning->{causes} };
    my $text =
        ucfirst OTHER_LOAD . ': ' . (@causes ? load_text(@causes) : sprintf 'load average %.2f', $warning->{load});
    return "$text." if !$warning->{passes};
    my ($passes, $how) =
        $warning->{badly} ? ($warning->{badly}, q{}) : ("slight in $warning->{passes}", ', which disturbed none');
    return "$text ($passes of " . counted($warning->{of}, 'pass', 'passes') . "$how).";
}

# Takes the warning about other load; returns what to do about its most important cause.
sub _load_advice {
    my ($warning) = @_;
    my ($worst)   = sort { !$a->{badly} <=> !$b->{badly} } @{ $warning->{causes} };
    return 'Stop other programs, and start when the load is near 0.' if !$worst;
    my $kind = $worst->{cause};
    return before({ kind => $kind, worst => $worst->{worst} })->{advice} if !$warning->{passes} && !$warning->{by};
    return _cause_advice({ %$warning, kind => $kind });
}

# Takes a disturbance or the sum of several; returns its processes as a text, such as "yes (PID 7) used 0.98 CPUs in 3
# passes", or nothing if none is known.
sub _processes {
    my ($of) = @_;
    my @by = map { _used($_) }
        defined $of->{level} ? UnixBench::Noise::Disturbances::processes_of($of) : @{ $of->{by} || [] };
    return @by ? listed(@by) : ();
}

sub _used {
    my ($process) = @_;
    my $who       = shown($process->{name}) . ($process->{pid} ? " (PID $process->{pid})" : q{});
    my $used      = sprintf '%s used %.2f CPUs', $who, $process->{cpus};
    return join ' in ', $used, defined $process->{passes} ? counted($process->{passes}, 'pass', 'passes') : ();
}

# Takes the sum of a disturbance; returns the process that explains half of it as the end of a text, such as ", above
# all yes", which is empty if none is known.
sub _culprit {
    my ($sum)     = @_;
    my ($busiest) = @{ UnixBench::Noise::Disturbances::in_brief($sum)->{by} || [] };
    my $name      = ($busiest || {})->{name} // return q{};
    return ', above all ' . ($name eq 'Run' ? 'another Run' : shown($name));
}

# Takes a trust, see UnixBench::Warnings::Trust; returns what disturbed its passes, such as "steal 12 %" or "3 by other
# load, above all yes, and 2 by CPU quota, up to 12 stops in a pass"; or nothing if that is unknown.
sub disturbers {
    my ($trust) = @_;
    my @sums    = grep { defined } @$trust{qw(worst also)};
    return map { _disturber($_) } @sums if @sums < 2;
    my $number = sub { UnixBench::Noise::Causes::has($_[0]{cause}, 'load') ? $trust->{loaded} : $_[0]{passes} };
    return join ', and ', map { $number->($_) . ' by ' . _disturber($_) } @sums;
}

sub _disturber {
    my ($sum) = @_;
    my $cause = UnixBench::Noise::Causes::row($sum->{cause});
    return OTHER_LOAD . _culprit($sum) if $cause->{load};
    my $amount = $sum->{passes} > 1 && !$cause->{is_whole} ? ', {most} in a pass' : ' {worst}';
    return _with_value($cause, "$cause->{title}$amount", $sum->{worst}) . _culprit($sum);
}

# Takes a disturbance of a pass, see Base/README.md; returns it as a text.
sub tag_text {
    my ($tag) = @_;
    my $text = cause_title($tag->{cause}) . ': ' . amount($tag->{cause}, $tag->{value});
    return join ', ', $text . ($tag->{level} eq 'note' ? ' (slightly)' : q{}), _processes($tag);
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
