package UnixBench::Cpus::Command;

# Measures what the CPUs of this machine are, and reports it: as text, and as page and JSON in the directory of results.

use strict;
use warnings;

use UnixBench::Base::Clock        ();
use UnixBench::Base::Files        ();
use UnixBench::Base::Halt         ();
use UnixBench::Base::Result       qw(ANONYMOUS);
use UnixBench::Base::Text         qw(shown unique);
use UnixBench::Call::Output       ();
use UnixBench::Catalog            ();
use UnixBench::Cpus::Measurement  ();
use UnixBench::Cpus::Own          ();
use UnixBench::Cpus::Report       ();
use UnixBench::Cpus::Slices       ();
use UnixBench::Cpus::Topology     ();
use UnixBench::Host::Cgroup       ();
use UnixBench::Host::KernelFiles  ();
use UnixBench::Process::Command   ();
use UnixBench::Score              qw(index_of_test);
use UnixBench::Store::OutputFiles ();
use UnixBench::Store::OutputLock  ();

use constant { TESTS => 'dhry2reg,syscall', US => 1e6 };

# Takes a UnixBench::Call; checks the tests and the outputs. Returns [names of the tests]. Dies with one line if they
# are wrong.
sub prepare {
    my ($call) = @_;
    my @names = unique(split /,/, $call->options->{counted} // TESTS);
    die "option --tests names no test\n" if !@names;
    for my $name (@names) {
        my $test = UnixBench::Catalog::test($name);
        next if $test && $test->{computes} && $test->{timed} eq 'all';
        my $why_not = $test ? 'it does not compute all the time' : 'there is no test of that name';
        die "option --tests: @{[shown($name)]} can't be used: $why_not\n";
    }
    UnixBench::Call::Output::check_tables($call->options);
    return \@names;
}

# Takes a call and [names of tests]; measures, prints the report, and writes page and JSON. Returns the outcome: "done",
# "failed" or "wrong usage". After an interruption, dies of the signal.
sub run {
    my ($call, $names) = @_;
    return UnixBench::Call::Output::reported(
        $call,
        found      => sub { _measured($call, @$names) },
        text       => \&UnixBench::Cpus::Report::in_format,
        more_files => sub {
            map { [$_ => "$_[0]{base}.$_"] } qw(json html);
        },
    );
}

# Takes a topology; dies with one line if it can't be measured.
sub refuse {
    my ($topology) = @_;
    my ($first, @others) = @{ $topology->{numbers} };
    die "cpus works on Linux only: this system does not say which CPUs a process may use\n" if !defined $first;
    return if @others;
    die "cpus compares CPUs, and this machine has only one\n" if $topology->{online} < 2;
    die "cpus compares CPUs, and this process may use only CPU $first: see taskset and cpuset\n";
}

# Measures. Returns the report, see UnixBench::Cpus::Report, with base => the path that page and JSON have in common.
# Dies with one line if it is refused, and of the signal after an interruption.
sub _measured {
    my ($call, @names) = @_;
    my ($settings, $clock, $files) = ($call->settings, UnixBench::Base::Clock->new, UnixBench::Host::KernelFiles->new);
    my $topology = UnixBench::Cpus::Topology::of($files);
    refuse($topology);
    $call->preparation->set_up;
    $call->preparation->build(qw(place taken));
    my ($started, $began_s) = ($clock->wall_s, $clock->monotonic_s);
    UnixBench::Base::Files::make_directory($settings->{resultdir});
    $call->console->complain("measuring the CPUs, for 12 to 70 seconds; more if others use them\n");
    my $plan   = UnixBench::Cpus::Measurement::planned($topology, @names);
    my $slices = UnixBench::Cpus::Slices->new(clock => $clock, files => $files, settings => $settings);
    my $slice  = sub { $slices->measured(@_) };
    my $rounds = eval { UnixBench::Cpus::Measurement::rounds($plan, $slice) };
    my ($why_not, $signal) = ($@, $slices->release);
    UnixBench::Process::Command::die_of($signal) if defined $signal;
    my @cpus = map { "@{ $_->{numbers} }" } $topology, UnixBench::Cpus::Topology::of($files);
    $why_not = "the CPUs that this process may use changed meanwhile: measure again\n" if $cpus[0] ne $cpus[1];
    die UnixBench::Base::Halt->new(line => $why_not) if length $why_not;
    my $found = UnixBench::Cpus::Measurement::found($plan, $rounds);
    my @quota = map { $_ / US } UnixBench::Host::Cgroup->new(files => $files)->run_and_period_us;
    @{ $found->{taken} }{qw(quota_run_s quota_period_s)} = @quota;
    my %pair = (status => 'measured', baseline => ($call->baseline->{context1} || {})->{score});
    $_->{index} = index_of_test({ %pair, score => $_->{rate}{value} }) for @{ $found->{places} };
    my $host  = $call->request->machine->host;
    my $model = ($host->head->{cpus}[0] || {})->{model} // 'unknown';
    my %about = (host => $host->name, model => $model, started => $started, seconds => $clock->monotonic_s - $began_s);
    $about{host} = ANONYMOUS if $call->options->{no_identity};
    $found->{own} = eval { UnixBench::Cpus::Own::newest($call->names, @about{qw(host model)}, $found->{places}) };
    my $day = "$settings->{resultdir}/" . UnixBench::Store::OutputLock::of_day(@about{qw(host started)}) . '-cpus';
    my ($base, $number) = ($day, 1);
    $base = sprintf '%s-%02d', $day, ++$number while UnixBench::Store::OutputFiles::is_used($base);
    return { %about, cpus => $found, base => $base, page => $call->request->shown_path("$base.html") };
}

1;
