package Fuzz::Settings;

# Fuzzing of the environment. An input is NAME=value, separated by NUL bytes.

use strict;
use warnings;

use Fuzz                        qw(attempt);
use Fuzz::Number                ();
use UnixBench::CLI::Environment ();

my @DIRECTORIES = qw(bindir tmpdir resultdir testdir);

sub samples {
    return map { join "\0", @$_ } (
        ['UB_TIME_FACTOR=0.5',      'UB_BINDIR=pgms',                'LC_ALL=C'],
        ['MULTI_SH_WORK_FACTOR=16', 'UB_OUTPUT_FILE_NAME=my report', 'UB_OUTPUT_CSV=true'],
        ['UB_TMPDIR=/tmp/x y',      'UB_RESULTDIR=./r',       'UB_TESTDIR=/t',               'UB_TIME_FACTOR=1'],
        ['UB_TIME_FACTOR=.000001',  'UB_BINDIR=/suite/pgms/', 'MULTI_SH_WORK_FACTOR=999999', 'UB_OUTPUT_FILE_NAME=0'],
        ["UB_RESULTDIR=r\xc3\xa9sultats/\"x\"", 'UB_OUTPUT_FILE_NAME=..a', 'UB_OUTPUT_CSV=yes'],
    );
}

sub words {
    my @names =
        map { "$_=" } qw(UB_TIME_FACTOR UB_BINDIR UB_TMPDIR UB_OUTPUT_FILE_NAME UB_OUTPUT_CSV MULTI_SH_WORK_FACTOR);
    return ((map { "\0$_" } @names), qw(0 1 2 0.5 .5 16 true a/b /x .. . ../), "\0", "\n");
}

sub refusal { return qr/\A(?:UB_TIME_FACTOR|MULTI_SH_WORK_FACTOR|UB_OUTPUT_FILE_NAME|UB_[A-Z]+DIR) must be [^\n]+\n\z/ }

sub check {
    my (undef, $input) = @_;
    my %env    = map { /\A([^=]+)=(.*)\z/s ? ($1, $2) : () } split /\0/, $input;
    my %before = %env;
    my ($settings, $message) = attempt(sub { UnixBench::CLI::Environment::read_from(\%env, '/suite') });
    die "the environment was changed\n" if _text(%before) ne _text(%env);
    return $message if defined $message;
    _check_factors($settings, \%env);
    for my $key (@DIRECTORIES) {
        die "$key is $settings->{$key}\n" if substr($settings->{$key}, 0, 1) ne '/';
    }
    my $name = $settings->{output_name};
    die "the reports are called $name\n"
        if defined $name && (!length $name || index($name, '/') >= 0 || $name eq '.' || $name eq '..');
    UnixBench::CLI::Environment::for_tests(\%env, $settings);
    return;
}

sub _text {
    my %env = @_;
    return join "\0", map { "$_=$env{$_}" } sort keys %env;
}

sub _check_factors {
    my ($settings, $env) = @_;
    my %limit = (factor => [UB_TIME_FACTOR => 1, 6], work_factor => [MULTI_SH_WORK_FACTOR => 999_999, 0]);
    for my $key (keys %limit) {
        my ($name, $max, $digits) = @{ $limit{$key} };
        my $given = $env->{$name};
        $given = 1 if !length($given // '');
        $given = "0$given" if substr($given, 0, 1) eq '.';
        my $value = Fuzz::Number::value($given, 6, $digits, 0);
        die "$name=$given was accepted\n" if !$value || $value > $max;
        die "$key is $settings->{$key}\n" if !Fuzz::Number::is_near($value, $settings->{$key});
    }
    return;
}

1;
