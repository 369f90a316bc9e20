# A cause of disturbances, and a process that used CPU time, are named in every verdict that they leave open.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Fixture                        qw(measured result run tag tagged);
use PlantedCause                   ();
use Rendered                       qw(rendered);
use Verdicts                       qw(judged);
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

done_testing;
