use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/../../../../$_" } qw(t/lib lib);
use Needs qw(need_built);
use TestRun;
use UnixBench::Catalog ();

# Whole runs of the interactive tests by Run, with the real program.
need_built('interbench');

# The response has a score only if each cell takes a second; the capacity needs less. On a busy machine no frame may be
# on time, or the last frames may lack the time, which the message says.
my %FACTOR = ('interactive-capacity' => 0.05, 'interactive-response' => 0.25);

for my $test (grep { $_->{category} eq 'interactive' } UnixBench::Catalog::tests()) {
    my $run   = TestRun->new(env => { UB_TIME_FACTOR => $FACTOR{ $test->{name} } });
    my $title = $test->{title};
    $run->put('interbench', '../../pgms/interbench');
    my $ended   = $run->run('-q', '-i', 1, '-c', 1, $test->{name});
    my $is_late = $ended->{err} =~ /^Run: "\Q$title\E": (?:no frame was on time|.*: the machine was too busy to )/m;
    is($ended->{status}, $is_late ? 1 : 0, "$title: exit status 0 if it has a score, else 1") or diag $ended->{said};
    cmp_ok($run->scores->{$title} // 0, '>', 0, "$title has a score") if !$is_late;
    is_deeply([$run->left], [], 'the scratch directory is empty');
}

done_testing;
