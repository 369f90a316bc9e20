package Gallery::Hostile;

# Results in which every text from outside is an attack, or is hard to show.

use strict;
use warnings;

use Exporter 'import';
use Scalar::Util qw(looks_like_number);

use Gallery::OddRuns qw(of_features);
use Gallery::Results ();

our @EXPORT_OK = qw(hostile texts);

# Attacks on HTML, attribute, script, style, URL, comment and template; then texts that are hard to show.
my @TEXTS = (
    '</style><script>window.pwned=1</script>',
    '</title></svg></text><script>window.pwned=1</script>',
    '<img src=x onerror=window.pwned=1>',
    '<svg/onload=window.pwned=1><a xlink:href="#">',
    '" onload="window.pwned=1" x="',
    q{' onmouseover='window.pwned=1' x='},
    'javascript:window.pwned=1//',
    'data:text/html,<script>top.pwned=1</script>',
    '}*{display:none!important}/*',
    ';position:fixed;left:-9999px;font-size:99px',
    '--><!-- ]]> <![CDATA[ <!DOCTYPE &x; &#60;script&#62; %3Cscript%3E',
    '{{7*7}} ${7*7} %s%n%99999d $(reboot) `reboot` \\',
    "tab\tline\nreturn\rbell\a zero\0 escape\e[31m delete\x7f \xc2\x85 \xe2\x80\xa8",
    "no UTF-8 \xff\xfe \xc0\xaf \xed\xa0\x80 \xf5\x80\x80\x80",
    "turned \xe2\x80\xae evil \xe2\x81\xa6 \xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d \xd9\x85\xd8\xb1\xd8\xad\xd8\xa8\xd8\xa7",
    "e\xcc\x81" . "\xcc\x81" x 9 . " \xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb \xe6\x9c\xba",
    'Long' . 'x' x 300,
    '-' x 80 . ' ' . '&' x 80,
    q{},
    q{ },
);

# Values that the program chooses itself.
my %IS_OWN = map { $_ => 1 } qw(kind category status cause level schema tracer display baseline letter verdict);

# Returns the texts of the attacks.
sub texts { return @TEXTS }

# Returns the results, each { name, result }.
sub results {
    my $all = join q{ }, @TEXTS;
    my ($turn, $turn_back) = (0, 0);
    return (
        { name => 'hostile', result => hostile(Gallery::Results::everything(), sub { $all }) },
        {
            name   => 'hostile-turns',
            result => hostile(Gallery::Results::everything(), sub { $TEXTS[$turn++ % @TEXTS] })
        },
        {
            name   => 'hostile-back',
            result => hostile(Gallery::Results::everything(), sub { $_[0] . $TEXTS[--$turn_back % @TEXTS] })
        },
        (map { _of_feature(@$_) } of_features('attacked')),
    );
}

sub _of_feature {
    my ($name, $result) = @_;
    my $turn = 0;
    return { name => $name, result => hostile($result, sub { $TEXTS[$turn++ % @TEXTS] }) };
}

# Takes data and a function that takes a text and returns another. Returns the data with its texts replaced, in the
# order of the keys. Numbers and values that the program chooses itself stay. Titles keep their text after the attack,
# so that they differ.
sub hostile {
    my ($data, $other, $key, $is_test) = @_;
    return $data if !defined $data;
    if (ref $data eq 'ARRAY') {
        return [map { hostile($_, $other, $key) } @$data];
    }
    if (ref $data eq 'HASH') {
        my $has_title = exists $data->{title};
        return { map { $_ => hostile($data->{$_}, $other, $_, $has_title) } sort keys %$data };
    }
    return $data if looks_like_number($data) || $IS_OWN{$key} || $key eq 'name' && $is_test;
    my $attack = $other->($data);
    return $key eq 'title' ? "$attack $data" : $attack;
}

1;
