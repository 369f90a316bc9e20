use strict;
use warnings;

use Cwd ();
use Test::More;

use UnixBench::CLI::Declaration;
use UnixBench::Command;
use UnixBench::Catalog;

my $HERE = Cwd::getcwd();
my @warnings;
local $SIG{__WARN__} = sub { push @warnings, @_ };

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
    ['-c all'            => { copies     => ['all'] }],
    ['-c 1,all -c 4'     => { copies     => [1, 'all', 4] }],
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
    ['--no-identity'       => { no_identity => 1 }],
    ['--resume a -q'       => { resume      => 'a',         quiet => 1 }],
    ['--json a/b --html c' => { json        => "$HERE/a/b", html  => "$HERE/c" }],
    ['--html=/a'           => { html        => '/a' }],
    ['--json -'            => { json        => q{-} }],
    ['--html=- --json b'   => { html        => q{-}, json => "$HERE/b" }],
    ['--json - --json b'   => { json        => "$HERE/b" }],
    [
        '--quick -c 2 --dry-run --setup --json j' => {
            quick   => 1,
            copies  => [2],
            dry_run => 1,
            setup   => 1,
            json    => "$HERE/j"
        }
    ],
);

# [words of a command, options that differ from the default].
my @OF_COMMANDS = (
    ['compare a b'                   => { words => [qw(a b)] }],
    ['--force compare a b'           => { words => [qw(a b)], force => 1 }],
    ['--html h compare a b'          => { words => [qw(a b)], html  => "$HERE/h" }],
    ['compare pipe index'            => { words => [qw(pipe index)] }],
    ['compare a b a - /c'            => { words => [qw(a b a - /c)] }],
    ['compare a'                     => { words => ['a'] }],
    ['compare compare report'        => { words => [qw(compare report)] }],
    ['compare --html - a b'          => { words => [qw(a b)], html       => q{-} }],
    ['compare a b --json j'          => { words => [qw(a b)], json       => "$HERE/j" }],
    ['compare a b --json -'          => { words => [qw(a b)], json       => q{-} }],
    ['compare a --fail-on=pipe b'    => { words => [qw(a b)], fail_on    => ['pipe'] }],
    ['--fail-on dhry compare a b'    => { words => [qw(a b)], fail_on    => ['dhry'] }],
    ['compare --min-effect=0 a b'    => { words => [qw(a b)], min_effect => 0 }],
    ['--min-effect 2 compare a b'    => { words => [qw(a b)], min_effect => 0.02 }],
    ['compare --min-effect 2% a b'   => { words => [qw(a b)], min_effect => 0.02 }],
    ['compare a --min-effect 99.9 b' => { words => [qw(a b)], min_effect => 0.999 }],
    ['report r.json'                 => { words => ['r.json'] }],
    [
        'report r -q --html h --markdown j --json k' => {
            words => ['r'],
            quiet => 1,
            map { $_->[0] => "$HERE/$_->[1]" } ['html', 'h'], ['markdown', 'j'], ['json', 'k']
        }
    ],
    ['explain pipe' => { asked => ['pipe'], tests => ['pipe'] }],
    ['help'         => { words => [] }],
    ['help report'  => { words => ['report'] }],
);

my %ALWAYS  = (copies         => []);
my %DEFAULT = (%ALWAYS, asked => ['index'], tests => [UnixBench::Catalog::expand('index')]);

sub parse {
    return UnixBench::Command::parse(map { $_ eq q{""} ? q{} : $_ } split ' ', $_[0]);
}

sub without_outputs { my ($options) = @_; delete $options->{outputs}; return $options }

for my $case (@ACCEPTED) {
    my ($words, $expected) = @$case;
    is_deeply(without_outputs(parse($words)), { %DEFAULT, %$expected }, "./Run $words is accepted");
}

for my $case (@OF_COMMANDS) {
    my ($words, $expected) = @$case;
    my ($command) = grep {
        my $word = $_;
        grep { $_ eq $word } UnixBench::Command::names()
    } split q{ }, $words;
    is_deeply(without_outputs(parse($words)), { %ALWAYS, command => $command, %$expected }, "./Run $words is accepted");
}

subtest 'the requested reports' => sub {
    my @cases = (
        ['pipe'                           => []],
        ['--json a/b --html - -c 2'       => [[json => "$HERE/a/b"], [html     => q{-}]]],
        ['--json - --html h'              => [[json => q{-}],        [html     => "$HERE/h"]]],
        ['report r --html - --markdown m' => [[html => q{-}],        [markdown => "$HERE/m"]]],
    );
    is_deeply(parse($_->[0])->{outputs}, $_->[1], "./Run $_->[0]") for @cases;
};

subtest 'options that only print a text need nothing else' => sub {
    for my $flag (qw(-h --help -V --version --list)) {
        for my $words ($flag, "pipe $flag -c 2", "compare $flag", "$flag report", "--resume a $flag -i 2") {
            ok((grep { parse($words)->{$_} } qw(usage help version list)), "./Run $words is accepted");
        }
    }
};

subtest 'each option in the declarations is complete' => sub {
    my %by_flag;
    for my $declaration (UnixBench::Command::declarations()) {
        my $name = $declaration->{name} // 'measuring';
        my %count;
        for my $option (UnixBench::CLI::Declaration::options_of($declaration)) {
            my $flag = $option->{flag};
            like($flag, qr/\A(?:-[a-z]|--[a-z]+(?:-[a-z]+)*)\z/, "$name: the flag $flag is valid");
            ok(length $option->{key} && length $option->{text}, "$name: $flag has a key and a text");
            like($option->{text}, qr/[^.]\z/, "$name: the text of $flag does not end in a full stop");
            is(!!$option->{value}, !!$option->{kind}, "$name: $flag has a kind of value if it has a value");
            is(
                !!$option->{value},
                !!($by_flag{$flag} //= $option)->{value},
                "$name: $flag takes a value everywhere or nowhere"
            );
            is($count{$flag}++, 0, "$name: $flag is there once");
        }
    }
};

subtest 'no test and no alias has the name of a command' => sub {
    is_deeply([grep { UnixBench::Catalog::expand($_) } UnixBench::Command::names()], [], 'they differ');
};

is_deeply(\@warnings, [], 'Perl prints no warning');

done_testing();
