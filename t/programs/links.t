use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../../lib";
use Needs       qw(need_built skip_without tracing);
use Programs    qw(programs);
use TestProgram qw(command created entries scratch);
use TestRun;

# Programs do not write through links that other users have put into a directory for scratch files.
my %SHORT = ((map { $_ => programs()->{$_}{fixed} } keys %{ programs() }), fstime => [qw(-c -n 5)]);
need_built(keys %SHORT);

subtest 'programs' => sub {
    for my $name (sort keys %SHORT) {
        my $directory = scratch();
        my $flags     = created(command($name, @{ $SHORT{$name} }), in => $directory);
        skip_without(tracing()) if !$flags;
        is keys %$flags, $name eq 'fstime' ? 2 : 0, "$name: number of created files";
        is join(' ', grep { !/O_EXCL.*, 0600/ } values %$flags), '',
            "$name: files are new, and only the user can read them";
        is_deeply [entries($directory)], [], "$name: no file is left";
    }
};

# The shell that plants the link becomes Run by exec, so it knows the name that Run tries first.
subtest 'the scratch directory of Run' => sub {
    my $say    = q{echo "scratch: $UB_SCRATCH $(ls -ld "$UB_SCRATCH/.." "$UB_SCRATCH" | cut -c1-10 | tr '\n' ' ')"};
    my $test   = TestRun->new(programs => { syscall => qq{$say\necho 'COUNT|12|1|lps' >&2} });
    my $victim = $test->place('victim');
    mkdir $victim or die "victim: $!";
    my $plant = 'umask 0; ln -s "$UB_TMPDIR/../victim" "$UB_TMPDIR/run-$$-1"; exec "$@"';
    my $ended = TestRun::waited(
        $test->started_by('/bin/sh', '-c', $plant, 'sh', $^X, "$TestRun::HOME/Run", qw(-q -c 1 -i 1 syscall)));
    is $ended->{status}, 0, 'Run makes another directory if its first name is taken' or diag $ended->{err};
    like $test->report('.log'), qr{scratch: \S+/run-\d+-2/\S+ drwx------ drwx------},
        'only the user can enter the scratch directory';
    is_deeply [entries($victim)],             [],  'nothing is written to the target of the link';
    is_deeply [map { s/.*-//r } $test->left], [1], 'only the link is left';
};

done_testing;
