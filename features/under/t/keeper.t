# The words of --toggle; when a state has passes in a row, how often the first state is looked at, and which settings of
# the kernel are read.

use strict;
use warnings;

use File::Path ();
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../lib ../../../t/lib);
use FakeProcess;
use Cwd          ();
use CommandLines qw(are_refused);
use Fixture      qw(host result);
use Place        qw(write_file);
use Requested    qw(context);
use UnixBench::CLI::Options;
use UnixBench::Command;
use UnixBench::Under::Keeper;
use UnixBench::Under::Settings;

# Returns a keeper of states, with a fake process, whose look takes some seconds and finds these settings.
sub keeper {
    my ($settings, $look_s) = @_;
    my $process = FakeProcess->new;
    return UnixBench::Under::Keeper->new(
        process => $process,
        clock   => $process,
        states  => [{}, { words => ['env'] }],
        look => sub { $process->{now_s} += $look_s // 0; return result([], host => host(), facts => { kernel => {} }) },
        settings => sub { return {%$settings} },
    );
}

subtest 'an option with two words' => sub {
    my ($here, @words) = (Cwd::getcwd(), '--toggle', './on "a b"', 'off', 'pipe');
    my $parsed = UnixBench::Command::parse(@words);
    my $commands =
        [{ command => "$here/on \"a b\"", words => ["$here/on", 'a b'] }, { command => 'off', words => ['off'] }];
    is_deeply($parsed->{toggle}, $commands, 'the path of a program becomes an absolute one');
    @words = UnixBench::CLI::Options::lasting_words(UnixBench::Command::declaration(), $parsed);
    is_deeply(UnixBench::Command::parse(@words), $parsed, 'a resumed run has the same words');
    is_deeply(UnixBench::Command::parse("--toggle=$words[2]", @words[3 .. $#words])->{toggle},
        $parsed->{toggle}, 'the first one may be part of the option');
    are_refused(
        ['--toggle true'          => 'option --toggle needs 2 values, ON OFF; see ./Run --help'],
        ['--under a --toggle b c' => 'options --toggle and --under contradict each other: leave out one of them'],
        ['--toggle a b -i 3'      => 'options --toggle and -i contradict each other: leave out one of them'],
    );
};

subtest 'passes in a row' => sub {
    my $in_a_row = sub {
        my ($took_s, $words) = @_;
        my $keeper = keeper({});
        $keeper->{took_s} = [$took_s / 2, $took_s];
        return $keeper->in_a_row(context("-c 1 --toggle true true $words")->plan);
    };
    is($in_a_row->(0.03, 'pipe'),                undef, 'none for a switch of a tenth of a pass, 0.32 s');
    is($in_a_row->(0.04, 'pipe'),                1,     'the tests of a state for a longer one');
    is($in_a_row->(0.65, 'pipe'),                11,    'a switch takes a tenth of a round');
    is($in_a_row->(5,    'pipe'),                15,    'or more, if eight rounds would take too long');
    is($in_a_row->(60,   'pipe'),                1,     'at least one');
    is($in_a_row->(2,    'index --max-time 5m'), 2,     'many tests need fewer');
};

subtest 'looks at the first state' => sub {
    my %settings = ('vm.a' => 1, 'vm.b' => 2, 'vm.c' => 3, 'vm.d' => 4);
    my $keeper   = keeper(\%settings, 0.5);
    is($keeper->begin, undef, 'a run begins');
    is_deeply([$keeper->facts], [], 'both states have the same facts');
    $settings{$_}++ for keys %settings;
    $keeper->{clock}{now_s} += 9.9;
    is(eval { $keeper->round_ends; 1 }, 1, 'a look rests for 20 times of what it takes');
    $keeper->{clock}{now_s} += 0.2;
    my $changed =
        join('; ', map({ "kernel setting vm.$_" } 'a was 1, is 2', 'b was 2, is 3', 'c was 3, is 4'), 'and more');
    is(eval { $keeper->round_ends; 1 } // $@->spoils, $changed, 'then it sees what has changed');
    is(eval { $keeper->end;        1 },               1,        'which is not said again at the end');
};

subtest 'settings of the kernel' => sub {
    my $root    = File::Temp->newdir;
    my %setting = (
        '/sys/kernel/mm/ksm/run'                     => 0,
        '/sys/kernel/mm/transparent_hugepage/defrag' => 'madvise',
        'fs.file-max'                                => q{},
        'kernel.a.bc'                                => '1 2 3',
        'kernel.randomize_va_space'                  => 2,
        'kernel.tainted_by'                          => 1,
        'net.ipv4.conf.all.rp_filter'                => 1,
        'net.ipv4.tcp_sack'                          => 1,
        'vm.swappiness'                              => 60,
    );
    my @none = qw(kernel.tainted kernel.ns_last_pid net.ipv4.conf.eth0.rp_filter net.ipv6.neigh.lo.mtu vm.drop_caches);
    my $create = sub {
        my ($name) = @_;
        my $path = "$root/" . ($name =~ m{/} ? $name : 'proc/sys/' . $name =~ tr{.}{/}r);
        File::Path::make_path($path =~ s{/[^/]+\z}{}r);
        return write_file($path,
            ($name =~ /defrag/ ? 'always [madvise] never' : ($setting{$name} // 1) =~ tr/ /\t/r) . "\n");
    };
    $create->($_) for keys %setting, @none;
    chmod 0200, $create->('vm.compact');
    chmod 0444, map { $create->($_) } 'fs.file-nr', '/sys/kernel/mm/ksm/full_scans';
    is_deeply(UnixBench::Under::Settings::all("$root"),      \%setting, 'those that can be read and written');
    is_deeply(UnixBench::Under::Settings::all("$root/none"), {},        'none without the directory');
    my @both = map { UnixBench::Under::Settings::all() } 1, 2;
    is_deeply($both[0], $both[1], 'those of this machine do not change by themselves');
};

done_testing();
