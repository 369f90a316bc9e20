use strict;
use warnings;

use FindBin qw($Bin);
use Test::More;

use lib map { "$Bin/$_" } qw(lib ../../../../t/lib);
use Needs                 qw(need_compiler);
use OptionCases           qw(read_lines settings);

need_compiler();

my $S     = 1_000_000_000;
my $GIB   = 1 << 30;
my $PAST  = '99999999999999999999';
my $ERROR = qr/\A(?:interbench: |ERROR[|])[\x20-\x7e]{10,200}\z/;

local $ENV{TMPDIR} = '/scratch';
delete local $ENV{POSIXLY_CORRECT};

#<<< tables
my %DEFAULT = (
    mode   => 0,             duration => 30 * $S, warmup   => $S, loops     => 0, threads  => 0, task_nice => 0,
    anew   => 0,             console  => 0,       percent  => 0,  real_time => 0, period   => 0, load_nice => 0,
    copies => 1,             pinned   => 0,       cpu      => -1, 
    fixed  => 0,                    policy    => 0, repeats  => 1, swap      => 0,
    disk   => 4 * $GIB,      memory   => 0,        legacy    => 0, protocol => 0, named     => 0,
    seed   => 1,             directory => '/scratch',
    tasks  => 'Audio Video X Gaming Probe',
    loads  => 'None Video X Burn Compile',
);

my %CUSTOM = (percent => 20, period => 5000);
my %MIX    = (mode => 1, duration => 10 * $S, tasks => 'Audio Video X Probe', loads => 'None Burn Compile Hack');
my %SEARCH = (mode => 2, duration => 3 * $S, fixed => 1, tasks => q{}, loads => q{});
my %FIFO   = (real_time => 1, tasks => 'Audio Video Probe', loads => 'None Video X Burn Compile');

# Words of the command line => settings that differ from the default.
my @ACCEPTED = (
    [q{}                               => {}],
    ['-t 1'                            => { duration  => $S }],
    ['-t2'                             => { duration  => 2 * $S }],
    ['-t 0.5'                          => { duration  => $S / 2 }],
    ['-t 0.000000001'                  => { duration  => 1 }],
    ['-t 12.345678901'                 => { duration  => 12_345_678_901 }],
    ['-t 86400'                        => { duration  => 86_400 * $S }],
    ['-t 86400.000'                    => { duration  => 86_400 * $S }],
    ['-t 007'                          => { duration  => 7 * $S }],
    ['-t 5 -t 7'                       => { duration  => 7 * $S }],
    ['--warmup=0'                      => { warmup    => 0 }],
    ['--warmup 0.25'                   => { warmup    => $S / 4 }],
    ['--warmup 3600'                   => { warmup    => 3600 * $S }],
    ['-l 1'                            => { loops     => 1 }],
    ['-l 1000000000'                   => { loops     => 1_000_000_000 }],
    ['-L 1'                            => { threads   => 1 }],
    ['-L 65536'                        => { threads   => 65_536 }],
    ['-B -20 -N 19'                    => { task_nice => -20, load_nice => 19 }],
    ['-B19 -N-20'                      => { task_nice => 19, load_nice => -20 }],
    ['-B 0 -N -0'                      => {}],
    ['-b'                              => { anew      => 1 }],
    ['-c'                              => { console   => 1 }],
    ['-bc'                             => { anew      => 1, console => 1 }],
    ['-c -c'                           => { console   => 1 }],
    ['-n 1'                            => {}],
    ['-n 10000'                        => { copies    => 10_000 }],
    ['-u'                              => { pinned    => 1 }],
    ['--pin 0'                         => { pinned    => 1, cpu => 0 }],
    ['--pin=3'                         => { pinned    => 1, cpu => 3 }],
    ['--pin 1048575'                   => { pinned    => 1, cpu => 1_048_575 }],
    ['--policy skip'                   => {}],
    ['--policy=catchup'                => { policy    => 1 }],
    ['--policy=catchup --policy=skip'  => {}],
    ['--seed 0'                        => { seed      => 0 }],
    ['--seed 18446744073709551615'     => { seed      => '18446744073709551615' }],
    ['--repeat 1000'                   => { repeats   => 1000 }],
    ['--max-disk 1M'                   => { disk      => 1 << 20 }],
    ['--max-disk 1048576'              => { disk      => 1 << 20 }],
    ['--max-disk=2048k'                => { disk      => 2 << 20 }],
    ['--max-mem 3G'                    => { memory    => 3 * $GIB }],
    ['--max-mem 2t'                    => { memory    => 2048 * $GIB }],
    ['--max-mem 9223372036854775807'   => { memory    => '9223372036854775807' }],
    ['--swap'                          => { swap      => 1 }],
    ['--fixed'                         => { fixed     => 1 }],
    ['--protocol'                      => { protocol  => 1 }],
    ['--protocol --legacy'             => { protocol  => 1, legacy => 1 }],
    ['--tmpdir /a/b'                   => { directory => '/a/b' }],
    [['-m', 'a "comment", 100 %']      => { comment   => 'a "comment", 100 %' }],
    [['-m', q{}]                       => { comment   => q{} }],
    [['-m', 'x' x 500]                 => { comment   => 'x' x 500 }],
    [['-m', "na\xc3\xafve"]            => { comment   => "na\xc3\xafve" }],
    ['-m -t'                           => { comment   => '-t' }],
    ['-W X'                            => { tasks     => 'X' }],
    ['-W vIDEO -WAudio'                => { tasks     => 'Audio Video' }],
    ['-W Video -W video'               => { tasks     => 'Video' }],
    ['-W Video120'                     => { tasks     => 'Video120' }],
    ['-X x -X GAMING'                  => { tasks     => 'Audio Video Probe' }],
    ['-W X -W Video -X X'              => { tasks     => 'Video' }],
    ['-w burn'                         => { loads     => 'Burn', named => 1 }],
    ['-w Hack -w none'                 => { loads     => 'None Hack', named => 1 }],
    ['-x None -x X'                    => { loads     => 'Video Burn Compile' }],
    ['-x Hack -X Video144'             => {}],
    ['-x Custom -X Custom -x Command'  => {}],
    ['-W Video -w Video -w X'          => { tasks => 'Video', loads => 'Video X', named => 1 }],
    ['-W Video -W X -w Video'          => { tasks => 'Video X', loads => 'Video', named => 1 }],
    ['-C 20 -I 5000'                   => { %CUSTOM, map { $_ => "$DEFAULT{$_} Custom" } qw(tasks loads) }],
    ['-C 20 -I 5000 -W custom -w None' => { %CUSTOM, tasks => 'Custom', loads => 'None', named => 1 }],
    ['-C 20 -I 5000 -w Custom -W X'    => { %CUSTOM, tasks => 'X', loads => 'Custom', named => 1 }],
    ['-C 20 -I 5000 -X Custom'         => { %CUSTOM, loads => "$DEFAULT{loads} Custom" }],
    ['-C 1 -I 100 -x Custom'           => { percent => 1, period => 100, tasks => "$DEFAULT{tasks} Custom" }],
    ['-I 10000000 -C 100 -x Custom'    => { percent => 100, period => 10_000_000, tasks => "$DEFAULT{tasks} Custom" }],
    ['-r'                              => {%FIFO}],
    ['-r -W Video -w Compile'          => { %FIFO, tasks => 'Video', loads => 'Compile', named => 1 }],
    ['-r -C 20 -I 5000'                => { %FIFO, %CUSTOM, map { $_ => "$FIFO{$_} Custom" } qw(tasks loads) }],
    [['--load-cmd', 'make -j4']        => { command => 'make -j4', loads => "$DEFAULT{loads} Command" }],
    ['--load-cmd true -w None'         => { command => 'true', loads => 'None Command', named => 1 }],
    ['--load-cmd true -w COMMAND'      => { command => 'true', loads => 'Command', named => 1 }],
    ['--mix'                           => {%MIX}],
    ['--mix -t 4'                      => { %MIX, duration => 4 * $S }],
    ['--mix -w Video -n 2'             => { %MIX, loads => 'Video', named => 1, copies => 2 }],
    ['--mix -x None --load-cmd ls'     => { %MIX, loads => 'Burn Compile Hack Command', command => 'ls' }],
    ['--mix -C 20 -I 5000 -w Custom'   => { %MIX, %CUSTOM, loads => 'Custom', named => 1 }],
    ['--capacity'                      => {%SEARCH}],
    ['--capacity -t 1 -L 2 -c'         => { %SEARCH, duration => $S, threads => 2, console => 1 }],
    ['--capacity -B 1 -N 2 --fixed'    => { %SEARCH, task_nice => 1, load_nice => 2 }],
    ['--capacity --protocol --pin 1'   => { %SEARCH, protocol => 1, pinned => 1, cpu => 1 }],
    ['--capacity --warmup 0'           => { %SEARCH, warmup => 0 }],
    ['--list'                          => { mode => 3, tasks => q{}, loads => q{} }],
);

my @NO_SIZES = (
    q{}, qw(0 -1 1 1023K 1048575 1.5G G 1MB 1GiB 1E 9223372036854775808 8388608T), '1 G', $PAST
);

# Takes an option, the error that it gives, and values; returns a case for each value, which must be refused with that
# error.
sub all_of {
    my ($option, $said, @values) = @_;
    return map { [[$option, $_] => qr/ \Q$option $said\E '/] } @values;
}

# Words of the command line => a pattern that the error matches.
my @REFUSED = (
    # Numbers: invalid text, an empty text, a number beyond each limit.
    all_of('-t', 'needs seconds above 0 and up to 86400, not',
        q{}, qw(0 -1 +1 1s 1e3 .5 1. 1..2 1.2.3 0x10 nan inf 86400.000000001 86401 0.0000000001), '1 ', ' 1', $PAST),
    all_of('--warmup', 'needs seconds from 0 to 3600, not', q{}, '-1', '3601', '3600.1', $PAST),
    all_of('-l', 'needs a whole number from 1 to 1000000000, not', q{}, qw(0 -1 1000000001 1.5 5k x), $PAST),
    all_of('-L', 'needs a whole number from 1 to 65536, not', q{}, qw(0 65537 -4 four 4294967297),
        '-18446744073709551615'),
    all_of('-B', 'needs a whole number from -20 to 19, not', q{}, qw(-21 20 - -- 1- +1 --5)),
    all_of('-N', 'needs a whole number from -20 to 19, not', q{}, qw(-21 20 0.5)),
    all_of('-n', 'needs a whole number from 1 to 10000, not', q{}, qw(0 10001 -1 many)),
    all_of('-C', 'needs a whole number from 1 to 100, not', q{}, qw(0 101 -1 50%)),
    all_of('-I', 'needs a whole number from 100 to 10000000, not', q{}, qw(99 10000001 1ms)),
    all_of('--pin', 'needs the number of a CPU, not', q{}, qw(-1 1048576 0-1), '0,1'),
    all_of('--repeat', 'needs a whole number from 1 to 1000, not', q{}, qw(0 1001)),
    all_of('--seed', 'needs a whole number from 0 to 18446744073709551615, not',
        q{}, qw(-1 18446744073709551616 0x1)),
    all_of('--max-disk', 'needs a size of at least 1M, such as 512M or 2G, not', @NO_SIZES),
    all_of('--max-mem',  'needs a size of at least 1M, such as 512M or 2G, not', @NO_SIZES),

    # Words.
    all_of('--policy', 'needs skip or catchup, not', q{}, qw(Skip skipp catch-up 1)),
    all_of('-m', 'needs up to 500 printable characters in one line, not', "a\nb", "\t", 'x' x 501),
    all_of('--load-cmd', 'needs a command for the shell, in one printable line, not',
        q{}, q{ }, "true\nfalse", 'x' x 4097),
    all_of('--tmpdir', 'needs a directory, not', q{}),

    # The value is missing.
    (map { [$_ => qr/: $_ needs [^']+\z/] } qw(
        -t -l -L -B -N -n -C -I -m -w -x -W -X --warmup --pin --seed --repeat --max-disk --max-mem --policy
        --load-cmd --tmpdir)),

    # Unexpected words, values and options.
    ['extra'                  => qr/unexpected argument 'extra'; -h lists all options/],
    ['-t 1 2'                 => qr/unexpected argument '2'/],
    ['-- -t'                  => qr/unexpected argument '-t'/],
    ['-c extra -b'            => qr/unexpected argument 'extra'/],
    ['-'                      => qr/unexpected argument '-'/],
    [[q{}]                    => qr/unexpected argument ''/],
    ['--mix=yes'              => qr/--mix takes no value/],
    ['--help=all'             => qr/-h takes no value/],
    ['-z'                     => qr/unknown option -z; -h lists all options/],
    ['-cz'                    => qr/unknown option -z/],
    [["-\xc3\xa9"]            => qr/unknown option -\?/],
    [["-\n"]                  => qr/unknown option -\?/],
    ['--capacty'              => qr/unknown option --capacty; did you mean --capacity\?/],
    ['--max-dsk=1G'           => qr/unknown option --max-dsk=1G; did you mean --max-disk\?/],
    ['--max'                  => qr/--max is ambiguous: it can be --max-disk or --max-mem; write the whole name/],
    ['--max-=1G'              => qr/--max- is ambiguous/],
    ['--=5'                   => qr/unknown option --=5; -h lists all options/],
    ['--zzz'                  => qr/unknown option --zzz; -h lists all options/],
    [['--' . 'y' x 5000]      => qr/unknown option --y{30,}\.\.\.; -h lists all options/],
    [['y' x 5000]             => qr/unexpected argument 'y{30,}\.\.\.'/],
    [["\x7f\xff"]            => qr/unexpected argument '\?\?'/],
    [["\e[31m\n"]             => qr/unexpected argument '\?\[31m\?'/],

    # Tasks and loads.
    ['-W Vidoe'               => qr/-W Vidoe: unknown task; did you mean Video\?/],
    ['-W zzzzz'               => qr/-W zzzzz: unknown task; the tasks are Audio, Video, X, Gaming, Probe, Video120, /],
    ['-X Audioo'              => qr/-X Audioo: unknown task; did you mean Audio\?/],
    ['-w Brun'                => qr/-w Brun: unknown load; did you mean Burn\?/],
    ['-x everything'          => qr/unknown load; the loads are None, Video, X, Burn, Compile, Hack, Custom/],
    [['-w', q{}]              => qr/-w : unknown load; the loads are/],
    [['-W', 'q' x 3000]       => qr/-W q+\.\.\.: unknown task; the tasks are/],
    ['-W Burn'                => qr/-W Burn: this is a load, not a task; use -w or -x/],
    ['-x Gaming'              => qr/-x Gaming: this is a task, not a load; use -W or -X/],
    ['-W Custom'              => qr/-W Custom: Custom is not defined; define it with -C and -I/],
    ['-w custom'              => qr/-w Custom: Custom is not defined; define it with -C and -I/],
    ['-w command'             => qr/-w Command: Command is not defined; define it with --load-cmd/],
    ['-C 5'                   => qr/-C and -I need each other/],
    ['-I 500'                 => qr/-C and -I need each other/],
    ['-W Video -X Video'      => qr/nothing is left to measure: -X excludes all tasks; use fewer -X/],
    ['-w Burn -x burn'        => qr/nothing is left to measure: -x excludes all loads; use fewer -x/],
    ['-W Video -w Video'      => qr/nothing is left to measure: Video is not measured under itself; use -w with /],
    ['-r -W X'                => qr/-r can't measure the task X; leave out -r or -W X/],
    ['-r -W Audio -W Gaming'  => qr/-r can't measure the task Gaming/],
    ['-C 5 -I 500 -W X -w None'                  => qr/-C and -I have no effect: Custom is not selected/],
    ['-C 5 -I 500 -x Custom -X Custom'           => qr/-C and -I have no effect: Custom is not selected/],
    ['-C 5 -I 500 --mix'                         => qr/-C and -I have no effect: Custom is not selected/],
    ['--load-cmd true -x Command'                => qr/--load-cmd has no effect: -x excludes Command/],
    ['-X X -X Audio -X Video -X Gaming -X Probe' => qr/nothing is left to measure: -X excludes all tasks/],
    ['-r -X Audio -X Video -X Probe'             => qr/nothing is left to measure: -X excludes all tasks/],

    # Options that contradict each other.
    (map { [$_ => qr/[ |]--?\S+ and --?\S+ contradict each other: .*; leave out one of them\z/] }
        '-u --pin 1', '--mix --capacity', '--mix --list', '--capacity --list',
        '-b -l 5', '--fixed -l 5', '--fixed -b', '-r -B 5'),
    (map { ["$_ --mix" => qr/ --?\S+ has no effect with --mix; leave out one of them/] }
        '-W X', '-X X', '-r', '--legacy'),
    (map { ["$_ --capacity" => qr/ --?\S+ has no effect with --capacity; leave out one of them/] }
        '-W X', '-X X', '-w Burn', '-x None', '-n 2', '--repeat 2',
        '--legacy', '-r', '-C 5 -I 500', '--load-cmd ls', '-l 5', '-b', '--tmpdir /tmp',
        '--max-disk 1G', '--max-mem 1G', '--swap'),
    (map { ["$_ --list" => qr/ --?\S+ has no effect with --list; leave out one of them/] }
        '-t 5', '-W X', '-m text', '-c', '--fixed'),
    ['--capacity -t 0.016' => qr/--capacity needs -t 0[.]017 or more: a stream has 60 frames per second/],
);
#>>>

sub words { return ref $_[0] ? $_[0] : [split q{ }, $_[0]] }

sub name_of {
    my $name = join q{ }, map { length > 40 ? substr($_, 0, 40) . '...' : length ? $_ : q{''} } @{ words($_[0]) };
    return $name =~ s/[^\x20-\x7e]/?/gr;
}

sub is_refused {
    my ($seen, $expected, $name) = @_;
    my @err   = @{ $seen->{err} };
    my $is_so = $seen->{status} == 1 && !@{ $seen->{out} } && @err == 1 && $err[0] =~ $ERROR && $err[0] =~ $expected;
    ok($is_so, $name) or diag("$seen->{status}: @err");
    return;
}

sub directory_without {
    my ($seen) = read_lines([]);
    return settings($seen)->{directory};
}

my @seen = read_lines(map { words($_->[0]) } @ACCEPTED);
for my $case (@ACCEPTED) {
    my ($line, $differing) = @$case;
    my $seen     = shift @seen;
    my %expected = (%DEFAULT, %$differing);
    is_deeply([$seen->{status}, $seen->{err}, settings($seen)], [0, [], \%expected], name_of($line));
}

@seen = read_lines(map { words($_->[0]) } @REFUSED);
is_refused(shift @seen, $_->[1], name_of($_->[0])) for @REFUSED;

# With --protocol, an error is a line of the protocol, but only if --protocol comes before the mistake.
@seen = read_lines(['--protocol', '-t', "a\nb"], ['-t', "a\nb", '--protocol']);
is_deeply(
    $seen[0]{err},
    [q{ERROR|-t needs seconds above 0 and up to 86400, not 'a?b'}],
    'an error after --protocol is a line of the protocol'
);
is_deeply(
    $seen[1]{err},
    [q{interbench: -t needs seconds above 0 and up to 86400, not 'a?b'}],
    'an error before --protocol is a plain message'
);

my ($help, $letter, $amid, $version) = read_lines(['--help'], ['-h'], [qw(-b -h -l --bad)], ['--version', '--bad']);
is_deeply([@$help{qw(status err)}], [0, []], '--help succeeds');
like($help->{out}[0], qr/\AUsage: interbench /, '--help begins with the usage');
is_deeply([grep { length > 79 || /\s\z/ } @{ $help->{out} }],
    [], 'lines of the help have at most 79 characters and no blanks at the end');
is_deeply($letter, $help, '-h prints the same as --help');
is_deeply($amid,   $help, 'words after -h are not read');
is_deeply(
    $version,
    { status => 0, err => [], out => ['interbench unknown'] },
    '--version prints "unknown" if the build has no version'
);

$ENV{TMPDIR} = q{};
is(directory_without(), '/var/tmp', 'the directory is /var/tmp if TMPDIR is empty');
delete $ENV{TMPDIR};
is(directory_without(), '/var/tmp', 'the directory is /var/tmp if TMPDIR is not set');

done_testing();
