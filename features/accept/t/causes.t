# Verdicts beside other load: each reason has at most 80 characters, and JUnit tells once what the load was, with its
# cause and the process that used CPU time.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use BusyRun                        qw(busy_result tells_once);
use Fixture                        qw(measured result run tag tagged);
use PlantedCause                   ();
use Rendered                       qw(rendered);
use Verdicts                       qw(judged);
use UnixBench::Accept::Verdict     qw(reason sentence);
use UnixBench::Accept::VerdictFile ();
use UnixBench::Base::Text          qw(clean);

# Takes the disturbance of each pass; returns the verdict as JUnit and as a verdict file, and the case.
sub disturbed {
    my ($tag)  = @_;
    my $pipe   = tagged(measured('pipe', 1, map { 1000 + $_ } 0 .. 9), { map { $_ => [$tag] } 1 .. 10 });
    my $result = result([run(1, $pipe)]);
    my @cases  = judged($result, [1], 'pipe>=500' => undef);
    my ($case) = grep { $_->{kind} eq 'requirement' } @cases;
    is($case->{verdict}, 'INCONCLUSIVE', 'other load makes a failure inconclusive');
    return map { [$_ => rendered($_ => $result, @cases)] } qw(junit verdict);
}

for my $text (disturbed(tag('moon', 'disturbed', 0.8))) {
    like($text->[1], qr/other load/,                                                 "$text->[0]: the cause");
    like($text->[1], qr/<property name="other load" value="moonlight 0[.]80 moons"/, 'junit: what the load did')
        if $text->[0] eq 'junit';
}

# This name has characters that mean something to a terminal and in XML.
my %YES = (name => clean("\e[1m<b>*yes*"), pid => 4711, cpus => 0.98);
for my $text (disturbed({ %{ tag('others', 'disturbed', 0.98) }, by => [\%YES] })) {
    like($text->[1], qr/0[.]98 CPUs used, above all .*yes[*]"/, 'junit: the process') if $text->[0] eq 'junit';
    unlike($text->[1], $text->[0] eq 'junit' ? qr/\e|<b>/ : qr/\e/, "$text->[0]: no escape sequence, and no markup");
}

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
