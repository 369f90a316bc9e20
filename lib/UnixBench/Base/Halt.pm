package UnixBench::Base::Halt;

# What is thrown when a run can't go on, and the test that was running has no part in that: the run ends and can be
# resumed. Where a text is wanted, it is its line. An internal error ends the run in the same way: a panic of Perl, or a
# mistake in the suite. Perl adds the place in the program to it; what was foreseen is a line without that.

use strict;
use warnings;

use Scalar::Util ();

use overload q{""} => sub { $_[0]->line }, fallback => 1;

# Takes the line that the user is told, with its newline.
sub new {
    my ($class, $line) = @_;
    return bless { line => $line }, $class;
}

sub line { my ($self) = @_; return $self->{line} }

# Takes what was thrown; returns whether the run ends by it: it is one of these, or an internal error.
sub is_thrown {
    my ($thrown) = @_;
    return Scalar::Util::blessed($thrown) ? ($thrown->isa(__PACKAGE__) ? 1 : 0) : _is_internal($thrown);
}

# Takes what was thrown; returns its line, which says so where it is an internal error.
sub in_words {
    my ($thrown) = @_;
    return _is_internal($thrown) ? "internal error, please report it: $thrown" : "$thrown";
}

sub _is_internal {
    my ($thrown) = @_;
    return $thrown =~ /[ ]at[ ].+[ ]line[ ][0-9]+(?:,[ ]<.*>[ ](?:line|chunk)[ ][0-9]+)?[.]\n\z/s ? 1 : 0;
}

1;
