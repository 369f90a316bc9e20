package Earlier;

# Results as version 7.0.0 wrote them: with schema 1.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::JSONReader ();
use UnixBench::Base::JSONWriter ();

our @EXPORT_OK = qw(as_schema_1 without_load);

my $OBJECT = qr/(?<object>\{(?:[^{}]++|(?&object))*\})/;
my @NEW    = qw(display baseline load_change replacements resumptions interruption);

# Takes the text of a result file of this version; returns the text that version 7.0.0 wrote, without a checksum.
sub as_schema_1 {
    my ($text) = @_;
    $text =~ s/"schema":2/"schema":1/;
    $text =~ s/("summary":\{"date":[^,]*,)"ended":[^,]*,/$1/;
    $text =~ s/,\n"sha256":"[0-9a-f]{64}"\}\n\z/}\n/;
    return _without_data(without_load($text));
}

# Takes the text of a result file of this version; returns it without what versions up to 7.1.0 did not write: the
# trust, and what is known of other load.
sub without_load {
    my ($text) = @_;
    $text =~ s/"(?:other_load|quiet|trust)":(?:null|\[[^]]*\]|$OBJECT),?//g;
    return $text =~ s/,\}/}/gr;
}

# Returns the text without the fields that procedures and copies have had since.
sub _without_data {
    my ($text) = @_;
    $text =~ s/"tracer":null,//g;
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
