package UnixBench::Report::JSON;

# The whole result as JSON, described by share/result.schema.json.

use strict;
use warnings;

use UnixBench::Base::JSON         ();
use UnixBench::Base::ResultSchema ();
use UnixBench::Store::Summary     ();
use UnixBench::Version            ();
use UnixBench::Warnings::Wording  ();

# The keys after the summary. The first line of the file has the format, the schema and the summary.
my @KEYS = qw(
    version procedure asked is_brief utc_offset_s host language build facts labels notes changes observing experiment
    gain why remarks
);

my %DOCUMENT = %{ UnixBench::Base::ResultSchema::shape('document') };
my %RUN      = %{ UnixBench::Base::ResultSchema::shape('run') };
my %TEST     = %{ (delete $RUN{tests})->[0] };
my ($PASS)   = @{ delete $TEST{passes} };

# Takes a view; returns its result as the text of a file. The first line has the summary, each test has a line, and the
# last line has the checksum of all others.
sub render {
    my ($view) = @_;
    my $json = q{};
    write_to($view, sub { $json .= $_[0] });
    return $json;
}

# Takes a view and a function; calls the function with the same text in pieces. The whole text of many copies would need
# much memory.
sub write_to {
    my ($view, $write) = @_;
    my %document = (
        %{ $view->result },
        gain    => $view->scaling,
        why     => $view->why,
        remarks => [map { +{ %$_, %{ UnixBench::Warnings::Wording::of($_) } } } $view->warnings],
    );
    ($write, my $seal) = _sealed($write);
    $write->(_first_line($view));
    $write->(_member(\%document, $_) . ",\n") for @KEYS;
    $write->(qq{"runs":[\n});
    my $comma = q{};

    for my $run ($view->runs) {
        $write->($comma);
        _write_run($view, $run, $write);
        $comma = ",\n";
    }
    $write->("],\n");
    $seal->();
    return;
}

# Takes "comparison" or "fleet", a type of a file, and its data, to which format, schema and version are added. Returns
# the text: a line for each key, and one for each item of a list.
sub file_of {
    my ($type, $data) = @_;
    my $shape = UnixBench::Base::ResultSchema::shape($type);
    my @members;
    for my $key (UnixBench::Base::ResultSchema::keys_of($type)) {
        my ($name, $only) = ($key->{key}, $key->{type} =~ /\A=(.+)/);
        my $value = $name eq 'version' ? $UnixBench::Version::VERSION : $only // $data->{$name};
        my $of    = $shape->{$name}                                           // $shape->{"$name?"};
        push @members, qq{"$name":} . (ref $value eq 'ARRAY' ? _lines($value, @$of) : _as($value, $of));
    }
    return '{' . join(",\n", @members) . "}\n";
}

sub _lines {
    my ($values, $shape) = @_;
    return '[' . join(q{,}, map { "\n" . _as($_, $shape) } @$values) . ']';
}

sub _as {
    my ($value, $shape) = @_;
    return UnixBench::Base::JSON::encode_as($value, $shape);
}

# Takes a view; returns the first line of that text alone, with a checksum of its own.
sub summary {
    my ($view) = @_;
    my $json = q{};
    my ($write, $seal) = _sealed(sub { $json .= $_[0] });
    $write->(_first_line($view));
    $seal->();
    return $json;
}

# Takes a function that writes text; returns those of UnixBench::Store::Summary::sealed. Strings are escaped where a
# page could not contain them, or where scripts that count phrases in all files of a result would find one.
sub _sealed {
    my ($write) = @_;
    my ($sealed, $seal) = UnixBench::Store::Summary::sealed($write);
    return (sub { $sealed->(_escaped($_[0])) }, $seal);
}

sub _escaped {
    my ($json) = @_;
    $json =~ s/</\\u003c/g;
    $json =~ s/of tests/of\\u0020tests/g;
    $json =~ s/\(Partial Only\)/(Partial\\u0020Only)/g;
    return $json;
}

sub _first_line {
    my ($view) = @_;
    my %document = (%{ $view->result }, format => UnixBench::Base::ResultSchema::FORMAT, summary => $view->summary);
    return '{' . join(q{,}, map { _member(\%document, $_) } qw(format schema summary)) . ",\n";
}

sub _member {
    my ($document, $key) = @_;
    my ($shape) = grep { defined } @DOCUMENT{ $key, "$key?" };
    return qq{"$key":} . UnixBench::Base::JSON::encode_as($document->{$key}, $shape);
}

sub _write_run {
    my ($view, $run, $write) = @_;
    my @indexes = map { _with_estimates($_, $view->of_index($run, $_)) } @{ $run->{indexes} };
    my %told    = (interactivity => $view->interactivity($run), multiuser => $view->multiuser($run));
    my $comma   = "\n";
    $write->(_head({ %$run, %told, indexes => \@indexes }, \%RUN, 'tests'));
    for my $test (@{ $run->{tests} }) {
        $write->($comma);
        _write_test({ %$test, spread => $view->spread($run, $test) }, $write);
        $comma = ",\n";
    }
    $write->("\n]}");
    return;
}

# Returns an index with its estimates. If the index has no number, they belong to the mean of the other tests.
sub _with_estimates {
    my ($index, $known) = @_;
    return { %$index, %$known } if !$index->{lacking};
    return { %$index, mean_of_others => { %{ $index->{mean_of_others} }, %$known } };
}

sub _write_test {
    my ($test, $write) = @_;
    my $comma = q{};
    $write->(_head($test, \%TEST, 'passes'));
    for my $pass (@{ $test->{passes} }) {
        $write->($comma . UnixBench::Base::JSON::encode_as($pass, $PASS));
        $comma = q{,};
    }
    $write->(']}');
    return;
}

# Returns an object up to the items of its last member, which is a list.
sub _head {
    my ($data, $shape, $list) = @_;
    return substr(UnixBench::Base::JSON::encode_as($data, $shape), 0, -1) . qq{,"$list":[};
}

1;
