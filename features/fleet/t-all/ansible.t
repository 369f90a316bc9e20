use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../../../t/lint/lib ../../../t/lib ../../../lib);
use Collection                     qw(python);
use Needs                          qw(need_tools);
use Place                          qw(text_of);
use Tree                           qw(files);
use UnixBench::Version;

# The Ansible collection passes ansible-lint with its strictest profile and the tests of ansible-test that need no
# download, and its documents name what exists.

need_tools(qw(ansible-lint ansible-playbook ansible-test git));

my $COLLECTION = 'features/fleet/ansible';

my $LINT =
    'ANSIBLE_COLLECTIONS_PATH=${PWD%/ansible_collections/*} ansible-lint --offline --nocolor --profile production';

# The other tests of ansible-test install Python packages first.
my @SANITY = qw(action-plugin-docs compile empty-init future-import-boilerplate ignores line-endings
    metaclass-boilerplate no-assert no-basestring no-dict-iteritems no-dict-iterkeys no-dict-itervalues
    no-get-exception no-illegal-filenames no-main-display no-smart-quotes no-unicode-literals replace-urlopen shebang
    shellcheck symlinks use-argspec-type-path use-compat-six);
my $PYTHON = python();
chomp(my $VERSION = qx($PYTHON -c 'import sys; print("%d.%d" % sys.version_info[:2])'));
my $SANITY = join ' --test ', "ansible-test sanity --color no --python $VERSION --python-interpreter $PYTHON", @SANITY;

# Takes a command, and a change as a command of the shell. Makes a changed copy of the collection, and returns what the
# command says of it. The copy is a repository of its own, because these tools read what Git knows.
sub said {
    my ($command, $change) = @_;
    my $collection = Collection->new;
    my $copy       = $collection->place('copy/ansible_collections/unixbench/fleet');
    my $script     = <<'END';
mkdir -p "$1" && cp -R "$0/." "$1" && cd "$1" && rm -rf tests/output &&
eval "$2" && git init -q && git add . && eval "$3"
END
    return $collection->run('sh', '-c', $script, $COLLECTION, $copy, $change, $command);
}

my $lint = said($LINT, 'true');
is($lint->{status}, 0, 'ansible-lint has nothing to say') or diag $lint->{text};
my $short = said($LINT, q{sed -i 's/ansible[.]builtin[.]//' roles/unixbench/tasks/*.yml});
isnt($short->{status}, 0, 'it finds a short name');

my $sanity = said($SANITY, 'true');
is($sanity->{status}, 0, 'ansible-test has nothing to say') or diag $sanity->{text};
my $odd = said($SANITY, q{sed -i '1i #!/usr/bin/env perl' roles/unixbench/files/runner.pl});
isnt($odd->{status}, 0, 'it finds an interpreter that Ansible does not know');

my $readme = text_of("$COLLECTION/README.md");
for my $path (grep { m{\A$COLLECTION/playbooks/} } files()) {
    my ($name) = $path =~ m{([^/]+)[.]yml\z};
    like($readme, qr/^\| `unixbench[.]fleet[.]\Q$name\E` \|/m, "README describes the playbook $name");
}
my ($defaults, $specs) = map { text_of("$COLLECTION/roles/unixbench/$_.yml") } qw(defaults/main meta/argument_specs);
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
