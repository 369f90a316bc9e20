package Earlier;

# Results and journals as version 7.0.0 wrote them: with schema 1 and format 2.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::JSONReader ();
use UnixBench::Base::JSONWriter ();

our @EXPORT_OK = qw(as_format_2 as_schema_1);

my $OBJECT = qr/(?<object>\{(?:[^{}]++|(?&object))*\})/;
my @NEW    = qw(display baseline load_change replacements resumptions interruption);

# Takes the text of a result file of this version; returns the text that version 7.0.0 wrote, without a checksum.
sub as_schema_1 {
    my ($text) = @_;
    $text =~ s/"schema":2/"schema":1/;
    $text =~ s/("summary":\{"date":[^,]*,)"ended":[^,]*,/$1/;
    $text =~ s/,\n"sha256":"[0-9a-f]{64}"\}\n\z/}\n/;
    return _without_data($text);
}

# Takes the text of a journal of this version; returns the text that version 7.0.0 wrote.
sub as_format_2 {
    my ($text) = @_;
    $text =~ s/"format":3/"format":2/;
    $text =~ s/"schema":2/"schema":1/;
    $text =~ s/"count":[0-9.e+-]+,(?="data":)//g;
    $text =~ s/,"time_s":[0-9.e+-]+,"timebase":[0-9.e+-]+,"unit":"[^"]*"\}(?=[],])/}/g;
    return _without_data($text);
}

# Returns the text without the fields that procedures and copies have had since.
sub _without_data {
    my ($text) = @_;
    $text =~ s/("time_s":[0-9.e+-]+),"timebase":[0-9.e+-]+,"unit":"[^"]*"\}(?=[],])/$1}/g;
    $text =~ s/("time_s":null),"timebase":null,"unit":null\}(?=[],])/$1}/g;
    $text =~ s/"procedure":\K$OBJECT/_changed($+{object}, sub { delete @{ $_[0] }{@NEW} })/ge;
    $text =~ s/"data":\K$OBJECT/_changed($+{object}, \&_flatten)/ge;
    return $text;
}

sub _changed {
    my ($json, $change) = @_;
    my $data = UnixBench::Base::JSONReader::decode($json);
    $change->($data);
    return UnixBench::Base::JSONWriter::encode($data);
}

# In version 7.0.0, each of several values of a line had its own key.
sub _flatten {
    my ($data) = @_;
    for my $name (keys %$data) {
        my @values = @{ delete $data->{$name} };
        my @keys   = @values > 1 ? map { "$name$_" } 0 .. $#values : $name;
        @$data{@keys} = @values;
    }
    return;
}

1;
