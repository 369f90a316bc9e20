package UnixBench::Command::Explain;

# Explains tests: how each is run, and what share/tests.md says about it.

use strict;
use warnings;

use UnixBench::Base::Text qw(counted hanging);

use constant { FILE => 'share/tests.md', WIDTH => 79, INDENT => 2 };

# Returns the declaration, see UnixBench::CLI::Declaration.
sub declaration {
    return {
        takes     => 'tests',
        arguments => 'TEST ...',
        needs     => 'a test',
        is_small  => 1,
        purpose   => 'print what each test does, and what its score does not tell',
        about     => 'The tests and their aliases: ./Run --list.',
        options   => [],
    };
}

# Takes a UnixBench::Call; prints the text. Returns the outcome, "done" or "failed".
sub run {
    my ($call) = @_;
    my $text = of($call->home, $call->settings->{bindir}, @{ $call->options->{tests} });
    return $call->console->inform($text) ? 'done' : 'failed';
}

# Takes the suite's directory, the directory of the programs, and names of tests; returns the text, in the order of
# share/tests.md. Tests with the same section are printed together. Dies with one line if that file can't be read.
sub of {
    my ($home, $bindir, @names) = @_;
    require UnixBench::Plan::Baseline;
    my ($baseline) = UnixBench::Plan::Baseline::of_directory($bindir);
    my %test = map { $_->{name} => $_ } _tests($baseline, @names);
    my @texts;
    for my $section (parsed(_markdown($home))) {
        my @tests = grep { $_ } delete @test{ @{ $section->{names} } };
        push @texts, section($section->{paragraphs}, @tests) if @tests;
    }
    return join "\n", @texts, map { section([], $test{$_}) } sort keys %test;
}

sub _markdown {
    my ($home) = @_;
    my $path = "$home/" . FILE;
    require UnixBench::Base::Files;
    return UnixBench::Base::Files::content($path)
        // die "can't read $path: $!; it is a part of the suite: unpack or install the suite again\n";
}

sub _tests {
    my ($baseline, @names) = @_;
    require UnixBench::Plan;
    my @tests = UnixBench::Plan::official(undef, @names);
    $_->{baseline} = $baseline->{ $_->{name} } for @tests;
    return @tests;
}

# Takes the text of share/tests.md; returns its sections, each { names => [names], paragraphs => [texts] }. The heading
# of a section has the names of its tests: "### short, int".
sub parsed {
    my ($markdown) = @_;
    my (undef, @sections) = split /^### /m, $markdown;
    my @parsed;
    for my $text (@sections) {
        my ($heading, @paragraphs) = split /\n\s*\n/, $text;
        push @parsed, { names => [split /, */, $heading], paragraphs => [map { join q{ }, split } @paragraphs] };
    }
    return @parsed;
}

# Takes paragraphs in Markdown and their tests; returns lines for a terminal. The tests are those of
# UnixBench::Plan, perhaps with baseline => { score, unit }.
sub section {
    my ($paragraphs, @tests) = @_;
    my @heads =
        map { "$_->{name}: $_->{title}\n" . _lines(_command_line($_)) . q{ } x INDENT . _procedure($_) . "\n" } @tests;
    return join "\n", join(q{}, @heads), map { _wrapped($_) } @$paragraphs;
}

# Returns the command line for a shell in the suite's directory. $UB_SCRATCH is the directory of the scratch files.
sub _command_line {
    my ($test) = @_;
    my $line   = join q{ }, @{ $test->{command} };
    $line =~ s/[{]scratch[}]/\$UB_SCRATCH/g;
    return defined $test->{input} ? "$line < testdir/$test->{input}" : $line;
}

sub _procedure {
    my ($test) = @_;
    my $text   = counted($test->{passes_wanted}, 'pass', 'passes') . sprintf ' of %g seconds', $test->{seconds};
    $text .= sprintf ' (each takes about %g)', $test->{pass_s} if $test->{pass_s} > $test->{seconds};
    my $baseline = $test->{baseline} or return $text;
    return $text . sprintf '; unit %s, baseline %.10g', @$baseline{qw(unit score)};
}

# Takes a paragraph in Markdown; returns its lines without the marks. Text that is marked as code is not broken.
sub _wrapped {
    my ($paragraph) = @_;
    my $text        = join q{ }, split q{ }, $paragraph =~ s/(`[^`]*`)/$1 =~ tr{ \n}{\0}r/ger;
    return _lines($text =~ s/[`*]//gr) =~ tr/\0/ /r;
}

sub _lines {
    my ($text) = @_;
    return join q{}, map { "$_\n" } hanging($text, WIDTH, INDENT, 1);
}

1;
