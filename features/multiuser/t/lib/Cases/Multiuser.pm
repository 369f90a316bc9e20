package Cases::Multiuser;

# The results of the multi-user test that all reports are tested with, see Cases.

use strict;
use warnings;

use Fixture      qw(result run);
use MultiUserRun qw(asked load_lines played search_lines);

# Returns the cases, each { name, result }.
sub cases {
    return (
        _case('multiuser-incidents', [1, 20], [load_lines(lost => 1, alone => 1)]),
        _case('multiuser-capacity',  [], map { [search_lines($_)] } 11.4, 10.71, 12.2, 11.97, 10.9),
    );
}

sub _case {
    my ($name, $users, @passes) = @_;
    my $asked     = asked(@$users);
    my %procedure = (kind => 'official', time_factor => 1, work_factor => 1, multiuser => $asked);
    my $result    = result([run(1, played(@passes))], asked => ['multiuser'], procedure => \%procedure);
    return { name => $name, result => $result };
}

1;
