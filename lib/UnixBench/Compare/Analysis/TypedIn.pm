package UnixBench::Compare::Analysis::TypedIn;

# The meters of two systems as somebody has typed them in, in the form that t/data/multics.json has.

use strict;
use warnings;

use Scalar::Util qw(looks_like_number);

use UnixBench::Base::Format qw(shown);

use constant {
    MOST        => '1e15',
    IN_MIN_S    => 60,
    ALL_PERCENT => 100 + 1e-9,
    NEEDED      => '{"A": {"name": ..., "cpu_total_s": ...}, "B": {...}}',
};

# How the meters of an analysis are called there, see UnixBench::Compare::Analysis::Meters; others keep their names.
my %NAME   = (other_pct => 'useful_pct', idle_zero_pct => 'idle_pct');
my @NUMBER = qw(elapsed_s elapsed_min cpu_total_s cpu_virtual_s cpu_good_s page_faults other_pct idle_zero_pct);
my @ALIKE  = ([qw(elapsed_s elapsed_min)], [qw(other_pct useful_pct)], [qw(idle_zero_pct idle_pct not_idle_pct)]);

# Takes what was read from such a file; returns its systems, two { label, is_typed_in, meters => { meter => [number] },
# costs => { label => amount } }. What is null is not known. Other numbers are meters, too; other texts, and all beside
# A and B, are left out. Dies with one line, what is wrong and what is needed.
sub systems {
    my ($data) = @_;
    return map { _system($_, ref $data eq 'HASH' ? $data->{$_} : undef) } qw(A B);
}

# Takes the name of a meter, returns the key that it has in a file.
sub key_of {
    my ($meter) = @_;
    my %key_of = (not_idle_pct => 'idle_zero_pct', reverse %NAME);
    return $key_of{$meter} // $meter;
}

sub _system {
    my ($letter, $given) = @_;
    die "it has no object $letter; needed is @{[NEEDED]}\n" if ref $given ne 'HASH';
    my $name = $given->{name};
    die "$letter.name is no text; needed is the name of a system\n" if !defined $name || ref $name || $name !~ /\S/;
    my %number = map { $_ => scalar _number("$letter.$_", $given->{$_}, /_pct\z/ ? 100 : MOST) } _numbers($given);
    _check_alike($letter, \%number);
    die "$letter has no number; needed is at least one meter, such as cpu_total_s\n"
        if !grep { defined } values %number;
    my $meters = _meters($letter, %number);
    return { label => $name, is_typed_in => 1, meters => $meters, costs => _costs("$letter.cost", $given->{cost}) };
}

# Of names that mean the same one is enough.
sub _check_alike {
    my ($letter, $number) = @_;
    for my $names (@ALIKE) {
        my @given = grep { defined $number->{$_} } @$names;
        die "$letter has both $given[0] and $given[1]; needed is one of them\n" if @given > 1;
    }
    return;
}

sub _numbers {
    my ($given)  = @_;
    my %is_known = map { $_ => 1 } @NUMBER, qw(name cost);
    return ((grep { exists $given->{$_} } @NUMBER), grep { !$is_known{$_} && _is_number($given->{$_}) } keys %$given);
}

sub _is_number {
    my ($value) = @_;
    return defined $value && !ref $value && looks_like_number($value) && $value >= 0 && $value <= MOST;
}

sub _number {
    my ($where, $value, $most) = @_;
    return if !defined $value;
    return $value + 0 if _is_number($value) && $value <= $most;
    my $found = ref $value ? 'no number' : '"' . shown($value) . q{"};
    die shown($where) . " is $found; needed is a number, 0 to $most, or null\n";
}

sub _meters {
    my ($letter, %number) = @_;
    my $elapsed_min = delete $number{elapsed_min};
    my %meter       = map { ($NAME{$_} // $_) => $number{$_} } sort keys %number;
    $meter{elapsed_s} = $elapsed_min * IN_MIN_S if defined $elapsed_min;
    my $idle = $meter{idle_pct};
    $meter{not_idle_pct} = 100 - $idle if defined $idle;
    die "$letter.other_pct and $letter.idle_zero_pct are more than 100 together; needed are parts of the same time\n"
        if ($idle // 0) + ($meter{useful_pct} // 0) > ALL_PERCENT;
    return { map { $_ => [$meter{$_}] } grep { defined $meter{$_} } keys %meter };
}

sub _costs {
    my ($where, $given) = @_;
    return {} if !defined $given;
    die "$where is no object; needed is {\"label\": amount}\n" if ref $given ne 'HASH';
    my %cost = map { $_ => scalar _number("$where.$_", $given->{$_}, MOST) } keys %$given;
    return { map { $_ => $cost{$_} } grep { defined $cost{$_} } keys %cost };
}

1;
