package UnixBench::Plan::Demand;

# What a plan needs of the system that it runs on: the most at one moment, and what its reports take.

use strict;
use warnings;

use List::Util ();

use UnixBench::Catalog        ();
use UnixBench::Plan::Plan     ();
use UnixBench::Plan::UserLoad ();

# Processes and memory: of Run, its guardian and the short commands before a run, beside what runs already.
use constant {
    PROCESSES_OF_RUN => 8,
    MEMORY_KB_OF_RUN => 8192,
    DIRECTORY_KB     => 4,      # each copy has one
    TEXTS_IN_MEMORY  => 2,      # sort has its text in memory, with a table of the lines
    REPORT_KB        => 128,    # all reports without their passes
    REPORT_COPY_KB   => 1,      # a copy of a pass, in all reports together
    REPORT_OUTPUTS   => 2,      # what it printed is in the log and, until the end, in the journal
    OBSERVED_KB      => 64,     # the calls of a test, in all reports together
};

# Of what observes a test, beside that: bpftrace, which is measured with 32 MB on two CPUs, and its compiler's threads.
# of_copy: strace.
use constant TRACER => { processes => 4, of_copy => 1, memory_kb => 65_536 };

# Takes a plan, a number of copies, and how many times the text of the shell tests is as long as usual. Returns
# { copies, users, is_search, processes, memory_kb, scratch_kb }: what all copies together need at most at one moment;
# memory is without files, users are those of the test that needs the most memory, undef where it has none; is_search:
# they are the most that a search may try.
sub of_copies {
    my ($plan, $copies, $work_factor) = @_;
    my @needs     = map  { _of_test($_, $work_factor) } UnixBench::Plan::Plan::measured($plan, $copies);
    my %most      = map  { $_ => _most($_, @needs) } qw(processes memory_kb scratch_kb);
    my ($largest) = grep { $_->{memory_kb} == $most{memory_kb} } @needs;
    my $tracer    = $plan->{is_observed} ? TRACER : {};
    return {
        copies => $copies,
        (map { $_ => ($largest || {})->{$_} } qw(users is_search)),
        processes => $copies * ($most{processes} + ($tracer->{of_copy} || 0)) +
            PROCESSES_OF_RUN +
            ($tracer->{processes} || 0),
        memory_kb  => $copies * $most{memory_kb} + MEMORY_KB_OF_RUN + ($tracer->{memory_kb} || 0),
        scratch_kb => $copies * ($most{scratch_kb} + DIRECTORY_KB),
    };
}

# Takes a plan; returns the KB that its reports take, all formats together.
sub of_reports {
    my ($plan) = @_;
    my $kb = REPORT_KB;
    for my $copies (@{ $plan->{copies} }) {
        $kb += $copies * UnixBench::Plan::Plan::passes_most($plan, $_, $copies) * _of_pass($_)
            for UnixBench::Plan::Plan::measured($plan, $copies);
        $kb += OBSERVED_KB * grep { $_->{observed} } UnixBench::Plan::Plan::measured($plan, $copies);
    }
    return int $kb;
}

sub _of_test {
    my ($test, $work_factor) = @_;
    my $needs   = $test->{needs};
    my $text_kb = $needs->{text_kb} * $work_factor;
    my $load    = $test->{load};
    return {
        processes  => $needs->{processes},
        memory_kb  => $needs->{memory_kb} + $text_kb * TEXTS_IN_MEMORY,
        scratch_kb => $needs->{scratch_kb} + $text_kb,
        users      => $load ? UnixBench::Plan::UserLoad::users_most($load)     : undef,
        is_search  => $load && UnixBench::Plan::UserLoad::is_search($load) ? 1 : 0,
    };
}

sub _most {
    my ($what, @needs) = @_;
    return List::Util::max(0, map { $_->{$what} } @needs);
}

# The KB that a copy adds to the reports by a pass of a test.
sub _of_pass {
    my ($test) = @_;
    return REPORT_COPY_KB + REPORT_OUTPUTS * _part_of_pass($test) * $test->{needs}{output_kb};
}

# A short one prints less, but where users play a script, they play all of it.
sub _part_of_pass {
    my ($test) = @_;
    return 1 if $test->{load};
    return List::Util::min(1, $test->{seconds} / UnixBench::Catalog::test($test->{name})->{seconds});
}

1;
