use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Outcomes qw(hostile_text);
use UnixBench::Accept::VerdictFile;

my %BLOCK = (
    host    => 'vm-17',
    state   => 'pass',
    reason  => '2 requirements are met',
    ended   => 1_785_000_000,
    date    => '2026-07-25T17:20:00+00:00',
    version => '8.0.0',
    indexes => [['index_1', '1586.8'], ['2d-index_1', '0.5']],
);
my $TEXT = <<'--';
host=vm-17
state=pass
reason=2 requirements are met
ended=1785000000
date=2026-07-25T17:20:00+00:00
version=8.0.0
index_1=1586.8
2d-index_1=0.5
end=1/1
--

# Takes facts to replace; returns a block.
sub block { return { %BLOCK, @_ } }

# Takes the text of a file; returns its blocks, or why it is refused.
sub blocks_in {
    my ($text) = @_;
    my @blocks;
    return eval { @blocks = UnixBench::Accept::VerdictFile::blocks($text); 1 } ? \@blocks : $@;
}

is(UnixBench::Accept::VerdictFile::text(block()), $TEXT, 'a block has a line for each fact');
is_deeply(blocks_in($TEXT), [block()], 'a block is read as it was written');

subtest 'several hosts' => sub {
    my @hosts = map { block(host => "n$_", state => $_ == 2 ? 'fail' : 'pass', indexes => []) } 1 .. 12;
    my $text  = UnixBench::Accept::VerdictFile::text(@hosts);
    like($text, qr/^end=1\/12\n\nhost=n2\nstate=fail\n/m, 'an empty line separates two blocks');
    is_deeply(blocks_in($text), \@hosts, 'all blocks are read as they were written');
    my @accepted = grep { ref blocks_in(substr $text, 0, $_) } 0 .. length($text) - 1;
    is_deeply(\@accepted, [], 'a file is refused wherever it is torn');
};

subtest 'a torn file' => sub {
    my @accepted = grep { ref blocks_in(substr $TEXT, 0, $_) } 0 .. length($TEXT) - 1;
    is_deeply(\@accepted, [], 'a block is refused wherever it is torn');
    my @from_end = grep { ref blocks_in(substr $TEXT, $_) } 1 .. length $TEXT;
    is_deeply(\@from_end, [], 'a block without its begin is refused');
    is(blocks_in(q{}), "it is empty\n", 'an empty file is refused');
};

subtest 'a damaged file' => sub {
    my %why = (
        'something else'          => ["hello\n"        => 'it is not a verdict, or damaged'],
        'zeros after a crash'     => ["\0" x 99 . "\n" => 'it is not a verdict, or damaged'],
        'a line without a name'   => [$TEXT =~ s/^state=//mr      => 'it is not a verdict, or damaged'],
        'a control character'     => [$TEXT =~ s/vm/\e[31m/r      => 'it is not a verdict, or damaged'],
        'line ends of DOS'        => [$TEXT =~ s/\n/\r\n/gr       => 'it is not a verdict, or damaged'],
        'a long line'             => [$TEXT =~ s/vm/'x' x 5000/er => 'it is not a verdict, or damaged'],
        'a name that comes twice' =>
            [$TEXT =~ s/^(state=)/$1fail\n$1/mr => 'it is damaged: it has state twice in a block'],
        'an unknown state'            => [$TEXT =~ s/pass/PASS/r => 'it is damaged: its state is unknown'],
        'a time that is not a number' => [
            $TEXT =~ s/^ended=/ended=-/mr => 'it is damaged: the end of its run is not a number of seconds'
        ],
        'a block without a state'   => [$TEXT =~ s/^state.*\n//mr => 'it is incomplete: it has no line state='],
        'a block of another number' => [$TEXT =~ s{1/1}{2/2}r     => 'it is incomplete'],
        'the same block twice'      => ["$TEXT\n$TEXT" => 'it is incomplete'],
        'two files without a gap'   => ["$TEXT$TEXT"   => 'it is damaged: it has host twice in a block'],
    );
    is(blocks_in($why{$_}[0]), "$why{$_}[1]\n", "$_ is refused") for sort keys %why;
};

subtest 'a file of a later version' => sub {
    my $later = $TEXT =~ s/^(end=)/colour=blue\n$1/mr;
    is_deeply(blocks_in($later), [block()], 'unknown names are left out');
    my $odd = $TEXT =~ s/^index_1=.*/index_1=1e9; rm/mr;
    is_deeply(blocks_in($odd)->[0]{indexes}, [['2d-index_1', '0.5']], 'an index that is not a number is left out');
};

subtest 'hostile values' => sub {
    my $text = UnixBench::Accept::VerdictFile::text(block(host => hostile_text(), reason => "a\nstate=pass\nend=1/1"));
    is(scalar(() = $text =~ /\n/g), 9, 'each value is one line');
    unlike($text =~ tr/\n//dr, qr/[\x00-\x1f\x7f]/, 'there are no control characters');
    is(blocks_in($text)->[0]{reason}, 'a\nstate=pass\nend=1/1', 'line ends are escaped');
    my $long = blocks_in(UnixBench::Accept::VerdictFile::text(block(reason => 'x' x 100_000)))->[0]{reason};
    cmp_ok(length $long, '<=', 1000, 'a long reason is cut');
};

done_testing;
