package UnixBench::Report::Log;

# The log of a run: every pass of every test, and what each copy printed.

use strict;
use warnings;

use UnixBench::Base::Text       qw(clean counted defused disarmed full_precision);
use UnixBench::Base::Result     qw(is_measured unmeasured);
use UnixBench::Warnings::Causes qw(tag_text);

# Phrases that scripts count in every file of a result. Only the report itself may have them.
my @MARKS = ('of tests', '(Partial Only)');

# Takes a result; returns the whole log: exactly the texts of the subs below, in the order of runs, tests and passes.
sub render {
    my ($result) = @_;
    return join '', map { _run($_) } @{ $result->{runs} };
}

sub _run {
    my ($run) = @_;
    return join '', map { _test($_, $run->{copies}) } @{ $run->{tests} };
}

sub _test {
    my ($test, $copies) = @_;
    my @passes = map { pass($_) } @{ $test->{passes} || [] };
    return join '', test_head($test, $copies), @passes, test_tail($test, $copies);
}

# Takes a test and its number of copies, returns the log's text before its first pass.
sub test_head {
    my ($test, $copies) = @_;
    my @command = @{ $test->{command} || [] };
    return _text(
        '#' x 56,
        clean($test->{title}) . ' -- ' . counted($copies, 'copy', 'copies'),
        (@command ? '==> ' . _command(@command) : ()), '',
    );
}

sub _command {
    my ($program, @arguments) = @_;
    return join ' ', _quoted($program), map { /\A[\w.,:=+-]+\z/ ? $_ : _quoted($_) } @arguments;
}

sub _quoted {
    my ($word) = @_;
    return '"' . clean($word) . '"';
}

# Takes a pass, returns its part of the log, which can be appended as soon as the pass has ended.
sub pass {
    my ($pass) = @_;
    my @named = grep { $_->{by} } @{ $pass->{tags} || [] };
    return _text(
        "#### Pass $pass->{number}",
        '',
        (map { (_copy_lines($_),                  '') } @{ $pass->{copies} }),
        (map { ('# Disturbed by ' . tag_text($_), '') } @named),
    );
}

sub _copy_lines {
    my ($copy) = @_;
    my $data   = _logged_data($copy);
    my $output = disarmed(defined $copy->{output} ? $copy->{output} : '');
    $output =~ s/\n\z//;
    return ((length $output ? $output : ()), map { "# $_: $data->{$_}" } sort keys %{$data});
}

sub _logged_data {
    my ($copy) = @_;
    my %data = (ERROR => $copy->{error}, _numbered($copy->{data} || {}));
    @data{qw(pid status signal)} = @{$copy}{qw(pid status signal)};
    $data{elapsed}               = sprintf '%.6f', $copy->{elapsed_s} if defined $copy->{elapsed_s};
    $data{gate}                  = 'none, its time counts from its exec' if defined $copy->{gated} && !$copy->{gated};
    delete $data{signal} if !$data{signal};
    return { map { clean($_) => clean($data{$_}) } grep { defined $data{$_} } keys %data };
}

# Takes { NAME => [values] }; returns pairs of a name and a value. Several values have the names NAME0, NAME1 and so on.
sub _numbered {
    my ($data) = @_;
    return map { _numbered_values($_, @{ $data->{$_} }) } sort keys %$data;
}

sub _numbered_values {
    my ($name, @values) = @_;
    return @values == 1 ? ($name => @values) : map { ("$name$_" => $values[$_]) } 0 .. $#values;
}

# Takes a test and its number of copies, returns the log's text after its last pass.
sub test_tail {
    my ($test, $copies) = @_;
    return _text('>>>> ' . clean(unmeasured($test)), '') if !is_measured($test);
    return _text(
        (map { sprintf '*Dump score: %12.1f', $_ } @{ $test->{dropped} }),
        (map { sprintf 'Count score: %12.1f', $_ } @{ $test->{kept} }),
        '',
        '>>>> ' . ($copies == 1 ? 'Results of 1 copy' : "Sum of $copies copies"),
        '>>>> score: ' . full_precision($test->{score}),
        '>>>> time: ' . full_precision($test->{time_s}),
        ">>>> iterations: $test->{samples}",
        '',
    );
}

sub _text {
    my (@lines) = @_;
    return defused(join('', map { "$_\n" } @lines), @MARKS);
}

1;
