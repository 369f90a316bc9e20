# One result among the published ones next to it, as text.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Place                          qw(place text_of write_file);
use Rankings                       qw(machine names);
use Rendered                       qw(rendered);
use UnixBench::Rank::Nearest;
use UnixBench::Rank::Own;

use constant { NEAREST => 10, SCREEN => { columns => 80, paint => sub { "<$_[0]>" } } };

my $PLACE = place();
my ($ONE) = map { $_->{index} } @{ machine(vm => 1)->{runs}[0]{indexes} };

# Takes an index and other values of a published result; returns it.
sub published {
    my ($index, $machine, %with) = @_;
    my %usual = (kind => 'PC', cpus => 1, copies => 1, results => 1, version => '5.1.3', year => 2021);
    return { %usual, map({ $_ => q{} } qw(cpu source known_as)), index => $index, machine => $machine, %with };
}

# Takes a result, or the text of a file, [published results], and perhaps screen, copies and cpus; returns what is
# shown, or undef if it can't be ranked.
sub shown {
    my ($given, $published, %with) = @_;
    my $path   = write_file("$PLACE/a.html", ref $given ? rendered(html => $given) : $given);
    my @sorted = sort { $a->{index} <=> $b->{index} } @$published;
    my %about  = (names => names(), published => \@sorted, map { $_ => $with{$_} } qw(copies cpus));
    my $own    = UnixBench::Rank::Own::of_file($path, \%about) or return;
    return UnixBench::Rank::Nearest::text($own, \@sorted, NEAREST, $with{screen});
}

subtest 'the lines and the place' => sub {
    my @two = (published(100, 'slow', cpu => 'A B'), published(9999, q{}, cpu => 'C', source => 'z', results => 12));
    like(
        shown(machine("v\e[31mm" => 1), \@two),
        qr{\A {8}9999.0  C [(]version 5[.]1[.]3, 2021, z, mean of 12[)]
> +[0-9.]+  this result, [+]-[0-9.]+ %, 2nd of 2: v\\x1b\[31mm, .*, Linux 6[.]18, gcc 12[.]2 .*, version 8[.]0[.]0
 {9}100.0  slow, A B [(]version 5[.]1[.]3, 2021[)]

Published indexes of one copy, the fastest first[.](?s:.*) only a rough guide[.]
The interval is about the machine: one run, 0[.]0 % from run to run[.]
Against: faster than 5 of 10 published results [(]2nd of 2[)][.]
},
        'are in the order of the index, and that of the result is marked'
    );
    my @around = map { published($ONE * $_, "m$_") } 0.95, 0.99, 1.01, 1.5;
    my @cases  = (
        [spread => 0.06, qr/[0-9]{4}  this result, [+]-[0-9.]+ %, 2nd to 4th of 4/],
        [spread => 0.3,  qr/[1-9][0-9]00 to [1-9][0-9]00  this result, no place, because the trust in it is poor/],
        [
            is_loud => 1,
            qr/at least [1-9][0-9]00  this result [(]disturbed[)], no place, because other load disturbed it/
        ],
    );
    like(shown(machine(vm => 1, @$_[0, 1]), \@around), qr/^> +$_->[2]: vm, /m, "@$_[0, 1]") for @cases;
};

subtest 'which published results are listed' => sub {
    my @all = (
        (map { published($_, 'rented VM', cpu => 'QEMU', source => 'x') } 270.4, 1100, 2246.6),
        published(1200, 'rented VM', cpu => 'KVM'),
        (map { published($_, 'pi4', cpu => 'A72') } 500,  600),
        (map { published($_, q{},   cpu => 'Xeon') } 800, 900),
    );
    is_deeply(
        [map { /\A  +([0-9].*) [(]/ ? $1 : () } split /\n/, shown(machine(vm => 1), \@all)],
        [
            '1200.0  rented VM, KVM',
            '270 to 2247  3 rented VMs, QEMU',
            '800 to 900  2 x Xeon',
            '500 to 600  2 x pi4, A72'
        ],
        'those of one machine from one source are one line, in the order of their medians'
    );
    my @many  = map { published($ONE * 1.1**$_, "m$_") } -12 .. -1, 1 .. 12;
    my @cases = (
        [1   => 'm12', '...', (map { "m$_" } reverse 1 .. 5), 'this', (map { "m-$_" } 1 .. 5), '...', 'm-12'],
        [100 => 'this', (map { "m$_" } reverse 3 .. 12), '...', 'm-12'],
    );
    for my $case (@cases) {
        my ($factor, @wanted) = @$case;
        my @names = map { /  (m-?[0-9]+|this|[.]{3})/ ? $1 : () } split /\n/, shown(machine(vm => $factor), \@many);
        is_deeply(\@names, \@wanted, "the ten nearest, the fastest and the slowest: $factor");
    }
};

subtest 'on a terminal' => sub {
    my @long =
        (published(100, 'a machine with a long name', cpu => 'A CPU with a long name', source => 'a/long-source'));
    my @lines = split /\n/, shown(machine(vm => 1), \@long, screen => { columns => 40 });
    is_deeply([grep { length > 40 } @lines], [], 'no line is longer than its columns');
    my $said = shown(machine(vm => 1), \@long, screen => SCREEN);
    like($said, qr/^ +100[.]0  a machine with a long name, A CPU with a long name$/m, 'a source may have no room');
    like($said, qr{^Index +1 copy [0-9]+ .*\nAgainst +faster than 10 of 10 .*\nTrust +<good>: .*\nNext }m, 'the block');
    like(
        shown(machine(vm => 1, spread => 0.3), \@long, screen => SCREEN),
        qr{^Against +no place, .*\nTrust +<poor>: .*\n(?: .*\n)*Next +./Run doctor\n\z}m,
        'of a poor result'
    );
};

subtest 'text reports' => sub {
    my ($one, $four) = map { text_of("$FindBin::Bin/../../../t/data/classic/$_") } qw(1-copy 4-copies);
    my ($table, $many) = map { /^(System Benchmarks Index Values.*)/ms } $one, $four;
    my @all   = (published(1000, 'low'), published(2000, 'high'), published(3000, 'four', copies => 4, cpus => 4));
    my @cases = (
        ['one copy',                $one,                         '2nd of 2$'],
        ['one copy for each CPU',   $four,                        '4 copies, 1st of 1$'],
        ['both: one copy is first', "$one$four",                  '2nd of 2$'],
        ['two reports',             $one . $one =~ s/2018/2019/r, '2nd of 2$(?s:.*)^Note: the newest of 2 reports '],
        ['a table alone',           $table, 'no place, because the number of copies is unknown\n\nNote: .* --copies N'],
        ['with the number', $table, '2nd of 2$',                                                     copies => [1]],
        ['several copies',  $many,  '4 copies, 1st of 1$(?s:.*)^Note: the number of CPUs .*assumes', copies => [4]],
        ['without CPUs',    $four =~ s/4 CPUs in system; //r,   '4 copies, no place, because the number of CPUs is '],
        ['our own',         rendered(text => machine(vm => 1)), '2nd of 2: vm, .*, version 8[.]0[.]0$'],
        ['on a terminal',   $table, 'no place(?s:.*)^Next       ./Run rank .* --copies N --cpus N$', screen => SCREEN],
    );
    for my $case (@cases) {
        my ($name, $text, $wanted, %with) = @$case;
        like(shown($text, \@all, %with), qr/^> +[0-9.]+  this result, the classic score, $wanted/m, $name);
    }
    my %short = (procedure => { kind => 'official', time_factor => 0.5, work_factor => 1 });
    is(shown($_->[1], \@all), undef, "not ranked: $_->[0]")
        for ['another procedure', machine(vm => 1, %short)],
        ['fewer copies than CPUs', $four =~ s/4 CPUs/8 CPUs/r],
        ['a changed text', rendered(text => machine(vm => 1, notes => ['changed procedure: index.base is edited']))];
};

done_testing;
