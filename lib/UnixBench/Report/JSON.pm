package UnixBench::Report::JSON;

# The whole result as JSON, described by share/result.schema.json.

use strict;
use warnings;

use UnixBench::Base::JSON         ();
use UnixBench::Base::Result       qw(is_measured);
use UnixBench::Base::ResultSchema ();
use UnixBench::Store::Document    ();
use UnixBench::Version            ();
use UnixBench::Warnings::Wording  ();

# Takes a view; returns its result as the text of a file. The first line has the summary, each test has a line, and the
# last line has the checksum of all others. A text report has the summary alone.
sub render {
    my ($view) = @_;
    my $json = q{};
    write_to($view, sub { $json .= $_[0] });
    return $json;
}

# Takes a view and a function; calls the function with the same text in pieces.
sub write_to {
    my ($view, $write) = @_;
    return $write->(file_of(report => { summary => $view->summary })) if !$view->result;
    return UnixBench::Store::Document::write_to(_document($view), $write);
}

# Takes a view; returns the first line of that text alone, with a checksum of its own.
sub summary {
    my ($view) = @_;
    return UnixBench::Store::Document::summary({ %{ $view->result }, _first($view) });
}

sub _document {
    my ($view) = @_;
    return {
        %{ $view->result },
        _first($view),
        %{ $view->all_of('of_result') },
        gain    => $view->scaling,
        remarks => [map { +{ %$_, %{ UnixBench::Warnings::Wording::of($_) } } } $view->warnings],
        runs    => [map { _run($view, $_) } $view->runs],
    };
}

sub _first {
    my ($view) = @_;
    return (
        format   => UnixBench::Base::ResultSchema::FORMAT,
        schema   => UnixBench::Base::ResultSchema::SCHEMA,
        formulas => UnixBench::Base::ResultSchema::FORMULAS,
        summary  => $view->summary,
    );
}

sub _run {
    my ($view, $run) = @_;
    my $measured = $view->with_passes($run);
    my %spread   = map { $_->{name} => scalar _spread($_) } @{ $run->{tests} };
    my @indexes  = @{ $run->{indexes} };
    return {
        %$measured,
        %{ $view->all_of(of_run => $run) },
        indexes => [map { _with_estimates($measured->{indexes}[$_], $indexes[$_]) } 0 .. $#indexes],
        tests   => [map { +{ %$_, spread => $spread{ $_->{name} } } } @{ $measured->{tests} }],
    };
}

sub _spread {
    my ($test) = @_;
    return is_measured($test) ? { map { $_ => $test->{$_} } qw(passes cv modes estimate) } : undef;
}

sub _with_estimates {
    my ($index, $known) = @_;
    return { %$index, map { $_ => $known->{$_} } grep { defined $known->{$_} } qw(estimate mean_of_others) };
}

# Takes the type of a file, such as "comparison", and its data, to which format, schema and version are added. Returns
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

1;
