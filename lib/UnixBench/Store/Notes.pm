package UnixBench::Store::Notes;

# Turns the notes of text reports back into data. No other module reads notes:
# UnixBench::Report::Notes makes them from data, and all decisions are based on data.

use strict;
use warnings;

my $NUMBER = qr/[0-9]{1,15}(?:[.][0-9]{1,12})?(?:e-[0-9]{1,2})?/;
my $USERS  = qr/[1-9][0-9]{0,8} users?/;
my $LOAD   = qr{
    \A (?: p95[ ]at[ ]most[ ]($NUMBER)[ ]x[ ]a[ ]single[ ]user's | ($USERS (?: ,[ ]then[ ]$USERS )*) )
    ,[ ] (?: ([0-9]{1,9})[ ]lines?,[ ] )? pauses[ ]of[ ]($NUMBER)[ ]to[ ]($NUMBER)[ ]s (,[ ]another[ ]script)? \z
}x;

my $DATE  = qr/[A-Z][a-z]{2} ([A-Z][a-z]{2}) ([0-9]{2}) ([0-9]{4}) ([0-9]{2}):([0-9]{2}):([0-9]{2})/;
my @NAMES = qw(Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec);
my %MONTH = map { $NAMES[$_] => $_ } 0 .. $#NAMES;

# Patterns for the parts of the note on changes, and functions that store the data. The first pattern that matches
# decides, in the next table, too.
my @CHANGES = (
    [qr/\bshortened to ($NUMBER) of\b/            => sub { $_[0]{time_factor} = $_[1] + 0 if $_[1] > 0 }],
    [qr/\AMULTI_SH_WORK_FACTOR is ([0-9]{1,9})\b/ => sub { $_[0]{work_factor} = $_[1] + 0 if $_[1] > 0 }],
    [qr/\Aindex[.]base is edited\z/               => sub { $_[0]{baseline}    = 'edited' }],
    [qr/\Amulti-user: (.+)\z/s                    => sub { $_[0]{load_change} = _load($_[1]) }],
    [
        qr/\A(.+) instead of (.+)\z/s => sub { push @{ $_[0]{replacements} }, { by => $_[1], name => $_[2] } }
    ],
);

# The same for whole notes.
my @NOTES = (
    [qr/\Avirtual display \(Xvfb\)\z/ => sub { $_[0]{display} = 'virtual' }],
    [qr/\Achanged procedure: (.+)\z/s => sub { my $known = $_[0]; _take($known, \@CHANGES, $_) for split /; /, $_[1] }],
    [qr/\Aresumed (.+)\z/s                   => sub { $_[0]{resumptions}           = [_times($_[1])] }],
    [qr/\Ainterrupted by SIG([A-Z0-9+-]+)\z/ => sub { $_[0]{interruption}{signal}  = $_[1] }],
    [qr/\Ainterrupted: (.+)\z/s              => sub { $_[0]{interruption}{problem} = $_[1] }],
    [qr/\bquick run\b/i                      => sub { $_[0]{kind}                  = 'quick' }],
);

# Takes utc_offset_s and the notes of a text report. The offset is how far the time zone of the notes is ahead of
# UTC, in seconds, or undef. Returns the procedure as far as the notes describe it, see Base/README.md. If utc_offset_s
# is undef, the times at which a run was resumed are undef, too. The baseline is known only if it was edited.
sub procedure {
    my ($utc_offset_s, @notes) = @_;
    my %known = (
        kind         => 'official',
        display      => 'given',
        time_factor  => 1,
        work_factor  => 1,
        replacements => [],
        resumptions  => [],
    );
    _take(\%known, \@NOTES, $_) for @notes;
    my @resumed = @{ $known{resumptions} };
    $known{resumptions} = defined $utc_offset_s ? [map { $_ - $utc_offset_s } @resumed] : undef if @resumed;
    return \%known;
}

sub _take {
    my ($known, $table, $text) = @_;
    for my $row (@$table) {
        my ($pattern, $take) = @$row;
        my @found = $text =~ $pattern or next;
        return $take->($known, @found);
    }
    return;
}

# Takes a load in words, see UnixBench::Plan::UserLoad; returns it as a load_change, or nothing if the words have
# another form.
sub _load {
    my ($words) = @_;
    my ($limit, $users, $lines, $pause_min_s, $pause_max_s, $script) = $words =~ $LOAD or return;
    return {
        users       => [map { $_ + 0 } ($users // q{}) =~ /([0-9]+)/g],
        pause_min_s => $pause_min_s + 0,
        pause_max_s => $pause_max_s + 0,
        (defined $limit && $limit > 0 ? (limit => $limit + 0) : ()),
        (defined $lines               ? (lines => $lines + 0) : ()),
        has_other_script => defined $script ? 1 : 0,
    };
}

# Takes a text with dates like "Fri Nov 20 2026 02:12:30"; returns them in seconds since 1970, as if they were in UTC.
sub _times {
    my ($text) = @_;
    my @times;
    while ($text =~ /$DATE/g) {
        my ($month, $day, $year, $hour, $minute, $second) = ($MONTH{$1}, $2, $3, $4, $5, $6);
        push @times, 86_400 * _days($year, $month, $day) + 3600 * $hour + 60 * $minute + $second if defined $month;
    }
    return @times;
}

# Takes a date (month from 0); returns the days since 1970. Here a year begins in March, so that a leap day is its last
# day. Time::Local is not used because it asks for the time zone.
sub _days {
    my ($year, $month, $day) = @_;
    ($year, $month) = $month < 2 ? ($year - 1, $month + 10) : ($year, $month - 2);
    my $leap_days = int($year / 4) - int($year / 100) + int($year / 400);
    return 365 * $year + $leap_days + int((153 * $month + 2) / 5) + $day - 719_469;
}

1;
