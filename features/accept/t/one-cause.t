# Verdicts beside other load: each reason has at most 80 characters, and JUnit tells once what the load was.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use BusyRun                        qw(busy_result tells_once);
use ReadJUnit                      ();
use Rendered                       qw(rendered);
use Verdicts                       qw(judged);
use UnixBench::Accept::VerdictFile ();
use UnixBench::Accept::Verdict     qw(reason sentence);

my $result = busy_result();
my @cases  = judged($result, [1, 4], 'index>=1e5' => undef, 'pipe>=1e9' => undef);

my @open = grep { $_->{kind} eq 'requirement' } @cases;
is(join(q{ }, map { $_->{verdict} } @open), join(q{ }, ('INCONCLUSIVE') x @open), 'the load leaves all verdicts open');

tells_once('JUnit', rendered(junit => $result, @cases) =~ s/<property name="other load" value="/Other load: /gr, 2);

subtest 'reasons are short' => sub {
    is_deeply([grep { length reason($_) > 80 } @cases], [], 'at most 80 characters');
    like(sentence($open[0]), qr/\AINCONCLUSIVE index>=1e5 [(]1 copy[)]: at least [\d.]+; other load\z/, 'a sentence');
    my ($block) = UnixBench::Accept::VerdictFile::blocks(rendered(verdict => $result, @cases));
    cmp_ok(length $block->{reason}, '<=', 80, 'that of a verdict file, too');
    like(
        $block->{reason},
        qr/\Aindex>=1e5 [(]1 copy[)]: .*other load; and \d more\z/,
        'it says how many more there are'
    );
    is($block->{cause}, 'index>=1e5 (1 copy): other load; and 3 more', 'the cause has no numbers of this host');
    my %long = (%{ $open[0] }, title => 'index>=0.9*' . 'x' x 200, other_load => undef, reason => 'y' x 200);
    cmp_ok(length reason(\%long),                                        '<=', 80, 'a long reason is cut');
    cmp_ok(length UnixBench::Accept::Verdict::reason_of(\%long, \%long), '<=', 80, 'also with a long title');
};

done_testing;
