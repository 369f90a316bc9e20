package UnixBench::Base::Time;

# Dates, times of day, and durations as users write them (90, 90s, 5m, 1h, 7d) and as they read them.

use strict;
use warnings;

use Exporter 'import';

our @EXPORT_OK = qw(
    begin_of_month clock_time duration_in_brief duration_in_words duration_s english_date iso_date iso_time
    limit_in_brief parts_of_iso_time time_of_date
);

# The Gregorian calendar from the first of March of the year 0, after which February is the last month of a year.
use constant { MONTHS_OF_YEAR => 12, MONTHS_BEFORE => 2, DAYS_BEFORE_1970 => 719_468, DAY => 86_400 };

my @DAYS   = qw(Sun Mon Tue Wed Thu Fri Sat);
my @MONTHS = qw(Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec);

my $CLOCK = qr/([0-9]{1,2}):([0-9]{2}):([0-9]{2})/;

my @UNITS      = ([d => 86_400, 'day'], [h => 3600, 'hour'], [m => 60, 'minute'], [s => 1, 'second']);
my %SECONDS_OF = (q{} => 1, map { $_->[0] => $_->[1] } @UNITS);

# Takes a time, and the offset of a time zone from UTC, both in seconds. Returns the date in that zone in English, such
# as "Fri Nov 20 2026".
sub english_date {
    my ($time, $utc_offset_s) = @_;
    my ($day, $month, $year, $weekday) = (gmtime $time + $utc_offset_s)[3 .. 6];
    return sprintf '%s %s %02d %d', $DAYS[$weekday], $MONTHS[$month], $day, $year + 1900;
}

# Takes a time and the offset of a time zone; returns the time of day in that zone, such as "02:12:30".
sub clock_time {
    my ($time, $utc_offset_s) = @_;
    return sprintf '%02d:%02d:%02d', (gmtime $time + $utc_offset_s)[2, 1, 0];
}

# Takes a time and the offset of a time zone; returns date and time, such as "2026-11-20T02:12:30+00:00" (ISO 8601).
sub iso_time {
    my ($time, $utc_offset_s) = @_;
    my ($second, $minute, $hour, $day, $month, $year) = gmtime $time + $utc_offset_s;
    my $ahead_min = abs $utc_offset_s / 60;
    return sprintf '%d-%02d-%02dT%02d:%02d:%02d%s%02d:%02d', $year + 1900, $month + 1, $day, $hour, $minute, $second,
        $utc_offset_s < 0 ? q{-} : q{+}, int $ahead_min / 60, $ahead_min % 60;
}

# Takes a date with a time of day, as iso_time returns it or as a text report has it. Returns it in the form of ISO
# 8601, without a zone if that is unknown, or undef if it is another text.
sub iso_date {
    my ($text) = @_;
    return $text if parts_of_iso_time($text);
    my $time = time_of_date($text) // return;
    return iso_time($time, 0) =~ s/[+].*//r;
}

# Takes a date and time as iso_time returns it. Returns its date and its time of day, or nothing if it is another text.
sub parts_of_iso_time {
    my ($text) = @_;
    return $text =~ /\A([0-9]{4}-[0-9]{2}-[0-9]{2})T([0-9]{2}:[0-9]{2}:[0-9]{2})/;
}

# Takes a date with a time of day, in English, such as "Fri Nov 20 2026 02:12:30", or as iso_time returns it without a
# zone. Returns the time in seconds since 1970, as if it were UTC, or nothing if it is another text.
sub time_of_date {
    my ($text) = @_;
    my ($month, $day, $year, @clock) = $text =~ /\b([A-Z][a-z]{2})[a-z]* ([0-9]{1,2}),? ([0-9]{4}),? $CLOCK/;
    ($year, $month, $day, @clock) = $text =~ /\A([0-9]{4})-([0-9]{2})-([0-9]{2})[T ]$CLOCK\z/ if !defined $day;
    return if !defined $day;
    my ($place) = grep { $MONTHS[$_] eq $month || $month =~ /\A[0-9]/ && $_ + 1 == $month } 0 .. $#MONTHS;
    return if !defined $place;
    my ($hour, $minute, $second) = @clock;
    my ($begin, $next) = map { begin_of_month($year, $place + $_) } 0, 1;
    return if $hour > 23 || $minute > 59 || $second > 60 || $day < 1 || $begin + $day * DAY > $next;
    return $begin + ($day - 1) * DAY + 3600 * $hour + 60 * $minute + $second;
}

# Takes a year and a month from 0, which may be 12; returns the time at which the month begins in UTC, in seconds since
# 1970.
sub begin_of_month {
    my ($year, $month) = @_;
    my $number = MONTHS_OF_YEAR * $year + $month - MONTHS_BEFORE;
    my $since  = int($number / MONTHS_OF_YEAR);
    my $leap   = int($since / 4) - int($since / 100) + int($since / 400);
    my $days   = int((153 * ($number % MONTHS_OF_YEAR) + 2) / 5);
    return DAY * (365 * $since + $leap + $days - DAYS_BEFORE_1970);
}

# Takes a duration as users write it: a number, with s, m, h or d as an optional unit. Returns the seconds, or nothing
# if it is not a duration above 0.
sub duration_s {
    my ($word) = @_;
    my ($number, $unit) = $word =~ /\A([0-9]{1,9}(?:[.][0-9]{1,9})?)([smhd]?)\z/ or return;
    my $seconds = $number * $SECONDS_OF{$unit};
    return $seconds > 0 ? $seconds : ();
}

# Takes seconds, at least 0. Returns them in words, in whole ones of the largest unit, rounded down: "1 hour", "3 days".
sub duration_in_words {
    my ($seconds) = @_;
    my ($unit)    = grep { $seconds >= $_->[1] } @UNITS;
    my (undef, $size, $name) = @{ $unit || $UNITS[-1] };
    my $number = int $seconds / $size;
    return "$number $name" . ($number == 1 ? q{} : 's');
}

# Takes seconds. Returns them in a few characters: "45 s", "12 min", "1 h 5 min", "2 h".
sub duration_in_brief {
    my ($seconds) = @_;
    return sprintf '%.0f s', $seconds if $seconds < 100;
    my $all = int($seconds / 60 + 0.5);
    my ($hours, $minutes) = (int($all / 60), $all % 60);
    return join q{ }, $hours ? "$hours h" : (), $minutes ? "$minutes min" : ();
}

# Takes a limit in seconds. Returns it in the same form, without rounding.
sub limit_in_brief {
    my ($seconds) = @_;
    return $seconds % 60 || $seconds != int $seconds ? sprintf '%g s', $seconds : duration_in_brief($seconds);
}

1;
