package UnixBench::Options;

# The command line: words in, checked values out.

use strict;
use warnings;

use UnixBench::Catalog ();
use UnixBench::Format  qw(shown);

use constant { COPIES_MAX => 65_536, ITERATIONS_MAX => 100_000, LIMIT_MAX_S => 1_000_000 };

# flag, key in the result, name of its value, reader of the value, explanation.
# An option whose key holds a list may be given several times. One that is lasting holds for a run that is
# gone on with later, too; one that is alone goes only with options on what is shown.
my @OPTIONS = (
    {
        flag => '-q',
        key  => 'quiet',
        text => 'no logo, no directories, no progress; the report is printed all the same'
    },
    { flag => '-v', key => 'verbose', text => 'also the list of tests, each command and the result of each pass' },
    {
        flag    => '-b',
        key     => 'brief',
        lasting => 1,
        text    => 'one line for each kind of CPU in the report, not for each CPU'
    },
    {
        flag    => '-i',
        lasting => 1,
        key     => 'iterations',
        value   => 'N',
        read    => _whole(ITERATIONS_MAX),
        text    => 'N passes of every long test (default 10), a third of every short one (default 3)',
    },
    {
        flag    => '-c',
        lasting => 1,
        key     => 'copies',
        value   => 'N',
        read    => _whole(COPIES_MAX),
        list    => 1,
        text    => 'N copies at once; again for another run (default: 1, then one for each usable CPU)',
    },
    { flag => '--help',    key => 'help',    text => 'this text' },
    { flag => '--version', key => 'version', text => 'the version' },
    { flag => '--list',    key => 'list',    text => 'every test with title, category, passes and seconds' },
    { flag => '--dry-run', key => 'dry_run', text => 'the plan with its estimated time; measures nothing' },
    {
        flag => '--setup',
        key  => 'setup',
        text => 'first install what is missing; with --dry-run: install and build only',
    },
    {
        flag  => '--resume',
        key   => 'resume',
        value => 'NAME',
        read  => \&_name,
        alone => 1,
        text  => 'go on with the interrupted run whose reports have that name',
    },
    {
        flag    => '--timeout',
        lasting => 1,
        key     => 'timeout_s',
        value   => 'S',
        read    => \&_seconds,
        text    => 'end a copy after S seconds (default: its seconds, half of them again, and 60)',
    },
);

my %BY_FLAG = map { $_->{flag} => $_ } @OPTIONS;

# The table of options, for usage and documentation: each { flag, key, value, text }.
sub table { return @OPTIONS }

# Reads the words of the command line; returns { key => value, ..., tests => [names, each once],
# asked => [words that name tests, as given] }. Dies with one or two lines for wrong usage.
sub parse {
    my @words  = @_;
    my %parsed = (copies => [], asked => []);
    while (defined(my $word = shift @words)) {
        if ($word =~ /\A-./s) { _take_option(\%parsed, $word, \@words) }
        else                  { push @{ $parsed{asked} }, $word }
    }
    _check_alone(\%parsed);
    push @{ $parsed{asked} }, 'index' if !@{ $parsed{asked} };
    $parsed{tests} = [_tests(@{ $parsed{asked} })];
    return \%parsed;
}

# Takes what parse() returned; returns words that say the same, as far as it holds for a run that is gone
# on with.
sub lasting_words {
    my ($options) = @_;
    my @words;
    for my $option (grep { $_->{lasting} } @OPTIONS) {
        my $given = $options->{ $option->{key} } // next;
        push @words, map { ($option->{flag}, $option->{value} ? $_ : ()) } ref $given ? @$given : $given;
    }
    return (@words, @{ $options->{asked} });
}

sub _check_alone {
    my ($parsed) = @_;
    my ($alone)  = grep { $_->{alone} && defined $parsed->{ $_->{key} } } @OPTIONS or return;
    my %shown    = map  { $_ => 1 } qw(quiet verbose brief help version list), $alone->{key};
    my ($other)  = grep { !$shown{ $_->{key} } && _is_given($parsed->{ $_->{key} }) } @OPTIONS;
    die "option $alone->{flag} goes on as the run was begun: leave out $other->{flag}\n" if $other;
    die "option $alone->{flag} goes on as the run was begun: leave out " . shown($parsed->{asked}[0]) . "\n"
        if @{ $parsed->{asked} };
    return;
}

sub _is_given {
    my ($value) = @_;
    return ref $value ? @$value : defined $value;
}

sub _take_option {
    my ($parsed, $word, $rest) = @_;
    my ($flag, $value) = $word =~ /\A(--[^=]+)=(.*)\z/s ? ($1, $2) : ($word, undef);
    my $option = $BY_FLAG{$flag} or die _unknown_option($flag);
    if (!$option->{value}) {
        die "option $flag takes no value\n" if defined $value;
        $parsed->{ $option->{key} } = 1;
        _prefer_later($parsed, $option->{key});
        return;
    }
    $value = shift @$rest if !defined $value;
    die "option $flag needs a value; see ./Run --help\n" if !defined $value;
    $value = $option->{read}->($flag, $value);
    if ($option->{list}) { push @{ $parsed->{ $option->{key} } }, $value }
    else                 { $parsed->{ $option->{key} } = $value }
    return;
}

# Of -q and -v the later one counts.
sub _prefer_later {
    my ($parsed, $key) = @_;
    delete $parsed->{verbose} if $key eq 'quiet';
    delete $parsed->{quiet} if $key eq 'verbose';
    return;
}

sub _tests {
    my @words = @_;
    my (@tests, %seen);
    for my $word (@words) {
        my @names = UnixBench::Catalog::expand($word) or die _unknown_test($word);
        push @tests, grep { !$seen{$_}++ } @names;
    }
    return @tests;
}

sub _unknown_option {
    my ($flag) = @_;
    return 'unknown option ' . shown($flag) . "\nSee ./Run --help for the options.\n";
}

sub _unknown_test {
    my ($name)     = @_;
    my $nearest    = UnixBench::Catalog::nearest($name);
    my $suggestion = defined $nearest ? "Did you mean \"$nearest\"? " : '';
    return 'unknown test "' . shown($name) . "\"\n${suggestion}See ./Run --list for the tests.\n";
}

# A reader of whole numbers from 1 to the maximum.
sub _whole {
    my ($max) = @_;
    return sub {
        my ($flag, $value) = @_;
        return $value if $value =~ /\A[1-9][0-9]{0,8}\z/ && $value <= $max;
        die "option $flag needs a whole number from 1 to $max, not \"" . shown($value) . "\"\n";
    };
}

sub _name {
    my ($flag, $value) = @_;
    return $value if length $value && $value !~ /\0/;
    die "option $flag needs the name of a run's reports\n";
}

sub _seconds {
    my ($flag, $value) = @_;
    return $value if $value =~ /\A[0-9]{1,9}(?:\.[0-9]{1,9})?\z/ && $value > 0 && $value <= LIMIT_MAX_S;
    die "option $flag needs seconds, above 0 and at most @{[LIMIT_MAX_S]}, not \"" . shown($value) . "\"\n";
}

1;
