use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use TestRun;

# Takes environment variables; returns the facts of a run that must not depend on them.
sub measured {
    my (%env) = @_;
    my $test  = TestRun->new(env => { UB_OUTPUT_FILE_NAME => "caf\xc3\xa9", %env });
    my $run   = $test->run(qw(-c 2 -i 1 syscall hanoi --json), $test->place("\xe2\x82\xac.json"));
    return {
        status => $run->{status},
        err    => $run->{err} =~ s/^Run: .*load.*\n//mgr,
        files  => [$test->reports],
        copied => -s $test->place("\xe2\x82\xac.json") ? 1 : 0,
        titles => [sort keys %{ $test->scores }],
        passes => scalar(() = $test->report('.log') =~ /^#### Pass/mg),
    };
}

my $usual = measured();
is($usual->{status},          0, 'a usual run succeeds');
is(@{ $usual->{titles} } + 0, 2, 'a usual run measures two tests');

my @ODD = (
    (map { [PERLIO       => $_] } qw(:unix :stdio :utf8 :perlio :crlf), q{}),
    (map { [PERL_UNICODE => $_] } q{},     qw(SDA 63)),
    (map { [PERL5OPT     => $_] } '-CSDA', '-w -C63', '-C -w'),
    [PERL_SIGNALS => 'unsafe'],
);
for my $case (@ODD) {
    is_deeply(measured(@$case), $usual, 'the same run with ' . join q{=}, @$case);
}

subtest 'other words of PERL5OPT stay' => sub {
    my $test = TestRun->new(env => { PERL5OPT => "-CS -I$FindBin::Bin/../lib -MOtherHost", OTHER_HOST => 'elsewhere' });
    is($test->run(qw(-q -c 1 -i 1 hanoi))->{status}, 0, 'a run with PERL5OPT succeeds');
    like($test->report(q{}), qr/^   System: elsewhere: /m, 'modules in PERL5OPT are loaded');
};

done_testing();
