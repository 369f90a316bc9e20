use strict;
use warnings;

use Cwd qw(getcwd);
use Test::More;

use UnixBench::CLI::Environment;

my $HERE    = getcwd();
my %DEFAULT = (
    home        => '/suite',
    bindir      => '/suite/pgms',
    tmpdir      => '/suite/tmp',
    resultdir   => '/suite/results',
    testdir     => '/suite/testdir',
    own_bindir  => 1,
    output_name => undef,
    csv         => q{},
    json        => q{},
    factor      => 1,
    work_factor => 1,
);

sub settings { return UnixBench::CLI::Environment::read_from({@_}, '/suite') }

# [environment, settings that differ from the default].
my @READ = (
    [{}                                     => {}],
    [{ UB_BINDIR => '/b' }                  => { bindir => '/b', own_bindir => q{} }],
    [{ UB_BINDIR => '/suite/pgms/' }        => {}],
    [{ UB_TMPDIR => 'my tmp/"x"' }          => { tmpdir => "$HERE/my tmp/\"x\"" }],
    [{ UB_RESULTDIR => "r\xc3\xa9sultats" } => { resultdir => "$HERE/r\xc3\xa9sultats" }],
    [{ UB_TESTDIR => './t' }                => { testdir => "$HERE/t" }],
    [{ UB_OUTPUT_FILE_NAME => 'mine' }      => { output_name => 'mine' }],
    [{ UB_OUTPUT_FILE_NAME => q{} }         => {}],
    [{ UB_OUTPUT_CSV => 'true' }            => { csv => 1 }],
    [{ UB_OUTPUT_CSV => 'yes' }             => {}],
    [{ UB_OUTPUT_JSON => 'true' }           => { json => 1 }],
    [{ UB_TIME_FACTOR => '0.001' }          => { factor => 0.001 }],
    [{ UB_TIME_FACTOR => '1' }              => {}],
    [{ MULTI_SH_WORK_FACTOR => 16 }         => { work_factor => 16 }],
);

# A variable => values that are refused.
my @NOT_SHOWN = ("1\n", "\n1", "\e[31m", "\xe2\x80\xae", '9' x 100_000);
my %REFUSED   = (
    UB_TIME_FACTOR       => [qw(0 0.0 2 -1 x 1e-3 nan 0.0000001),                               @NOT_SHOWN],
    MULTI_SH_WORK_FACTOR => [qw(0 -1 1.5 x 1e3 9999999),                                        @NOT_SHOWN],
    UB_OUTPUT_FILE_NAME  => [qw(a/b /a . .. ../a a/ x.journal x.log x.html x.csv x.json x.new), 'x' x 241],
    map { ; "UB_${_}DIR" => ['x' x 5000, '/' . 'a/' x 50_000] } qw(BIN TEST TMP RESULT),
);

for my $case (@READ) {
    my ($env, $expected) = @$case;
    is_deeply(settings(%$env), { %DEFAULT, %$expected }, join q{ }, 'read:', %$env);
}

for my $name (sort keys %REFUSED) {
    for my $value (@{ $REFUSED{$name} }) {
        is(eval { settings($name => $value) }, undef, "$name=" . substr($value, 0, 60) . ' is refused');
        like($@, qr/\A$name must (?:be|not) [ -~]{1,200}\n\z/, 'one short line says which values are valid');
    }
}

subtest 'for_tests sets the environment of the tests' => sub {
    my %env = (
        HOME      => '/h',
        LC_ALL    => 'C',
        LC_TIME   => 'C',
        LANGUAGE  => 'de',
        LANG      => 'de_DE',
        UB_BINDIR => 'rel',
        LCX       => 1
    );
    my %before      = %env;
    my $tests       = UnixBench::CLI::Environment::for_tests(\%env, settings(%env));
    my %directories = map { uc("ub_$_") => $DEFAULT{$_} } qw(tmpdir resultdir testdir);
    my %set         = (HOME => '/h', LANG => 'en_US.utf8', LCX => 1, UB_BINDIR => "$HERE/rel", %directories);
    is_deeply($tests, \%set,    'language and directories are set');
    is_deeply(\%env,  \%before, "the environment of the caller does not change");
};

subtest 'as_environment returns the environment that a later Run needs' => sub {
    is_deeply(UnixBench::CLI::Environment::as_environment(settings()), {}, 'default settings need no variables');
    my %given = (
        UB_TMPDIR            => '/t',
        UB_TIME_FACTOR       => 0.5,
        MULTI_SH_WORK_FACTOR => 3,
        UB_OUTPUT_CSV        => 'true',
        UB_OUTPUT_JSON       => 'true'
    );
    my $env = UnixBench::CLI::Environment::as_environment(settings(%given));
    is_deeply($env, { %given, UB_TIME_FACTOR => '0.500000' }, 'settings that were given are returned');
    my %is_variable = map { $_ => 1 } UnixBench::CLI::Environment::variables();
    is_deeply([grep { !$is_variable{$_} } keys %given], [], 'variables returns the names of all of them');
    my $moved = UnixBench::CLI::Environment::read_from($env, '/moved');
    is_deeply([@$moved{qw(bindir tmpdir)}], [qw(/moved/pgms /t)], 'a suite that was moved, with given ones');
};

done_testing();
