package Fuzz::Options;

# Fuzzing of the command line, compared with a second parser. An input is the words, separated by NUL bytes.

use strict;
use warnings;

use File::Spec                  ();
use Fuzz                        qw(attempt);
use Fuzz::Number                ();
use UnixBench::CLI::Declaration ();
use UnixBench::Command          ();
use UnixBench::Catalog          ();

use constant ONE_SUGGESTION_IN => 100;    # a suggestion takes longer than everything else

my %OPTION = map { $_->{flag} => $_ } UnixBench::CLI::Declaration::everywhere(),
    map { UnixBench::CLI::Declaration::options_of($_) } UnixBench::Command::declarations();
my %FLAG_OF    = map { $OPTION{$_}{key} => $_ } keys %OPTION;
my %IS_COMMAND = map { $_               => 1 } UnixBench::Command::names();

# The options by all words that name them.
my %NAMED = (%OPTION, map { $_->{short} => $_ } grep { defined $_->{short} } values %OPTION);

# The largest value of each option, and the digits that it may have after the point.
my %LIMIT = (
    '-i'        => [100_000,   0],
    '-c'        => [65_536,    0],
    '--copies'  => [65_536,    0],
    '--timeout' => [1_000_000, 9],
    '--users'   => [2000,      0],
    '--scale'   => [1000,      6],
    '--limit'   => [1000,      6],
);

# Functions that return the parsed value, for the kinds of values that are changed.
my %MEANT = (
    file        => sub { $_[0] eq '-' ? '-' : File::Spec->rel2abs($_[0]) },
    percent     => \&_part,
    precision   => \&_part,
    duration    => \&_seconds,
    requirement => \&_without_directory,
    source      => sub { File::Spec->rel2abs($_[0]) },
    range       => sub { _pair('-', $_[0]) },
    export      => \&_with_whole_path,
);

my %SECONDS_OF = (s => 1, m => 60, h => 3600, d => 86_400);

sub samples {
    return map { s/ /\0/gr } (
        '-q',
        '-v -b -i 3 pipe',
        '-c 1 -c 4 -c 16 dhry2reg whetstone-double',
        'index gindex all pipe pipe dhry dhrystone',
        '--dry-run --setup --timeout=90 system',
        '--timeout 0.5 -i 100000 -c 65536 fs misc -q',
        '--help --version --list',
        'arithmetic speed 2d-rects ubgears shell8 shell',
        '--resume host-2026-11-20-01',
        '--resume=results/a -v',
        'compare a.json b.json --min-effect 2.5% --force',
        '--html=- compare --min-effect=0 a b c',
        'report a.json --junit b --json - -q',
        'explain pipe fstime-w graphics',
        '-c 4 doctor --quick --no-identity gindex',
        'compare a b --markdown=- --html c',
        'compare a b --fail-on pipe --fail-on=index --json d',
        '--junit - --require pipe>=1 --require=2:pipe>=0.9*results/last.json -c 2 pipe',
        '--quick --precision 0.5% --max-time 90s --seed 7',
        '--max-time=1.5m --seed=999999999 --quick --details -c 1 pipe',
        'multiuser --users 20 --users 1 --think 2-15 --scale 0.02 --script=a -i 3',
        '--find-capacity --limit 2.5 multiuser pipe --think=0-0.5',
        '--observe syscalls --rows -c 2 --quick pipe',
        '--observe=syscalls -q --setup',
        '--export csv:a --export=openmetrics:- -c 1 pipe',
        '-c1,8 -i3 -V',
        'help compare',
        'rank host-2026-11-20-01',
        'fleet machines.csv --junit=- --html page --require index>=1500 --force',
        '--json c fleet a b -- d',
        'check verdict --max-age=7d',
        '--require pipe>=1 pipe --verdict v',
        'rank a --copies 1,8',
        '--resume a --verdict=-',
        '',
    );
}

sub words {
    my @words = (
        keys %OPTION,
        keys %IS_COMMAND,
        qw(--timeout=1 --resume=a --observe=syscalls syscalls pipe syscall multiuser index all),
        qw(-x --nonsense --help=1 -- - = --seed=1)
    );
    my @parts = (
        qw(--timeout= --min-effect= --fail-on= --require= --json= --max-time= --max-age= --precision= --verdict=),
        qw(>= pipe>= * : % 2% / s m h d),
        qw(--think= --users= - 0-1 1- --export= csv: lava: bencher:)
    );
    return ("\0", "\0", (map { ("$_\0", "\0$_") } sort @words), @parts, "\0-c\0", "1\0", "4\0");
}

sub refusal {
    my @of_all = (
        'option -', 'options -',
        'unknown option -',
        'unknown test "',
        'unknown test or command "',
        'requirement "',
        'standard output is',
        'standard output can have one report only',
        'test multiuser has no short passes',
    );
    my $begun = join '|',  map { quotemeta } @of_all;
    my $names = join q{|}, sort keys %IS_COMMAND;
    return qr/\A(?:$begun|(?:--)?(?:$names)(?:: | (?:needs|takes|has|is) )|[^\n]+ can have one)[^\n]*\n(?:[^\n]+\n)?\z/;
}

sub check {
    my (undef, $input) = @_;
    my @words   = split /\0/, $input, -1;
    my $nearest = \&UnixBench::Catalog::nearest;
    no warnings 'redefine';
    local *UnixBench::Catalog::nearest = sub { return rand ONE_SUGGESTION_IN < 1 ? $nearest->(@_) : undef };
    my ($options, $message) = attempt(sub { UnixBench::Command::parse(@words) });
    return $message if defined $message;
    die "quiet and verbose\n" if $options->{quiet} && $options->{verbose};
    my $expected = _expected(@words);

    for my $flag (sort keys %OPTION) {
        my ($key, $should) = ($OPTION{$flag}{key}, $expected->{$flag});
        next if !$should && grep { $OPTION{$_}{key} eq $key } grep { $OPTION{$_} } keys %$expected;
        my $is  = $options->{$key};
        my $all = join _mark($OPTION{$flag}), map { _as_given($_) } ref $is ? @$is : $is // ();
        die "$flag is $all\n" if $all ne join _mark($OPTION{$flag}), @{ $should || [] };
    }
    my ($is, $should) = map { $_->{command} // 'measuring' } $options, $expected;
    die "the command is $is\n" if $is ne $should;
    return if grep { $options->{$_} } qw(usage help version list);
    return _check_words($options, @{ $expected->{words} }) if $options->{words};
    _check_tests($options, @{ $expected->{words} });
    _check_load($options);
    die "rows of nothing\n" if $options->{rows} && !defined $options->{observe};
    return;
}

# Returns a value as it was given, apart from the directory of a file.
sub _as_given {
    my ($value) = @_;
    return $value if !ref $value;
    return $value->{text} // $value->{command} // "$value->{format}:$value->{path}";
}

# Returns the text that joins the values of an option.
sub _mark { my ($option) = @_; return ($option->{kind} // q{}) eq q{range} ? q{-} : q{,} }

sub _check_words {
    my ($options, @words) = @_;
    die "tests beside words\n" if $options->{tests};
    die "words @{ $options->{words} }\n" if "@{ $options->{words} }" ne "@words";
    my $needs = UnixBench::Command::declaration($options->{command})->{needs};
    die "no words\n" if !@words && defined $needs;
    return;
}

sub _check_tests {
    my ($options, @asked) = @_;
    my %seen;
    for my $name (@{ $options->{tests} }) {
        die "$name is not a test\n" if !UnixBench::Catalog::test($name);
        die "$name twice\n" if $seen{$name}++;
    }
    my %wanted = map { $_ => 1 } map { UnixBench::Catalog::expand($_) } @asked ? @asked : 'index';
    die "tests @{[sort keys %seen]}\n" if join(' ', sort keys %seen) ne join ' ', sort keys %wanted;
    return;
}

# Dies if options of the multi-user test contradict each other or are given without that test.
sub _check_load {
    my ($options) = @_;
    my $is_asked  = grep { $_ eq 'multiuser' } @{ $options->{tests} };
    my @of_load   = grep { defined $options->{$_} } qw(users think_s scale script find_capacity limit);
    die "@of_load without multiuser\n" if @of_load               && !$is_asked;
    die "users in rounds\n" if $is_asked                         && $options->{quick};
    die "a number of users, and the most\n" if $options->{users} && $options->{find_capacity};
    die "a limit of nothing\n" if $options->{limit}              && !$options->{find_capacity};
    my %seen;
    die "a load twice\n" if grep { $seen{$_}++ } @{ $options->{users} || [] };
    die "more than 32 loads\n" if keys %seen > 32;
    return;
}

# Takes words that were accepted; returns { flag => [values that count], words => [words that are not options], command
# => the command (optional) }.
sub _expected {
    my @words = @_;
    my %given = (words => []);
    while (@words) {
        my $word = shift @words;
        if ($word eq q{--}) {
            push @{ $given{words} }, splice @words if ($given{command} // q{}) ne 'compare';
            next;
        }
        my ($option, $value) = _option($word);
        if (!$option) {
            if ($IS_COMMAND{$word} && !$given{command} && !@{ $given{words} }) { $given{command} = $word }
            else                                                               { push @{ $given{words} }, $word }
            next;
        }
        $value = shift @words if $option->{value} && !defined $value;
        _add(\%given, $option, $value // 1);
    }
    return \%given;
}

# Takes a word; returns the option that it names, and the value that is part of the word, or undef.
sub _option {
    my ($word) = @_;
    return $NAMED{$word} if $NAMED{$word};
    my $equals = index $word, '=';
    return ($NAMED{ substr $word, 0, $equals }, substr $word, $equals + 1)
        if substr($word, 0, 2) eq '--' && $equals > 0;
    my $option = length $word > 2 ? $NAMED{ substr $word, 0, 2 } : undef;
    return $option && $option->{value} ? ($option, substr $word, 2) : ();
}

sub _add {
    my ($given, $option, $value) = @_;
    my $flag   = $option->{flag};
    my @values = $flag =~ /\A-(?:c|-copies)\z/ ? split /,/, $value, -1 : $value;
    if (my $limit = $LIMIT{$flag}) {
        my @numbers = map { scalar Fuzz::Number::value($_, 9, $limit->[1], 0) } @values;
        die "$flag $value\n" if !@numbers || grep { !$_ || $_ > $limit->[0] } @numbers;
    }
    my $meant = $MEANT{ $option->{kind} // '' };
    @values = map { $meant->($_) } @values if $meant;
    $given->{$flag} = [$option->{list} ? @{ $given->{$flag} || [] } : (), @values];
    my $implied = defined $option->{implies} ? $FLAG_OF{ $option->{implies} } : undef;
    $given->{$implied} = [1] if defined $implied;
    return;
}

# Checks two numbers with a mark between them; dies if they are not allowed.
sub _pair {
    my ($mark, $value) = @_;
    my @numbers = map { Fuzz::Number::value($_, 9, 6, 0) } split /$mark/, $value, -1;
    my ($first, $second) = @numbers;
    die "$value\n" if @numbers != 2                   || !defined $first          || !defined $second;
    die "$value\n" if $mark eq '-' ? $first > $second || $second > 3600 : !$first || !$second;
    return $value;
}

sub _part {
    my ($percent) = @_;
    return substr($percent, -1) eq '%' ? substr($percent, 0, -1) / 100 : $percent / 100;
}

sub _seconds {
    my ($duration) = @_;
    my $unit_s = $SECONDS_OF{ substr $duration, -1 };
    return $unit_s ? substr($duration, 0, -1) * $unit_s : 0 + $duration;
}

# Returns an export with the absolute path of its file, which follows the first ":".
sub _with_whole_path {
    my ($export) = @_;
    my $at       = 1 + index $export, q{:};
    my $path     = substr $export, $at;
    die "$export\n" if $at < 2 || !length $path;
    return substr($export, 0, $at) . ($path eq q{-} ? $path : File::Spec->rel2abs($path));
}

# Returns a requirement without the directory of its file, which follows the first "*".
sub _without_directory {
    my ($requirement) = @_;
    my $star          = index $requirement, q{*};
    return $requirement if $star < 0;
    my ($blanks, $file) = substr($requirement, $star + 1) =~ /\A(\s*)(.*)\z/s;
    return substr($requirement, 0, $star + 1) . $blanks . substr $file, 1 + rindex $file, '/';
}

1;
