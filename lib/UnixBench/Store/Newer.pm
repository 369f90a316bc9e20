package UnixBench::Store::Newer;

# Reads results of a newer release as far as this version understands them. What it does not know is left out, and the
# notes of the result say so.

use strict;
use warnings;

use UnixBench::Base::Result       qw(is_measured);
use UnixBench::Base::ResultSchema ();
use UnixBench::Base::Shape        ();
use UnixBench::Base::Text         qw(clean shown);
use UnixBench::Features           ();
use UnixBench::Store::Measured    ();
use UnixBench::Version            ();

use constant SHOWN_MAX => 40;

my @OF_SCORE = (qw(score unit time_s samples dropped kept), keys %{ UnixBench::Features::merged('of_tests') });

# Takes the document of a newer release; leaves what this version understands. A key, a word or a fact that it does not
# know becomes unknown. Dies with a reference to what the file is if nothing can be read without it.
sub understand {
    my ($document) = @_;
    my $writer = UnixBench::Base::ResultSchema::writer($document->{version});
    _check_runs($_) for _objects($document->{runs});
    my $difference = UnixBench::Base::Shape::fit($document, UnixBench::Store::Measured::shape());
    if (defined $difference) {
        my $own = "version $UnixBench::Version::VERSION";
        my $what =
              "a result of $writer, a newer release, which $own can't read ("
            . clean($difference)
            . '); use that version';
        die \$what;
    }
    push @{ $document->{notes} }, "written by $writer, a newer release: what this version does not know is left out";
    return;
}

# Gives words of a run that this version does not know a known one.
sub _check_runs {
    my ($run) = @_;
    my $shape = UnixBench::Base::ResultSchema::shape('test');
    for my $test (_objects($run->{tests})) {
        _fail($test) if ($test->{status} // q{}) !~ $shape->{status};
        $test->{category} = 'misc' if ($test->{category} // q{}) !~ $shape->{category};
        my @passes = _objects($test->{passes});
        my @short  = map { _objects($_->{set_aside}) } @passes;
        for my $tag (map { _objects($_->{tags}) } @passes, @short) {
            $tag->{level} = 'disturbed' if ($tag->{level} // q{}) !~ /\A(?:note|disturbed)\z/;
        }
    }
    my %is_measured = map { ($_->{name} // q{}) => 1 } grep { is_measured($_) } _objects($run->{tests});
    $run->{indexes} = [grep { _is_index($_, \%is_measured) } _objects($run->{indexes})];
    return;
}

# Makes a test with an unknown status one that has failed.
sub _fail {
    my ($test) = @_;
    my $status = substr shown($test->{status} // 'missing'), 0, SHOWN_MAX;
    delete @$test{@OF_SCORE};
    @$test{qw(status reason)} = ('failed', "its status, $status, is unknown to this version");
    return;
}

# Returns whether this version knows an index: its category, and all its tests.
sub _is_index {
    my ($index, $is_measured) = @_;
    my $shape = UnixBench::Base::ResultSchema::shape('index');
    return ($index->{category} // q{}) =~ $shape->{category}
        && !grep { !$is_measured->{ $_->{name} // q{} } } _objects($index->{rows});
}

# Takes any data; returns the objects in it if it is a list.
sub _objects {
    my ($list) = @_;
    return ref $list eq 'ARRAY' ? grep { ref eq 'HASH' } @$list : ();
}

1;
