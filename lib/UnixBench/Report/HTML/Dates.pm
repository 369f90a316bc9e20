package UnixBench::Report::HTML::Dates;

# Scales of time, with dates as the texts of their ticks.

use strict;
use warnings;

use Exporter 'import';
use List::Util qw(max);
use POSIX      ();

use UnixBench::Base::Time          qw(begin_of_month iso_time);
use UnixBench::Report::HTML::Scale qw(place tick_text width_of ROOM);

our @EXPORT_OK = qw(dates);

# The ends are percent of the width; there are values on the left.
use constant ENDS => [19, 97];
use constant { DAY => 86_400, DAYS_LEAST => 3, TICKS_LEAST => 2, TICKS_MOST => 4, MONTHS_OF_YEAR => 12 };

my %MONTH = (number_of => \&_month, begin_of => \&_begin_of_month);
my %DAY   = (
    number_of => sub { return POSIX::floor($_[0] / DAY) },
    begin_of  => sub { return $_[0] * DAY },
);

# Ticks stand where a month or a day begins whose number is a multiple of one of these. Their text is a part of the
# date, [begin, length] in "2026-11-26". The coarsest ticks come first.
my @UNITS = (
    { %MONTH, part => [0, 4], every => [map { MONTHS_OF_YEAR * 2**$_ } reverse 0 .. 10] },
    { %MONTH, part => [0, 7], every => [12, 6, 3, 2, 1] },
    { %DAY,   part => [5, 5], every => [map { 2**$_ } reverse 0 .. 5] },
);

# Takes two times in seconds since 1970; returns a linear scale from the earlier to the later, see
# UnixBench::Report::HTML::Scale, but of at least three days. Its ticks are two to four times at which a year, a month
# or a day begins in UTC. Their texts are dates, which have room in a small picture.
sub dates {
    my ($from, $to) = @_;
    my $widened = max(0, DAYS_LEAST * DAY - ($to - $from)) / 2;
    my %scale   = (low => $from - $widened, high => $to + $widened, is_linear => 1, ends => ENDS, ticks => []);
    for my $unit (@UNITS) {
        my ($begin, $length) = @{ $unit->{part} };
        $scale{text_of} = sub { return substr iso_time($_[0], 0), $begin, $length };
        for my $step (_steps(@{ $unit->{every} })) {
            my @ticks = grep { _has_room(\%scale, $_) } _times(\%scale, $unit, @$step);
            return { %scale, ticks => \@ticks } if _are_apart(\%scale, @ticks);
        }
    }
    return \%scale;
}

# Takes numbers; returns [number, 0] of each, which leads to round dates, then [number, half of it] of those whose half
# is another one.
sub _steps {
    my (@every) = @_;
    my %is_one = map { $_ => 1 } @every;
    return ((map { [$_, 0] } @every), map { [$_, $_ / 2] } grep { $is_one{ $_ / 2 } } @every);
}

# Returns the times on a scale at which units of the calendar begin whose numbers have this rest.
sub _times {
    my ($scale, $unit, $every, $rest) = @_;
    my ($first, $last) = map { ($unit->{number_of}->($_) - $rest) / $every } @$scale{qw(low high)};
    return map { $unit->{begin_of}->($_ * $every + $rest) } POSIX::ceil($first) .. POSIX::floor($last);
}

# Returns the number of the month in which a time is, from the year 0.
sub _month {
    my ($time) = @_;
    my ($month, $year) = (gmtime $time)[4, 5];
    return MONTHS_OF_YEAR * ($year + 1900) + $month;
}

# Takes the number of a month; returns the time at which it begins.
sub _begin_of_month {
    my ($number) = @_;
    return begin_of_month(POSIX::floor($number / MONTHS_OF_YEAR), $number % MONTHS_OF_YEAR);
}

# Returns whether the text of a tick is within the picture.
sub _has_room {
    my ($scale, $tick) = @_;
    my $half  = 100 * width_of(tick_text($scale, $tick)) / 2;
    my $place = place($scale, $tick);
    return $place >= $half && $place <= 100 - $half;
}

# Returns whether there are neither too few nor too many ticks, with room between their texts, which have equal lengths.
sub _are_apart {
    my ($scale, @ticks) = @_;
    return 0 if @ticks < TICKS_LEAST || @ticks > TICKS_MOST;
    my $least  = 100 * (ROOM + width_of(tick_text($scale, $ticks[0])));
    my @places = map { place($scale, $_) } @ticks;
    return !grep { $places[$_] - $places[$_ - 1] < $least } 1 .. $#places;
}

1;
