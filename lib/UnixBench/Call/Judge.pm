package UnixBench::Call::Judge;

# Judges a result: by its tests, as this class does, or by what an option asks for, as a class does that extends this
# one. A feature declares { option => key of that option, module => that class, takes_several => whether that judges
# several results of one machine together }.

use strict;
use warnings;

use UnixBench::Base::Arguments qw(named);
use UnixBench::Features        qw(loaded);
use UnixBench::Summary::Cases  ();

# Takes the options of a call; returns the package of its judge: of several, the one that extends the others.
sub package_for {
    my ($options) = @_;
    my @asked     = grep { defined $options->{ $_->{option} } } UnixBench::Features::list('judges');
    my ($most)    = sort { $b->isa($a) <=> $a->isa($b) } map { loaded($_->{module}) } @asked;
    return $most // __PACKAGE__;
}

# Takes a UnixBench::Call; finds the other results that its options name. Returns { files => [their paths], options =>
# { key => the value of an option, with these paths instead of names } }. Dies with one line if there is no such result.
sub found { return { files => [], options => {} } }

# Takes context => UnixBench::Call::Request.
sub new {
    my ($class, @given) = @_;
    return bless named(\@given, qw(context)), $class;
}

# Takes a result as { label, summary, result (undef for a text report) }, or several of them if the judge takes several,
# or nothing for the run that is planned. Dies with one line if that will not have what is asked for.
sub check { return }

# Takes a function that tells the user a line, and one that returns the result of the planned run, without runs; none if
# results were checked. Returns why that can't be judged, one line, or undef.
sub refusal { return }

# Returns whether a quick run ends by its verdict alone, whatever its precision is.
sub decides_alone { return 0 }

# Takes the result and its unfinished run; returns whether more passes would not change the verdict.
sub is_decided { return 1 }

# Takes a result as { summary, result }, or several that were checked together; returns the cases, see
# UnixBench::Summary::Cases.
sub cases {
    my ($self, $side) = @_;
    return map { @$_ } UnixBench::Summary::Cases::by_run(@$side{qw(summary result)});
}

# Takes such cases; returns lines about them for the user.
sub lines { return }

# Takes such cases; returns the outcome, a key of %STATUS in UnixBench::App.
sub outcome {
    my ($self, @cases) = @_;
    return UnixBench::Summary::Cases::has_failed(@cases) ? 'test failed' : 'done';
}

1;
