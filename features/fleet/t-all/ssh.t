# A fleet is measured by real SSH: a host, a host without Perl, and a host that is cut off. features/fleet/lab/fleet has
# more faults.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../../../t/lib ../../../lib);
use Alive                          qw(eventually);
use FakeRelease                    qw(fake_release);
use FleetTrial;
use Needs        qw(need_tools);
use NetworkHosts qw(enter_network);
use Place        qw(place);

enter_network();
need_tools(qw(ansible-playbook tar xz));

my $place   = place();
my $release = fake_release("$place");
symlink "$FindBin::Bin/../../../features", "$place/features" or die "link: $!\n";
my %words = (unixbench_tests => ['pipe'], unixbench_options => ['-c', 1], unixbench_poll => 0.2, ansible_timeout => 2);
my $trial = FleetTrial->new($release, { map { $_ => 'hv07' } qw(good perl-less off) }, %words);
my $perl_less = $trial->host('perl-less');
$perl_less->without_perl;
$trial->host('off')->down;

isnt($trial->play('accept', '-e', 'unixbench_second_try=false'), 0, 'the playbook fails if a host is not accepted');
is_deeply(
    { map { $_->{host} => $_->{outcome} } $trial->lines },
    { good => 'measured', 'perl-less' => 'refused', off => 'unreachable' },
    'each host has its outcome'
);
like($trial->text('good/alone-1.json'), qr/"name":"good"/, 'the result is that of the host');

is($trial->play('programs', '--limit', 'perl-less'), 0, 'programs run without Perl');
like($trial->log, qr/"pipe +1000 in 5 s"/, 'their counts are printed');

is($trial->play('accept', '--limit', 'good', '--tags', 'doctor', '-e', 'unixbench_strict=true'), 0, 'strict doctor');
like($trial->log, qr/^ +"good: refused: The doctor refuses: .* shortened to 0[.]001 of their length/m, 'it refuses');

$trial->host('off')->up;
is($trial->play('accept', '--tags', 'cleanup'), 0, 'the hosts are cleaned up, also the one without Perl');
for my $name ($trial->names) {
    ok(eventually(sub { !@{ $trial->host($name)->processes } }), "no process is left on $name");
    is_deeply($trial->host($name)->files, [], "no file is left on $name");
}
diag $trial->log if !Test::More->builder->is_passing;
done_testing;
