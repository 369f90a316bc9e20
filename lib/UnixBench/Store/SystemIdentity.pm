package UnixBench::Store::SystemIdentity;

# The identity of a system: the machine, its kernel and the measured programs. It must not change between the parts of
# one result.

use strict;
use warnings;

use Digest::SHA    ();
use File::Basename qw(basename);

use constant MEMORY_TOLERANCE => 0.01;    # a kernel does not find exactly the same memory after each start
use constant SCRIPT           => 'script of the users';    # not its file name, which another file may have, too

# Takes plan, result (without runs), cpu_count and settings; returns { name => text }. For a program, a script or an
# input file, the text is its SHA-256.
sub take {
    my ($plan, $result, $cpu_count, $settings) = @_;
    my ($host, $build) = ($result->{host}, $result->{build} || {});
    my $quota = $host->{cpu_quota};
    my %fact  = (
        version  => $result->{version},
        kernel   => _joined(@$host{qw(os release version machine)}),
        CPUs     => _models($host->{cpus}),
        quota    => defined $quota ? sprintf('%.2f CPUs', $quota) : 'none',
        language => _joined(@{ $result->{language} }{qw(lang charmap collate)}),
        usable   => "$cpu_count CPUs",
        memory   => defined $host->{memory_kb} ? sprintf('%.0f MB', $host->{memory_kb} / 1024) : 'unknown',
        (defined $plan->{display} ? (display => $plan->{display}) : ()),
        compiler => _joined(@$build{qw(compiler version flags ldflags libc)}),
    );
    return { %{ digests($plan, $settings) }, %fact };
}

# Takes plan and settings; returns { name => SHA-256 } of the programs, scripts and input files that are used.
sub digests {
    my ($plan, $settings) = @_;
    my @scripts   = map  { $_->{load} ? $_->{load}{script} : () } @{ $plan->{tests} };
    my %is_script = map  { $_->{path} => 1 } @scripts;
    my @files     = grep { !$is_script{$_} } _files($plan, $settings);
    my @digests   = grep { defined } map { $_->{sha256} } @scripts;
    return { (map { basename($_) => digest($_) } @files), map { (SCRIPT) => $_ } @digests };
}

# Takes two identities, the earlier one first; returns their differences, each in words.
sub differences {
    my ($then, $now) = @_;
    my %known = (%$then, %$now);
    return map { _difference($_, $then->{$_} // 'not there', $now->{$_} // 'not there') } sort keys %known;
}

sub _difference {
    my ($name, $then, $now) = @_;
    return if $then eq $now || $name eq 'memory' && _is_near($then, $now);
    my $is_digest = qr/\A[0-9a-f]{64}\z/;
    return "$name has changed" if $then =~ $is_digest && $now =~ $is_digest;
    $_ = $_ =~ $is_digest ? 'there' : $_ for $then, $now;
    return "$name was $then, is $now";
}

sub _is_near {
    my ($then, $now) = @_;
    my ($then_mb, $now_mb) = map { /\A([0-9]+) MB\z/ } $then, $now;
    return defined $now_mb && abs($then_mb - $now_mb) <= MEMORY_TOLERANCE * $then_mb;
}

# Takes a test of the plan and settings; returns the paths of all programs, scripts and input files that its command may
# name. They need not exist.
sub paths {
    my ($test, $settings)  = @_;
    my ($bindir, $testdir) = @$settings{qw(bindir testdir)};
    my @words = (@{ $test->{command} }, $test->{input} // ());
    my @more  = grep { m{/multi[.]sh\z} } @words;
    return ((map { m{/} ? $_ : "$testdir/$_" } @words), map { ("$bindir/tst.sh", "$testdir/sort.src") } @more);
}

# Takes a path; returns the SHA-256 of the file, or "not there" if it can't be read.
sub digest {
    my ($path) = @_;
    return 'not there' if !-f $path || !-r _;
    return Digest::SHA->new(256)->addfile($path, 'b')->hexdigest;
}

sub _files {
    my ($plan, $settings) = @_;
    return ("$settings->{bindir}/index.base", grep { -f } map { paths($_, $settings) } @{ $plan->{tests} });
}

# Returns the number of CPUs of each model, such as "2 x AMD EPYC".
sub _models {
    my ($cpus) = @_;
    my %count;
    $count{ $_->{model} // 'unknown' }++ for @$cpus;
    return join ', ', map { "$count{$_} x $_" } sort keys %count;
}

sub _joined {
    my (@texts) = @_;
    my $text    = join q{ }, grep { defined && length } @texts;
    return length $text ? $text : 'unknown';
}

1;
