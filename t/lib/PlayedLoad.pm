package PlayedLoad;

# Loaded with -MPlayedLoad: every pass has the tags in PLAYED_LOAD ("cause:level:value cause:level:value"), and no
# others, but for processes that the system refused to start. Without PLAYED_LOAD it has none. In the same way, the
# processes that used CPU time are those in PLAYED_PROCESSES ("name:pid:cpus name:pid:cpus").

use strict;
use warnings;

use File::Basename ();

use lib File::Basename::dirname(__FILE__) . '/../../lib';

require UnixBench::Noise::Disturbances;
require UnixBench::Noise::Processes;

my $found = \&UnixBench::Noise::Disturbances::found;

sub _tags {
    my ($seen) = @_;
    my @tags   = map { [split /:/] } split q{ }, $ENV{PLAYED_LOAD} // q{};
    return ((map { +{ cause => $_->[0], level => $_->[1], value => $_->[2] } } @tags),
        grep { $_->{cause} eq 'refused' } $found->($seen));
}

sub _processes {
    my @processes = map { [split /:/] } split q{ }, $ENV{PLAYED_PROCESSES} // q{};
    return map { +{ name => $_->[0], pid => $_->[1], cpus => $_->[2] } } @processes;
}

{
    no warnings 'redefine';
    *UnixBench::Noise::Disturbances::found  = \&_tags;
    *UnixBench::Noise::Processes::busiest   = \&_processes;
    *UnixBench::Noise::Processes::seen_cpus = sub { List::Util::sum(0, map { $_->{cpus} } _processes()) };
}

1;
