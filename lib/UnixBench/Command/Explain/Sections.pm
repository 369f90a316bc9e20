package UnixBench::Command::Explain::Sections;

# The sections of share/tests.md. Each begins with the names of its tests, "### short, int"; paragraphs follow.

use strict;
use warnings;

# Takes that text; returns its sections, each { names => [names], paragraphs => [texts] }.
sub parse {
    my ($markdown) = @_;
    my (undef, @sections) = split /^### /m, $markdown;
    return map { _section($_) } @sections;
}

sub _section {
    my ($text) = @_;
    my ($heading, @paragraphs) = split /\n\s*\n/, $text;
    return { names => [split /, */, $heading], paragraphs => [map { join q{ }, split } @paragraphs] };
}

# Takes the text and names of tests; returns the sections that tell about these, each once, where the first of its tests
# was named, and with the names of those only. A test that nothing is written about has a section without paragraphs.
sub of {
    my ($markdown, @names) = @_;
    my $paragraphs = _paragraphs($markdown);
    my (@chosen, %chosen);
    for my $name (@names) {
        my $about = $paragraphs->{$name} || [];
        if (!$chosen{$about}) {
            $chosen{$about} = { paragraphs => $about, names => [] };
            push @chosen, $chosen{$about};
        }
        push @{ $chosen{$about}{names} }, $name;
    }
    return @chosen;
}

# The paragraphs of each test; those of one section are the same array.
sub _paragraphs {
    my ($markdown) = @_;
    my %paragraphs;
    for my $section (parse($markdown)) {
        $paragraphs{$_} = $section->{paragraphs} for @{ $section->{names} };
    }
    return \%paragraphs;
}

1;
