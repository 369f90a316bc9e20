use strict;
use warnings;

use Cwd ();
use Test::More;

use UnixBench::CLI::Options;
use UnixBench::Catalog;

my $HERE = Cwd::getcwd();
my @warnings;
local $SIG{__WARN__} = sub { push @warnings, @_ };

# Takes words that set up a load of users, and the options they mean; returns the case for the test multiuser.
sub load_of {
    my ($words, $load) = @_;
    return ["$words multiuser" => { %$load, asked => ['multiuser'], tests => ['multiuser'] }];
}

# [words of the command line, options that differ from the default].
my @ACCEPTED = (
    [q{}                 => {}],
    ['-q'                => { quiet      => 1 }],
    ['-v'                => { verbose    => 1 }],
    ['-b -v'             => { brief      => 1, verbose => 1 }],
    ['-i 1'              => { iterations => 1 }],
    ['-i 3 -i 7'         => { iterations => 7 }],
    ['-i 100000'         => { iterations => 100_000 }],
    ['-c 4'              => { copies     => [4] }],
    ['-c 4 -c 1 -c 4'    => { copies     => [4, 1, 4] }],
    ['--help'            => { help       => 1 }],
    ['--version'         => { version    => 1 }],
    ['--list'            => { list       => 1 }],
    ['--dry-run --setup' => { dry_run    => 1, setup => 1 }],
    ['--timeout 90'      => { timeout_s  => 90 }],
    ['--timeout=0.5'     => { timeout_s  => 0.5 }],
    ['pipe'              => { asked      => ['pipe'], tests => ['pipe'] }],
    [
        'pipe -q syscall -c 2 pipe' => {
            quiet  => 1,
            copies => [2],
            asked  => [qw(pipe syscall pipe)],
            tests  => [qw(pipe syscall)]
        }
    ],
    ['dhry dhrystone dhry2reg' => { asked => [qw(dhry dhrystone dhry2reg)], tests => ['dhry2reg'] }],
    ['shell8 shell'            => { asked => [qw(shell8 shell)],            tests => [qw(shell8 shell1 shell16)] }],
    ['--no-identity --force'   => { no_identity => 1,                       force => 1 }],
    ['--resume a -q'           => { resume      => 'a',                     quiet => 1 }],
    ['--json a/b --html c'     => { json        => "$HERE/a/b",             html  => "$HERE/c" }],
    ['--junit=/a'              => { junit       => '/a' }],
    [
        '--export csv:a/b --export=lava:-' => {
            exports             => [{ format => 'csv', path => "$HERE/a/b" }, { format => 'lava', path => q{-} }],
            has_standard_output => 1
        }
    ],
    ['--export csv:a:b'   => { exports => [{ format => 'csv', path => "$HERE/a:b" }] }],
    ['--tap'              => { tap     => 1,    has_standard_output => 1 }],
    ['--json -'           => { json    => q{-}, has_standard_output => 1 }],
    ['--html=- --json b'  => { html    => q{-}, json                => "$HERE/b", has_standard_output => 1 }],
    ['--json - --json b'  => { json    => "$HERE/b" }],
    ['--report r.json'    => { report  => 'r.json' }],
    ['--observe syscalls' => { observe => 'syscalls' }],
    [
        '--rows --observe=syscalls --quick -c 2 --dry-run --setup --json j' => {
            observe => 'syscalls',
            rows    => 1,
            quick   => 1,
            copies  => [2],
            dry_run => 1,
            setup   => 1,
            json    => "$HERE/j"
        }
    ],
    [
        '--report r -q --tap --html h --junit j --json k --force' => {
            report              => 'r',
            quiet               => 1,
            tap                 => 1,
            has_standard_output => 1,
            force               => 1,
            map { $_->[0] => "$HERE/$_->[1]" } ['html', 'h'], ['junit', 'j'], ['json', 'k']
        }
    ],
    load_of('--users 5'                         => { users => [5] }),
    load_of('--users 20 --users=1 --users 2000' => { users => [20, 1, 2000] }),
    load_of('--think 2-15'          => { think_s       => [2,    15] }),
    load_of('--think=0-0'           => { think_s       => [0,    0] }),
    load_of('--think 0.25-3600.000' => { think_s       => [0.25, '3600.000'] }),
    load_of('--scale 0.000001'      => { scale         => '0.000001' }),
    load_of('--scale 1000'          => { scale         => 1000 }),
    load_of('--script a/b'          => { script        => "$HERE/a/b" }),
    load_of('--script=-'            => { script        => "$HERE/-" }),
    load_of('--find-capacity'       => { find_capacity => 1 }),
    load_of('--limit 1.5 --find-capacity --think 1-2' => { find_capacity => 1, limit => 1.5, think_s => [1, 2] }),
    ['pipe --users 2 multiuser' => { users => [2], asked => [qw(pipe multiuser)], tests => [qw(pipe multiuser)] }],
    [
        '--require index>=1 --require 2:pipe>=0.5*r' => {
            requirements => [
                {
                    text     => 'index>=1',
                    name     => 'index',
                    category => 'system',
                    number   => 1,
                    copies   => undef,
                    file     => undef
                },
                {
                    text     => '2:pipe>=0.5*r',
                    name     => 'pipe',
                    category => undef,
                    number   => 0.5,
                    copies   => 2,
                    file     => 'r'
                },
            ]
        }
    ],
);

# [words with --compare, options that differ from { compare => 1, files => [a, b] }].
my @COMPARING = (
    ['--compare a b'                   => {}],
    ['a --compare b'                   => {}],
    ['a b --compare'                   => {}],
    ['--compare -q a b --force'        => { quiet      => 1, force => 1 }],
    ['--compare pipe index'            => { files      => [qw(pipe index)] }],
    ['--compare a b a - /c'            => { files      => [qw(a b a - /c)] }],
    ['--compare a'                     => { files      => ['a'] }],
    ['--compare --html h a b'          => { html       => "$HERE/h" }],
    ['--compare --html - a b'          => { html       => q{-}, has_standard_output => 1 }],
    ['--compare --min-effect=0 a b'    => { min_effect => 0 }],
    ['--compare --min-effect 2 a b'    => { min_effect => 0.02 }],
    ['--compare --min-effect 2% a b'   => { min_effect => 0.02 }],
    ['--compare --min-effect 99.9 a b' => { min_effect => 0.999 }],
);

my %ALWAYS  = (copies => [], requirements => [], has_standard_output => 0);
my %DEFAULT = (%ALWAYS, asked => ['index'], tests => [UnixBench::Catalog::expand('index')]);

sub parse {
    return UnixBench::CLI::Options::parse(map { $_ eq q{""} ? q{} : $_ } split ' ', $_[0]);
}

for my $case (@ACCEPTED) {
    my ($words, $expected) = @$case;
    is_deeply(parse($words), { %DEFAULT, %$expected }, "./Run $words is accepted");
}

for my $case (@COMPARING) {
    my ($words, $expected) = @$case;
    is_deeply(parse($words), { %ALWAYS, compare => 1, files => [qw(a b)], %$expected }, "./Run $words is accepted");
}

is_deeply(parse("--compare $_")->{files}, [], "./Run --compare $_ needs no files") for qw(-h --help -V --version);

subtest 'each option in the table is complete' => sub {
    for my $option (UnixBench::CLI::OptionTable::options()) {
        like($option->{flag}, qr/\A(?:-[a-z]|--[a-z]+(?:-[a-z]+)*)\z/, "the flag $option->{flag} is valid");
        ok(length $option->{key} && length $option->{text}, "$option->{flag} has a key and a text");
        like($option->{text}, qr/[^.]\z/, "the text of $option->{flag} does not end in a full stop");
        ok(!defined $option->{optional} || !defined $option->{value}, "$option->{flag} has one kind of value");
        is(!!$option->{value}, !!$option->{kind}, "$option->{flag} has a kind of value if it has a value");
    }
};

is_deeply(\@warnings, [], 'Perl prints no warning');

done_testing();
