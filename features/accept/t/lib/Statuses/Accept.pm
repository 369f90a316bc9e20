package Statuses::Accept;

# Calls that end with each exit status of this feature, see t/run/statuses.t of the core.

use strict;
use warnings;

use TestProgram                    qw(write_file);
use TestRun                        ();
use UnixBench::Accept::VerdictFile ();

# Takes a function that calls Run with the words that it gets, beside results whose test pipe reaches 1,600,000; and one
# that measures syscall with the rates and the words that it gets. Both return the exit status. Returns "command or
# option" and the status => function that makes it, for each.
sub made {
    my ($with_results, $measured) = @_;
    my $bisect = sub {
        my (@requirement) = @_;
        return sub {
            $measured->([990, 1000, 1010], qw(-q -c 1 -i 3 syscall --bisect), map { ('--require', $_) } @requirement);
        };
    };
    return (
        '--require 3'  => sub { $with_results->(qw(report usual --require pipe>=3200000)) },
        '--require 4'  => sub { $with_results->(qw(report usual --require pipe>=1600000)) },
        '--bisect 0'   => $bisect->('syscall>=500'),
        '--bisect 1'   => $bisect->('syscall>=2000'),
        '--bisect 125' => $bisect->('syscall>=1000'),
        '--bisect 128' => $bisect->('sycall>=1000'),
        'check 0'      => sub { _checked('pass') },
        'check 1'      => sub { _checked('inconclusive') },
        'check 2'      => sub { _checked('fail') },
        'check 3'      => sub { _checked('unknown') },
    );
}

# Takes the state of a verdict; returns the exit status of check.
sub _checked {
    my ($state) = @_;
    my $test    = TestRun->new;
    my %block   = (host => 'vm', state => $state, reason => 'none', ended => time, indexes => []);
    write_file($test->place('verdict'), UnixBench::Accept::VerdictFile::text(\%block));
    return $test->run('check', $test->place('verdict'))->{status};
}

1;
