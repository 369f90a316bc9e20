package UnixBench::Store::ClassicReport::Dates;

# The dates of text reports in the languages of their machines. UnixBench 5 prints weekday, month, day and year as the
# locale names them. A date that may be another day is not read.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Time qw(begin_of_month english_date time_of_date);

our @EXPORT_OK = qw(date_in_english is_of_date);

use constant { DATE_MOST => 60, DAY => 86_400, THURSDAY => 4 };    # bytes; seconds; of 1970-01-01

my $CLOCK = qr/[0-9]{1,2}:[0-9]{2}:[0-9]{2}/;
my $ZONE  = qr/\A(?:[ap]m?|m|z|utc|gmt|ces?t|[bceijmp][sd]t)\z/i;

# The names that locales of the GNU C library give to months and weekdays, and longer English and French ones, in the
# form of _plain(). A name may stand in two lines.
#<<< a table
my %MONTHS = _places(
    'jan january january ene gen ean janv jaan ian led sij sic stu sty sau tammi urt xan anv anu oca januar',
    'feb february febr fev fevr fevrier ots helmi lut uno vas veebr velj sub feabh',
    'mar march mars mac marc marta marts mrt mrz mars bre kov maalis ozu sak ber',
    'apr april avr avril abr abril aib api bal dub huhti kra kvi kwi nis tra',
    'may maj mai mei maa mag maig mey kve kvet svi geg touko tra beal',
    'jun june juni juny juin juuni uni giu haz iun iyn ioun birz cen cer cze eka kesa lip meith xun',
    'jul july juli juil juillet jui juuli uli lug iul iuil ioul cec heina liep lip srp tem uzt xul',
    'aug august ago agu aout avg abu abuztua elo kol lun ogos rugp ser sie srp zni',
    'sep sept september set septembre eyl ira mfomh rugs ruj sen syys szept ver wrz zar',
    'oct october okt out ott octobre eki kas lis loka paz rij spal urr zov dfomh',
    'nov november novembre noe noa kas lapkr lis marras samh stu aza',
    'dec december dez des dic dis dek dets decembre abe ara gru gruod joulu noll pro sne',
);
my %WEEKDAYS = _places(
    "sun sunday dim dom dg dum so son sondag su sv vs zo ned ne nd nie paz v ig kur min nad \x{65e5} \x{c77c}",
    "mon monday lun lu lundi mo ma man mand pan pon pn po pzt pir al de dl e sen isn h \x{4e00} \x{6708} \x{c6d4}",
    "tue tues tuesday mar mardi di dt ma mart an ti tir tis tor sal sel ut uto vt ar aut o \x{4e8c} \x{706b} \x{d654}",
    "wed wednesday mer mercredi mi mie mid ke on ons qua rab car sre sri sro st sr tr \x{4e09} \x{6c34} \x{c218}",
    "thu thur thurs thursday jeu jeudi do gio joi jue jo qui to tor ct cet czw kam kt st \x{56db} \x{6728} \x{baa9}",
    "fri friday ven vendredi vie vi fr fre pe pet pia pt sex cum vr dv jum or pn pa pi \x{4e94} \x{91d1} \x{ae08}",
    "sat saturday sam samedi sab sob sub sb so sa la lau lor lr za cts cmt sbt ds s sest \x{516d} \x{571f} \x{d1a0}",
);
#>>>

# Takes the names of each month or weekday; returns { name => [places, from 0] }.
sub _places {
    my (@lists) = @_;
    my %places;
    for my $place (0 .. $#lists) {
        push @{ $places{$_} }, $place for split q{ }, $lists[$place];
    }
    return %places;
}

# Takes a word; returns whether it may be of a date: a month, a weekday, a zone, or a half of the day.
sub is_of_date {
    my ($word) = @_;
    return $MONTHS{ lc $word } || $WEEKDAYS{ lc $word } || $word =~ $ZONE;
}

# Takes the date of a report with a time of day, perhaps with more behind it. Returns both in English, as they are
# printed if they can be read so, or undef if there is no such day, or more than one.
sub date_in_english {
    my ($text) = @_;
    my ($before, $clock) = $text =~ /\A(.{1,${\DATE_MOST}}?)[ T]($CLOCK)/ or return;
    return "$before $clock" if defined time_of_date("$before $clock");
    my %days = map { $_ => 1 } _days_of(_plain($before));
    my ($day, @others) = keys %days;
    return defined $day && !@others ? english_date($day, 0) . " $clock" : undef;
}

# Returns a text of any language in small letters, without accents and points. Cyrillic and Greek ones become Latin.
sub _plain {
    my ($text) = @_;
    utf8::decode($text);
    $text =~ tr/\x{d800}-\x{dfff}//d;    # Perl warns of surrogates
    $text = lc $text;
    $text        =~ tr/\x{430}-\x{44f}\x{454}\x{456}\x{457}\x{458}/abvgdezziiklmnoprstufhccss_y_euaeiij/;
    $text        =~ tr/\x{3b1}-\x{3c9}\x{3ac}-\x{3af}\x{3cc}-\x{3ce}\x{390}/abgdezitiklmnxoprsstufhpoaeiiouoi/;
    $text        =~ tr/\xe0-\xe5\xe7-\xef\xf1-\xf6\xf9-\xfd\x{105}\x{107}\x{10d}\x{119}/aaaaaaceeeeiiiinooooouuuuyacce/;
    $text        =~ tr/\x{11b}\x{11f}\x{131}\x{13c}\x{142}\x{144}\x{159}\x{15b}\x{15f}\x{161}/egilinrsss/;
    $text        =~ tr/\x{163}\x{165}\x{16b}\x{16f}\x{17a}\x{17c}\x{17e}\x{21b}/ttuuzzzt/;
    return $text =~ s/[.,]|\bd(?:e |[\x{2019}'"])(?=[^ ])|(?<=th)g (?=[0-9])//gr;
}

# Takes such a text; returns the days that it may be: when they begin in UTC, in seconds since 1970.
sub _days_of {
    my ($text) = @_;
    my ($year, $month, $day) = $text =~ /\b([0-9]{4})[^0-9]{1,3}([0-9]{1,2})[^0-9]{1,3}([0-9]{1,2})(?![0-9])/;
    return _day($year, $month - 1, $day) if defined $year;
    ($year, my ($second, $first, $weekday)) = reverse split q{ }, $text =~ s/[0-9]\K (?=[\x{6708}\x{c6d4}])//r;
    return if !defined $first || $year !~ /\A[0-9]{4}\z/;
    my $is_marked = $first =~ /[0-9]/ && $first =~ /[^0-9]/;
    my @days      = map { _day($year, @$_) } _readings($first, $second), $is_marked ? () : _readings($second, $first);
    my %is_one    = map { $_ => 1 } @{ $WEEKDAYS{ $weekday // q{} } || [] };
    return %is_one ? grep { $is_one{ ($_ / DAY + THURSDAY) % 7 } } @days : @days;
}

# Takes the words of a month and of a day; returns [month from 0, day] of all that they may be.
sub _readings {
    my ($month, $day) = @_;
    return if $day !~ /\A[0-9]{1,2}\b/;
    my $number = $day =~ s/[^0-9]+//r;
    return map { [$_, $number] } @{ $MONTHS{$month} || [] }, $month =~ /\A[^0-9]*([0-9]{1,2})[^0-9]*\z/ ? $1 - 1 : ();
}

sub _day {
    my ($year, $month, $day) = @_;
    return if $month < 0 || $month > 11 || $day < 1;
    my $begin = begin_of_month($year, $month) + ($day - 1) * DAY;
    return $begin < begin_of_month($year, $month + 1) ? $begin : ();
}

1;
