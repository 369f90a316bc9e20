package UnixBench::Why;

# The feature why: the factors of a ratio, and the facts that can cause them.

use strict;
use warnings;

# The types of the factors of a ratio, see UnixBench::Base::ResultSchema.
my $TYPES = <<'END';
why: why a run is slower or faster than another: the factors of the ratios
  copies?           [whole]             of a single result: both numbers of copies
  missing           [text]              what is unknown
  tests             [why_row]           the tests whose factors are known
  indexes           [why_row]           the indexes of these tests

why_row: the factors of the ratio of a test or an index
  name?             text                of a test: its name on the command line
  category?         system|2d|3d|misc|interactive|multiuser
                                        of an index: its category
  title             text                its title in the reports
  complete?         boolean             of an index: whether all its tests were measured
  ratio             positive            second / first, of the rates of a copy; the product of the factors
  factors           {estimate}          cpu; clock; user and kernel, or both together: work; clock_work: clock and work
  counts?           [count_apart]       of a test: the counts of a loop that differ
  cycles?           [cycles_of_loop]    of a test: the cycles of a loop in each mode, as far as they are known
  largest?          text                of a test that is slower or faster: its largest factor that points the same way
  others?           [text]              of such a test: others that are about as large; they may point the other way
  unnamed?          boolean             of a test: whether it is slower or faster, and no factor is beyond its interval
  differs?          [fact_apart]        of a test: the facts that differ and can cause that
  shares_core?      boolean             of a test: whether there are more copies than cores

count_apart: a count of a loop that differs
  name              faults|switches|forced|calls
                                        page faults, switches, forced switches, system calls
  first             unsigned            on the first side
  second            unsigned            on the second side

cycles_of_loop: the cycles of a loop on both sides
  mode              user|kernel|all     where they are spent; all, if the modes can't be told apart
  first             unsigned            on the first side
  second            unsigned            on the second side
END

# Returns the declaration, see UnixBench::Features.
sub declaration {
    my %of_blocks = (is_of_blocks => 1, of_result => 'Why::Blocks', asked_by => 'why');
    return {
        part    => ['scaling'],
        options => [
            {
                follows      => { report => '--details', compare => '--fail-on' },
                flag         => '--why',
                is_of_output => 1,
                without      => ['by'],
                text         => 'divide each ratio into CPU time, clock, user work and kernel work',
                more         => 'See docs/kernels.md. For a single result: why several copies do not do several times '
                    . 'the work.',
            },
        ],
        types          => [$TYPES],
        of_results     => { why => 'Why::Value' },
        of_comparisons => { why => 'Why::Value' },
        steps          => [{ after => 'difference',  step      => '--why' }],
        topics         => [{ topic => 'Why::Blocks', of_result => 20 }],
        formats        => [
            { kind => 'why',          renderer => 'Report::Plain',    %of_blocks, is_below   => 1 },
            { kind => 'markdown why', renderer => 'Report::Markdown', %of_blocks, instead_of => 'markdown' },
        ],
    };
}

1;
