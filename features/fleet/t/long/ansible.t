# The Ansible collection passes the checks of Ansible that need no download, and its documents name what exists. Its
# filter has a test of its own.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../lib ../../../../t/lib ../../../../lib);
use Collection                     qw(python);
use Needs                          qw(need_tools);
use Place                          qw(text_of);

need_tools(qw(ansible-lint ansible-playbook ansible-test git shellcheck));

my $HOME       = "$FindBin::Bin/../../../..";
my $COLLECTION = "$HOME/features/fleet/ansible";
my $PYTHON     = python();
chomp(my $VERSION = qx($PYTHON -c 'import sys; print("%d.%d" % sys.version_info[:2])'));

# The other tests of ansible-test install Python packages first.
my @SANITY = qw(compile empty-init future-import-boilerplate ignores line-endings metaclass-boilerplate no-assert
    no-basestring no-illegal-filenames no-smart-quotes no-unicode-literals shebang shellcheck symlinks);

# Takes a command, and a change as a command of the shell. Makes a changed copy of the collection, and returns what the
# command says of it. The copy is a repository of its own, because these tools read what Git knows.
sub said {
    my ($command, $change) = @_;
    my $collection = Collection->new;
    my $copy       = $collection->place('copy/ansible_collections/unixbench/fleet');
    my $script     = <<'END';
mkdir -p "$1" && cp -R "$0/." "$1" && cd "$1" && eval "$2" && git init -q && git add . && eval "$3"
END
    return $collection->run('sh', '-c', $script, $COLLECTION, $copy, $change, $command);
}

my $LINT =
    'ANSIBLE_COLLECTIONS_PATH=${PWD%/ansible_collections/*} ansible-lint --offline --nocolor --profile production';
my $lint = said($LINT, 'true');
is($lint->{status}, 0, 'ansible-lint has nothing to say') or diag $lint->{text};
my $test   = join ' --test ', "ansible-test sanity --color no --python $VERSION --python-interpreter $PYTHON", @SANITY;
my $sanity = said($test, 'true');
is($sanity->{status}, 0, 'ansible-test has nothing to say') or diag $sanity->{text};

my $waves = Collection->new->run($PYTHON, "$COLLECTION/tests/unit/plugins/filter/test_waves.py");
is($waves->{status}, 0, 'the test of the filter passes') or diag $waves->{text};
like($waves->{text}, qr/^Ran [1-9]/m, 'and has tests');

is(qx(shellcheck -s sh $COLLECTION/roles/unixbench/files/host.sh 2>&1), q{}, 'shellcheck finds nothing in host.sh');

my $readme    = text_of("$COLLECTION/README.md");
my @variables = text_of("$COLLECTION/roles/unixbench/defaults/main.yml") =~ /^(unixbench_\w+):/mg;
is_deeply([$readme =~ /^\| `(unixbench_\w+)` \|/mg], \@variables, 'README describes each variable');

done_testing;
