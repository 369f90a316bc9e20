package UnixBench::Store::Schema1;

# Upgrades results of schema 1, which version 7.0.0 wrote, to the form of this version. This is done before their shape
# is checked. Parts that have an unexpected shape are left as they are.
#
# The old forms have notes for some facts that are now data of the procedure. They have a line "NAME|v0|v1" of a copy as
# two texts, NAME0 and NAME1.

use strict;
use warnings;

use UnixBench::Base::ResultSchema ();
use UnixBench::Catalog            ();
use UnixBench::Store::Notes       ();

use constant SCHEMA => 1;

# The keys of a procedure for which the old forms have only notes.
my @NOTED = qw(display baseline load_change replacements resumptions interruption);

# The graphics tests: the display matters only to them.
my %IS_GRAPHICS = map { $_->{name} => 1 }
    grep { UnixBench::Catalog::category($_->{category})->{is_graphics} } UnixBench::Catalog::tests();

my $NUMBER   = qr/\A[0-9]+(?:[.][0-9]*)?(?:[eE][-+]?[0-9]{1,3})?\z/;
my $NUMBERED = qr/\A(.*[^0-9])(0|[1-9][0-9]{0,2})\z/s;

# Takes the document of a result's file as it was read, and upgrades it.
sub upgrade_document {
    my ($document) = @_;
    $document->{schema} = UnixBench::Base::ResultSchema::SCHEMA;
    upgrade_summary($_, $document->{utc_offset_s}) for $document, $document->{summary};
    my @tests = map { _hashes($_, 'tests') } _hashes($document, 'runs');
    upgrade_pass($_) for map { _hashes($_, 'passes') } @tests;
    return;
}

# Takes the summary of such a file, and how far its time zone is ahead of UTC, in seconds, or undef; upgrades the
# summary.
sub upgrade_summary {
    my ($summary, $utc_offset_s) = @_;
    return if ref $summary ne 'HASH' || ref $summary->{procedure} ne 'HASH' || ref $summary->{notes} ne 'ARRAY';
    return if grep { exists $summary->{procedure}{$_} } @NOTED;    # not schema 1: the check of its shape refuses it
    my $is_known = defined $utc_offset_s && !ref $utc_offset_s && $utc_offset_s =~ /\A-?[0-9]{1,6}\z/;
    my $noted    = UnixBench::Store::Notes::procedure($is_known ? $utc_offset_s : undef,
        grep { defined && !ref } @{ $summary->{notes} });
    $noted->{display} = undef if $noted->{display} eq 'given' && !grep { $IS_GRAPHICS{$_} } _names($summary);
    @{ $summary->{procedure} }{@NOTED} = @$noted{@NOTED};
    return;
}

# Takes a pass and upgrades its copies.
sub upgrade_pass {
    my ($pass) = @_;
    _upgrade_copy($_) for _hashes($pass, 'copies');
    return;
}

sub _upgrade_copy {
    my ($copy) = @_;
    return if ref $copy->{data} ne 'HASH';
    my $data = $copy->{data} = _lines($copy->{data});
    return if defined $copy->{error} || ref $data->{COUNT} ne 'ARRAY';
    my ($count, $timebase, $unit) = @{ $data->{COUNT} };
    my ($time_s) = ref $data->{TIME} eq 'ARRAY' ? @{ $data->{TIME} } : $copy->{elapsed_s};
    $copy->{count}    //= _number($count);
    $copy->{time_s}   //= _number($time_s);
    $copy->{timebase} //= _number($timebase || 0);
    $copy->{unit}     //= $unit;
    return;
}

# Takes { NAME0 => text, NAME1 => text, OTHER => text }; returns { NAME => [text, text], OTHER => [text] }. A single
# NAME0 stays as it is, because a name may end in a digit; only COUNT0 is known to be numbered.
sub _lines {
    my ($flat)  = @_;
    my %lines   = map { $_ => [$flat->{$_}] } keys %$flat;
    my $numbers = _numbers(grep { !ref $flat->{$_} } keys %$flat);
    for my $name (grep { !exists $flat->{$_} } keys %$numbers) {
        my $last = keys(%{ $numbers->{$name} }) - 1;
        next if !$last && $name ne 'COUNT' || grep { !$numbers->{$name}{$_} } 0 .. $last;
        $lines{$name} = [map { @{ delete $lines{"$name$_"} } } 0 .. $last];
    }
    return \%lines;
}

# Takes keys; returns { NAME => { number => 1 } } for those that end in a number.
sub _numbers {
    my (@keys) = @_;
    my %numbers;
    for my $key (@keys) {
        my ($name, $number) = $key =~ $NUMBERED or next;
        $numbers{$name}{$number} = 1;
    }
    return \%numbers;
}

sub _number {
    my ($text) = @_;
    return defined $text && !ref $text && $text =~ $NUMBER ? 0 + $text : $text;
}

# Returns the names of the tests of a summary or result. Before it has runs: of the tests that were asked for.
sub _names {
    my ($summary) = @_;
    my @names = map { $_->{name} // q{} } map { _hashes($_, 'tests') } _hashes($summary, 'runs');
    return @names if @names || ref $summary->{asked} ne 'ARRAY';
    return map { UnixBench::Catalog::expand($_) } grep { defined && !ref } @{ $summary->{asked} };
}

# Takes a hash and a key; returns the hashes in the list under this key.
sub _hashes {
    my ($hash, $key) = @_;
    return ref $hash->{$key} eq 'ARRAY' ? grep { ref eq 'HASH' } @{ $hash->{$key} } : ();
}

1;
