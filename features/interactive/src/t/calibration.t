use strict;
use warnings;

use Config     qw(%Config);
use Cwd        ();
use File::Copy ();
use File::Temp qw(tempdir);
use FindBin    qw($Bin);
use POSIX      ();
use Test::More;

use lib map { "$Bin/$_" } qw(lib ../../../../t/lib);
use Place                 qw(text_of write_file);
use CDriver               qw(driver said_by);
use Needs                 qw(need_compiler);

need_compiler();

my $program   = driver('calibration', qw(calibration limits proc random));
my $REFERENCE = 4_214_517;

sub calibrated {
    my @words = @_;
    return map { split } said_by($program, @words);
}

# Loops per ms, the disturbance of the CPU, the least and most loops that may be found, attempts, whether it is
# unsteady.
my @MACHINES = (
    [4_000_000,     'steady',     3_999_999,     4_000_001,     1, 0],
    [1,             'steady',     1,             1,             1, 0],
    [1000,          'steady',     1000,          1000,          1, 0],
    [123_457,       'steady',     123_457,       123_457,       1, 0],
    [90_000_000,    'steady',     89_999_900,    90_000_100,    1, 0],
    [1_000_000_000, 'steady',     1_000_000_000, 1_000_000_000, 1, 0],
    ['1e12',        'steady',     1_000_000_000, 1_000_000_000, 1, 0],
    [0.01,          'steady',     1,             1,             1, 0],
    [4_000_000,     'ramp',       3_999_999,     4_000_001,     1, 0],    # slow while it warms up
    [4_000_000,     'noisy',      3_920_000,     4_000_001,     1, 0],    # up to 4 % slower
    [4_000_000,     'spikes',     3_999_999,     4_000_001,     1, 0],    # each third batch twice as slow
    [4_000_000,     'shared',     3_999_999,     4_000_001,     5, 1],    # three of five batches slower by half
    [4_000_000,     'wild',       1_000_000,     4_000_001,     5, 1],    # up to ten times slower
    [4_000_000,     'calming',    3_999_999,     4_000_001,     4, 0],    # noisy for its first second
    [4_000_000,     'slowing',    1_500_000,     3_100_000,     3, 0],
    [4_000_000,     'quickening', 5_000_000,     9_000_000,     2, 0],
    [4_000_000,     'stands',     $REFERENCE,    $REFERENCE,    0, 1],
    [4_000_000,     'backwards',  $REFERENCE,    $REFERENCE,    0, 1],
    [4_000_000,     'turns',      $REFERENCE,    $REFERENCE,    5, 1],
    [4_000_000,     'stops',      $REFERENCE,    $REFERENCE,    5, 1],
);

for my $case (@MACHINES) {
    my ($speed, $what, $least, $most, $attempts, $is_unsteady) = @$case;
    my %found = calibrated($speed, $what);
    my $name  = "$speed loops per ms, $what";
    ok($found{loops} >= $least && $found{loops} <= $most, "$name: $found{loops} loops are in the expected range");
    is_deeply(
        [@found{qw(attempts unsteady)}],
        [$attempts, $is_unsteady],
        "$name: number of attempts, and whether the calibration is unsteady"
    );
    is(
        $found{spread} < 0   ? 'unknown' : $found{spread} > 0.05 ? 'wide' : 'narrow',
        $least == $REFERENCE ? 'unknown' : $is_unsteady          ? 'wide' : 'narrow',
        "$name: the spread, $found{spread}, is of the expected kind"
    );
    cmp_ok($found{burns}, '<=', 2000 + 5 * 21, "$name: the number of batches is bounded");
    cmp_ok($found{most},  '<=', 1_000_000_000, "$name: the size of batches is bounded");
}

my %standing = calibrated(4_000_000, 'stands');
cmp_ok($standing{burns}, '<', 30, 'a clock that stands still is noticed soon');

my %steady = calibrated(4_000_000, 'steady');
is($steady{batch_ms}, '10.000', 'a batch takes 10 ms');
cmp_ok($steady{ms}, '>=', 300 + 21 * 10, 'batches begin after 300 ms of warm-up');

my %here = calibrated('here');
is($here{bound_to_first}, 1,         'the thread calibrates on the first CPU that is allowed');
is($here{as_before},      1,         'the thread may use all its CPUs again after calibrating');
is($here{loops},          4_000_000, 'the calibration uses the loop and the clock that frames use');

# The kept calibration: where its file is, and which contents are ignored.
delete local @ENV{qw(UB_SCRATCH XDG_CACHE_HOME HOME)};
my $elsewhere = tempdir(CLEANUP => 1);
my $start     = Cwd::getcwd();
chdir $elsewhere or die "$elsewhere: $!";

sub kept {
    my ($kept) = said_by($program, 'kept');
    return $kept;
}

sub keep {
    my ($number) = @_;
    my @said = said_by($program, 'keep', $number);
    is_deeply(\@said, [], "keeping $number prints nothing");
    return;
}

sub files_in {
    my ($directory) = @_;
    opendir my $list, $directory or return;
    return map { "$directory/$_" } grep { !/\A[.]{1,2}\z/ } readdir $list;
}

# FNV-1a with the wrapping integers of a 64-bit Perl.
sub fnv {
    my ($bytes) = @_;
    use integer;
    my $prime = 1 << 40 | 0x1b3;
    my $hash  = 0xcbf29ce4 << 32 | 0x84222325;
    $hash = ($hash ^ $_) * $prime for unpack 'C*', $bytes;
    return sprintf '%016x', $hash;
}

my $has_wide_integers = $Config{ivsize} >= 8;
is($has_wide_integers ? fnv('foobar') : '85944171f73967e8', '85944171f73967e8', 'FNV-1a gives its published value');
my $HASH = $has_wide_integers ? fnv(text_of($program)) : '[0-9a-f]{16}';

my $home   = tempdir(CLEANUP => 1);
my %PLACES = (
    "$home/scratch"           => { UB_SCRATCH     => "$home/scratch", XDG_CACHE_HOME => "$home/xdg", HOME => $home },
    "$home/xdg/interbench"    => { XDG_CACHE_HOME => "$home/xdg",     HOME => $home },
    "$home/.cache/interbench" => { HOME           => $home,           XDG_CACHE_HOME => 'relative', UB_SCRATCH => q{} },
);
my $number = 4_000_000;
for my $place (sort keys %PLACES) {
    my %there = %{ $PLACES{$place} };
    local @ENV{ keys %there } = values %there;
    is(kept(), 0, 'no number is kept at first');
    keep(++$number);
    is(kept(), $number, 'the kept number is found again');
    my @files = files_in($place);
    is(scalar @files,      1,           'the folder holds one file');
    is(text_of($files[0]), "$number\n", 'the file holds the number');
    like($files[0], qr{/loops_per_ms-[A-Za-z0-9-]+-$HASH\z}, 'the file is named after the CPU and the program');
    keep($number + 100);
    is(kept(), $number + 100, 'a new number replaces the kept one');
}

{
    local $ENV{XDG_CACHE_HOME} = "$home/xdg";
    my ($file) = files_in("$home/xdg/interbench");
    my %believed = (
        "100\n"          => 100,
        "1000000000\n"   => 1_000_000_000,
        '4000000'        => 0,
        "99\n"           => 0,
        "0\n"            => 0,
        "-5000\n"        => 0,
        "1000000001\n"   => 0,
        "4000000\n\n"    => 0,
        "4e6\n"          => 0,
        " 4000000\n"     => 0,
        "4000000 \n"     => 0,
        "4000000\0\n"    => 0,
        "4000000\n\0"    => 0,
        "four\n"         => 0,
        q{}              => 0,
        "\n"             => 0,
        '9' x 100 . "\n" => 0,
        "\xff" x 10_000  => 0,
    );
    for my $text (sort keys %believed) {
        write_file($file, $text);
        my $shown = length $text > 20 ? 'a long text' : $text;
        is(kept(), $believed{$text}, 'the right number is read from a file with ' . $shown =~ s/[^\x21-\x7e]/?/gr);
    }
    unlink $file               or die "$file: $!";
    POSIX::mkfifo($file, 0600) or die "$file: $!";
    is(kept(), 0, 'a pipe instead of the file is ignored');
    keep(5000);
    is(kept(), 5000, 'a pipe instead of the file is replaced');
    unlink $file;
    mkdir $file or die "$file: $!";
    is(kept(), 0, 'a directory instead of the file is ignored');
    keep(5000);
    is(kept(), 0, 'a directory instead of the file is not replaced');
    is_deeply([files_in("$home/xdg/interbench")], [$file], 'no other file is left next to that directory');
    rmdir $file;
    keep(5000);

    my $changed = "$home/changed";
    File::Copy::copy($program, $changed) or die "$changed: $!";
    chmod 0700, $changed;
    is((said_by($changed, 'kept'))[0], 5000, 'a copy of the program finds the kept number');
    open my $handle, '>>', $changed or die "$changed: $!";
    print {$handle} 'x';
    close $handle or die "$changed: $!";
    is((said_by($changed, 'kept'))[0], 0, 'a changed program does not find the kept number');
}

write_file("$home/file", q{});
for my $nowhere (
    {},
    { HOME           => q{} },
    { HOME           => 'here' },
    { XDG_CACHE_HOME => 'here' },
    { UB_SCRATCH     => 'here' },
    { HOME           => "$home/file" },
    { HOME           => '/' . 'x' x 300 },
    { HOME           => '/x' x 4000 },
    { HOME           => '/proc' }
    )
{
    local @ENV{ keys %$nowhere } = values %$nowhere;
    my ($where) = map { length > 20 ? substr($_, 0, 20) . '...' : $_ } %$nowhere ? join '=',
        %$nowhere : 'no variable set';
    keep(5000);
    is(kept(), 0, "no number is kept with $where");
}
is_deeply([files_in($elsewhere)], [], 'nothing is written to the current directory');
chdir $start or die "$start: $!";

done_testing();
