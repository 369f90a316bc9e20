package UnixBench::Store::SystemIdentity;

# The identity of a system: the machine, its kernel and the measured programs. It must not change between the parts of
# one result. An object of this class knows the programs, scripts and input files of the tests, as they were when the
# run began. A test is not measured if one of its files was replaced.

use strict;
use warnings;

use Digest::SHA    ();
use File::Basename qw(basename);
use Time::HiRes    ();

use UnixBench::Base::Arguments qw(named);
use UnixBench::Base::Halt      ();

use constant HELPER           => 'clock';    # the program that measures the clock of the CPUs after each pass
use constant MEMORY_TOLERANCE => 0.01;       # a kernel does not find exactly the same memory after each start
use constant SCRIPT           => 'script of the users';    # not its file name, which another file may have, too
use constant SETTLED_S        => 2;    # some file systems store whole seconds: a second change so soon could be missed

# The SHA-256 of each file that was read and is unchanged since then, by what identifies the file and its last change.
my %digest_of;

# The id of an installation of Linux. Machines that share a home directory may have the same name.
my $MACHINE_ID = '/etc/machine-id';

# Takes plan, result (without runs), cpu_count and settings; returns { name => text }. For a program, a script or an
# input file, the text is its SHA-256. The facts about the machine that also must not change are those of
# UnixBench::Host::FactList.
sub take {
    my ($plan, $result, $cpu_count, $settings) = @_;
    my $host = $result->{host};
    my %fact = (
        version     => $result->{version},
        usable      => "$cpu_count CPUs",
        memory      => defined $host->{memory_kb} ? sprintf('%.0f MB', $host->{memory_kb} / 1024) : 'unknown',
        $MACHINE_ID => digest($MACHINE_ID),
        (defined $plan->{display} ? (display => $plan->{display}) : ()),
    );
    my $helper = "$settings->{bindir}/" . HELPER;
    $fact{ +HELPER } = digest($helper) if -f $helper;
    return { %{ digests($plan, $settings) }, %fact };
}

# Takes plan and settings; returns { name => SHA-256 } of the programs, scripts and input files that are used.
sub digests {
    my ($plan, $settings) = @_;
    my @scripts   = map  { $_->{load} ? $_->{load}{script} : () } @{ $plan->{tests} };
    my %is_script = map  { $_->{path} => 1 } @scripts;
    my @files     = grep { !$is_script{$_} && -f } map { paths($_, $settings) } @{ $plan->{tests} };
    my @digests   = grep { defined } map               { $_->{sha256} } @scripts;
    my %of_files  = map  { basename($_) => digest($_) } "$settings->{bindir}/index.base", @files;
    return { %of_files, map { (SCRIPT) => $_ } @digests };
}

# Takes two identities, the earlier one first; returns their differences, each in words. If the script of the users is
# not there any more, that is the only one, because the script names its programs. Another version is the only one, too.
sub differences {
    my ($then, $now) = @_;
    my %known   = (%$then, %$now);
    my $is_gone = defined $then->{ +SCRIPT } && !defined $now->{ +SCRIPT };
    my @names   = $is_gone ? SCRIPT : sort keys %known;
    @names = 'version' if ($then->{version} // q{}) ne ($now->{version} // q{});
    return map { _difference($_, $then->{$_} // 'not there', $now->{$_} // 'not there') } @names;
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
    my @read  = ($settings->{work_factor} // 1) == 1 ? () : "$bindir/by-hand.sh";
    return ((map { m{/} ? $_ : "$testdir/$_" } @words), map { ("$bindir/tst.sh", @read, "$testdir/sort.src") } @more);
}

# Takes a path; returns the SHA-256 of the file, or "not there" if it can't be read. A file that has not changed since
# the last call is not read again.
sub digest {
    my ($path) = @_;
    my @status = Time::HiRes::stat($path);
    return 'not there' if !@status || !-f _ || !-r _;
    my $ctime_s = $status[10];
    my $status  = join q{ }, @status[0, 1, 7, 9], $ctime_s;
    return $digest_of{$status} if defined $digest_of{$status};
    my $is_settled = $ctime_s < Time::HiRes::time() - SETTLED_S;
    my $digest     = Digest::SHA->new(256)->addfile($path, 'b')->hexdigest;
    $digest_of{$status} = $digest if $is_settled;
    return $digest;
}

# Takes plan, settings and digests: { name => SHA-256 } as in the result, see digests().
sub new {
    my ($class, @given) = @_;
    my $given = named(\@given, qw(plan settings digests));
    my ($plan, $settings, $digests) = @$given{qw(plan settings digests)};
    my $self   = bless { %$given, files => {}, digest => {} }, $class;
    my $script = $digests->{ +SCRIPT };
    my %of_name;
    for my $test (@{ $plan->{tests} }) {
        my @paths = (paths($test, $settings), "$settings->{bindir}/" . HELPER);
        $self->{files}{ $test->{name} } = \@paths;
        $of_name{ basename($_) }        = $_ for grep { -f } @paths;
        $self->{is_missing}{$_}         = 1 for grep { !-f && index($_, "$settings->{bindir}/") == 0 } @paths;
        $self->{digest}{ $test->{load}{script}{path} } = $script if $test->{load} && defined $script;
    }
    $self->{digest}{ $of_name{$_} } //= $digests->{$_} for grep { defined $digests->{$_} } keys %of_name;
    my $helper = "$settings->{bindir}/" . HELPER;
    $self->{digest}{$helper} //= digest($helper) if -f $helper;
    $self->{place} = { map { $_ => _place($_) } @$settings{qw(bindir testdir)} };
    return $self;
}

# Takes a test of the plan. Dies with one line if a file that it uses has changed since the run began. Dies with a
# UnixBench::Base::Halt if a whole directory was removed or replaced.
sub check {
    my ($self, $test) = @_;
    my $places = $self->{place};
    for my $directory (sort keys %$places) {
        die UnixBench::Base::Halt->new(
            line => "the directory $directory was removed or renamed while the run was under way\n")
            if !-d $directory;
    }
    for my $path (@{ $self->{files}{ $test->{name} // q{} } || [] }) {
        my $what = $self->_what_happened_to($path) // next;
        my ($moved) = grep { _place($_) ne $places->{$_} && index($path, "$_/") == 0 } sort keys %$places;
        die UnixBench::Base::Halt->new(line => "the directory $moved was replaced while the run was under way\n")
            if defined $moved;
        die $self->_shown($path) . " was $what while the run was under way\n";
    }
    return;
}

sub _what_happened_to {
    my ($self, $path) = @_;
    my $digest = $self->{digest};
    return defined $digest->{$path} ? 'removed' : undef if !-f $path;
    return 'added' if $self->{is_missing}{$path};
    my $now = digest($path);
    return 'replaced' if $now ne ($digest->{$path} //= $now);
    return;
}

sub _shown {
    my ($self, $path) = @_;
    my $home = $self->{settings}{home} // return $path;
    return $path =~ s{\A\Q$home\E/}{}r;
}

sub _place {
    my ($directory) = @_;
    return join q{:}, (stat $directory)[0, 1];
}

1;
