package KeptOptions;

# Loaded into Run: the options stay what the user wrote, see UnixBench::Command. Run dies where it changes them.

use strict;
use warnings;

use Tie::Hash ();

use parent -norequire, 'Tie::StdHash';

{
    no warnings 'void';    # a fork of LoadedRun runs already, and calls keep() itself
    INIT { keep() if $0 =~ /\bRun\z/ }
}

# Makes UnixBench::Command::parse return options that can't be changed. Run has loaded that module from its own tree.
sub keep {
    my $parse = UnixBench::Command->can('parse') or return;
    no warnings qw(once redefine);
    *UnixBench::Command::parse = sub { return kept($parse->(@_)) };
    return;
}

# Takes data; returns it with hashes and lists that can't be changed. A hash dies only then: one that Perl itself
# protects dies, too, when a key is read that it does not have.
sub kept {
    my ($data) = @_;
    return $data if ref($data) !~ /\A(?:HASH|ARRAY)\z/;
    if (ref($data) eq 'ARRAY') {
        my @kept = map { kept($_) } @$data;
        Internals::SvREADONLY($_,    1) for @kept;
        Internals::SvREADONLY(@kept, 1);
        return \@kept;
    }
    my $hash = tie my %kept, __PACKAGE__;
    %$hash = map { $_ => kept($data->{$_}) } keys %$data;
    return \%kept;
}

sub STORE  { die "the option $_[1] is changed after the words were parsed\n" }
sub DELETE { die "the option $_[1] is removed after the words were parsed\n" }
sub CLEAR  { die "all options are removed after the words were parsed\n" }

1;
