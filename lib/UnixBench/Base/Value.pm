package UnixBench::Base::Value;

# A value that a feature adds to runs, results, tests or comparisons, or has a say in. The methods of this class do
# nothing. A feature declares values => { key => class }, and the class extends this one. All are methods of the class.

use strict;
use warnings;

use UnixBench::Features qw(loaded);

# Takes the name of a method, and perhaps the parts of a result or of a plan, see UnixBench::Base::Result::parts.
# Returns { key => class } of the values whose class has such a method of its own. Loads the classes of all features
# that take part.
sub with {
    my ($method, $parts) = @_;
    my %class = %{ UnixBench::Features::merged('values', $parts) };
    return { map { _has_own($class{$_}, $method) ? ($_ => loaded($class{$_})) : () } keys %class };
}

# Takes the name of a method, a key, and perhaps parts; returns the class of this value, or undef if there is none with
# such a method of its own.
sub class {
    my ($method, $key, $parts) = @_;
    my $module = UnixBench::Features::merged('values', $parts)->{$key};
    return defined $module && _has_own($module, $method) ? loaded($module) : undef;
}

sub _has_own {
    my ($module, $method) = @_;
    return loaded($module)->can($method) != __PACKAGE__->can($method);
}

# Takes a run and its result; returns the value that reports and files have at this key of the run, or undef.
sub of_run { return }

# Takes a summary, see UnixBench::Summary; returns [what reports and files have at this key of the result].
sub of_result { return }

# Takes a result; returns what its own rounds show about runs, as the key earlier of a result has it.
sub variations { return }

# Takes the directory of results, and a result at the end of its run; returns (key => what it has there), or nothing.
sub of_directory { return }

# Takes logarithms of values, the earliest first; returns how many are before the last change of their level. This is
# the value "level".
sub last_change { return 0 }

# For a key of a test that is measured after its passes, and whose type has the same name: takes the value, and dies
# with one line if it makes no sense.
sub check { return }

# Takes the same; returns { name => count a loop }, see UnixBench::Score::Work.
sub counts { return {} }

# For a key that is the name of a test: takes this test of a run, and returns what it did not do in words, or undef.
sub shortfall { return }

# Takes the same; returns a line for each part of that.
sub complaints { return }

# Returns ("TYPE.KEY" of the feature's types => what stays of a text with --no-identity, ...), see
# UnixBench::Store::Redaction; "copy.data FEATURE" has a pattern for names of lines that a copy reports.
sub redacted { return }

# Returns what must be equal in results that are compared, see UnixBench::Compare::Kind.
sub aspects { return }

# Takes a change of the procedure, see UnixBench::Base::Result::changes; returns it in words, or undef.
sub change_in_words { return }

# For a key that requirements may name besides a value, NAME:key. Takes the key, a result, its run, the factor of the
# index or 1, [rows of an index or one test, { name, baseline }], and whether rounds that other load disturbed are left
# out. Returns an estimate or undef.
sub quantity { return }

# Takes the key, and the key over of the procedure; returns why there will be no such estimate, or nothing.
sub why_no_quantity { return }

# For a key of a side of a comparison: takes the path of a result and its summary, and returns what is compared of it,
# or nothing.
sub of_file { return }

# Takes two sides, which have a list of that at the key; returns their comparison, or nothing.
sub of_sides { return }

# Takes a comparison of two sides; returns its section of the report.
sub section_of { return }

# For a key of a pair of runs that are compared, and of a change in a series. An option with the same key asks for it.
# Takes the arguments of UnixBench::Compare::Comparison::of_features; returns the value.
sub of_pair { return }

# Takes that value, and whether the option is given; returns blocks of the report.
sub blocks_of { return }

# Takes the values of all pairs; returns in words what the option would show, or nothing.
sub next_step { return }

# Takes such a value; returns { name of a test => { row, ratio } }: the reason of its change, as files have it, and what
# the reason alone makes of the rate.
sub explained { return {} }

# Takes such a row; returns it in words.
sub words_of { return }

1;
