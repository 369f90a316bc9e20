package UnixBench::Command::Explain;

# What --explain prints: how each test is run, and what share/tests.md says about it.

use strict;
use warnings;

use UnixBench::Base::Files                ();
use UnixBench::Command::Explain::Sections ();
use UnixBench::Command::Explain::Text     ();
use UnixBench::Plan::Baseline             ();
use UnixBench::Plan::Plan                 ();

use constant WORDS => 'share/tests.md';

# Takes the suite's directory, that of the programs, and names of tests; returns the text, in the order of the names,
# with what tests have in common once. Dies with one line when the words can't be read.
sub of {
    my ($home, $bindir, @names) = @_;
    my %test     = map { $_->{name} => $_ } _tests(_baseline($bindir), @names);
    my @sections = UnixBench::Command::Explain::Sections::of(_words($home), @names);
    return join "\n",
        map { UnixBench::Command::Explain::Text::section($_->{paragraphs}, @test{ @{ $_->{names} } }) } @sections;
}

sub _words {
    my ($home) = @_;
    my $path = "$home/" . WORDS;
    return UnixBench::Base::Files::content($path)
        // die "can't read $path: $!; it is a part of the suite: unpack or install that once more\n";
}

# Scores that tests are held against. Without them, or where they are damaged, there is less to tell.
sub _baseline {
    my ($bindir) = @_;
    my $text = UnixBench::Base::Files::content("$bindir/index.base") // q{};
    return eval { UnixBench::Plan::Baseline::parse($text) } || {};
}

# The tests as an official run has them, each with its baseline.
sub _tests {
    my ($baseline, @names) = @_;
    my $plan = UnixBench::Plan::Plan::make(
        tests    => \@names,
        copies   => [1],
        factor   => 1,
        words    => { bindir => 'pgms', tmpdir => 'tmp' },
        is_there => sub { 1 },
    );
    $_->{baseline} = $baseline->{ $_->{name} } for @{ $plan->{tests} };
    return @{ $plan->{tests} };
}

1;
