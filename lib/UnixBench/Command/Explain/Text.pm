package UnixBench::Command::Explain::Text;

# The layout of what --explain prints, for a terminal.

use strict;
use warnings;

use UnixBench::Base::Format qw(counted);

use constant { WIDTH => 79, INDENT => q{  }, DEEPER => q{ } x 4 };

# Takes paragraphs in Markdown and the tests that they are about, as UnixBench::Plan::Plan has them, perhaps with a
# baseline => { score, unit }; returns lines.
sub section {
    my ($paragraphs, @tests) = @_;
    return join "\n", join(q{}, map { _heading($_) } @tests), map { _wrapped($_) } @$paragraphs;
}

sub _heading {
    my ($test) = @_;
    return
          "$test->{name}: $test->{title}\n"
        . _lines(split q{ }, _command_line($test))
        . INDENT
        . _procedure($test) . "\n";
}

# As it is started in the suite's directory; its scratch files have a directory of their own.
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

# A paragraph, without its marks, in lines; what is marked as code is not broken.
sub _wrapped {
    my ($paragraph) = @_;
    return _lines(map { s/[`*]//gr } $paragraph =~ /((?:`[^`]*`|[^\s`])+)/g);
}

# Words in lines of less than 80 columns.
sub _lines {
    my (@words) = @_;
    my @lines;
    for my $word (@words) {
        if (@lines && length("$lines[-1] $word") <= WIDTH) { $lines[-1] .= " $word" }
        else                                               { push @lines, (@lines ? DEEPER : INDENT) . $word }
    }
    return join q{}, map { "$_\n" } @lines;
}

1;
