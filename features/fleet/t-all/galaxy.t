use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../../../t/lib ../../../lib);
use Collection                     ();
use Needs                          qw(need_tools skip_without);

# The collection passes galaxy-importer, the check of Ansible Galaxy, and each entry point of its role has arguments.

need_tools(qw(ansible-galaxy ansible-doc));

my $COLLECTION = 'features/fleet/ansible';
my $HOME       = "$FindBin::Bin/../../..";
my $IMPORTER   = "$HOME/build/galaxy/bin";

# Takes a change as a command of the shell. Builds a changed copy of the collection, and returns what galaxy-importer
# says.
sub imported {
    my ($change)   = @_;
    my $collection = Collection->new;
    my $script     = <<'END';
set -e
mkdir "$2"
cp -R "$0/." "$2/fleet"
cd "$2/fleet"
rm -rf tests/output
eval "$1"
ansible-galaxy collection build --output-path "$2" . >/dev/null
PATH=$3:$PATH
export PATH
cd "$2"
"$3/python3" -m galaxy_importer.main "$2"/unixbench-fleet-*.tar.gz
END
    local $ENV{PATH} = $ENV{PATH};
    my @words = ("$HOME/$COLLECTION", $change, $collection->place('import'), $IMPORTER);
    return $collection->run('sh', '-c', $script, @words);
}

subtest 'galaxy-importer passes' => sub {
    skip_without(tool => 'galaxy-importer (make setup-all)') if !-x "$IMPORTER/ansible-lint";
    my $said = imported('true');
    is($said->{status}, 0, 'its status') or diag $said->{text};
    like($said->{text}, qr/Importer processing completed successfully/, 'it reaches its end');
    unlike($said->{text}, qr/\b(?:ERROR|WARNING)\b/, 'without an error or a warning');
    my $without = imported('rm roles/unixbench/README.md');
    like($without->{text}, qr/No role readme found/, 'it finds a role without a README');
};

subtest 'each entry point has its arguments' => sub {
    my $collection = Collection->new;
    my @tasks      = map { m{([^/]+)[.]yml\z} } glob "$HOME/$COLLECTION/roles/unixbench/tasks/*.yml";
    cmp_ok(scalar @tasks, '>', 1, 'the role has several');
    my $said = $collection->run(qw(ansible-doc -t role --json unixbench.fleet.unixbench));
    is($said->{status}, 0, 'ansible-doc reads them');
    my $known = JSON::PP::decode_json($said->{text} =~ s/\A[^{]*//r)->{'unixbench.fleet.unixbench'}{entry_points};
    is_deeply([sort keys %$known], [sort @tasks], 'there is no other, and none is missing');
    is_deeply([grep { !$known->{$_}{options}{unixbench_results} } sort keys %$known], [], 'each has the variables');
};

done_testing();
