package OneFile;

# Runs one test file for t/suite, until it ends: a process that it has left behind may keep its standard output open.

use strict;
use warnings;

use File::Temp ();

use Place qw(content of_environment);

# Takes the file for a test's standard error, the number of seconds after which it hangs, and the command that runs it.
# Prints what the test has printed, and exits as the test does. A test that hangs is ended, with all processes that it
# began, and a line in that file says so.
sub run {
    my ($said, $seconds, @command) = @_;
    open STDERR, '>', $said or die "$said: $!\n";
    my $printed = File::Temp->new;
    local $ENV{UB_TEST_FILE} = "$$.";
    my $test = fork // die "fork: $!\n";
    if (!$test) {
        open STDOUT, '>&', $printed or die "$!\n";
        exec @command or die "$command[0]: $!\n";
    }
    my $is_late;
    local $SIG{ALRM} = sub { $is_late = kill KILL => $test };
    alarm $seconds;
    waitpid $test, 0;
    my $status = $?;
    alarm 0;
    if ($is_late) {
        print {*STDERR} "nothing more within $seconds s: it hung, and was ended\n";
        kill KILL => grep { $_ != $$ } of_environment("UB_TEST_FILE=$$.");
    }
    print content("$printed");
    exit($status & 127 ? 128 + ($status & 127) : $status >> 8);
}

1;
