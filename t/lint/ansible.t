use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib", "$FindBin::Bin/../lib";
use Collection;
use InPath qw(path_of);
use Needs  qw(need_tools);
use Tree   qw(text tracked);
use UnixBench::Version;

# The Ansible collection passes ansible-lint with its strictest profile, and its documents name what exists.

need_tools(qw(ansible-lint ansible-playbook git));

my $COLLECTION = 'fleet/ansible';

# Returns the output of ansible-lint for a copy of the collection, changed by a command of the shell. The copy is a
# repository of its own, because ansible-lint reads what Git knows.
sub linted {
    my ($change)   = @_;
    my $collection = Collection->new;
    my $copy       = $collection->place('copy/ansible_collections/unixbench/fleet');
    my $script     = <<'END';
mkdir -p "$1" && cp -R "$0/." "$1" && cd "$1" && eval "$2" && git init -q && git add . &&
ANSIBLE_COLLECTIONS_PATH=${1%/ansible_collections/*} ansible-lint --offline --nocolor --profile production
END
    return $collection->run('sh', '-c', $script, $COLLECTION, $copy, $change);
}

my $lint = linted('true');
is($lint->{status}, 0, 'ansible-lint has nothing to say') or diag $lint->{text};
isnt(linted(q{sed -i 's/ansible[.]builtin[.]//' roles/suite/tasks/*.yml})->{status}, 0, 'it finds a short name');

my $readme = text("$COLLECTION/README.md");
for my $path (grep { m{\A$COLLECTION/playbooks/} } tracked()) {
    my ($name) = $path =~ m{([^/]+)[.]yml\z};
    like($readme, qr/^\| `unixbench[.]fleet[.]\Q$name\E` \|/m, "README describes the playbook $name");
}
my ($defaults, $specs) = map { text("$COLLECTION/roles/suite/$_.yml") } qw(defaults/main meta/argument_specs);
my @variables = $defaults =~ /^(unixbench_\w+):/mg;
for my $variable (@variables) {
    like($readme, qr/^\| `$variable` \|/m, "README describes $variable");
    my ($default) = $defaults =~ /^$variable: (.*)$/m;
    like(
        $specs,
        qr/^ +$variable:\n(?: +\w+:\n(?: +- .*\n)+)? +type: \w+\n +default: \Q$default\E\n/m,
        "the arguments of the role have $variable with its default"
    );
}
is(scalar(() = $specs =~ /^ +unixbench_\w+:$/mg), scalar @variables, 'the role has no further argument');

done_testing;
