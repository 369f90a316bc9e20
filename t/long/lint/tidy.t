use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/../../../$_" } qw(t/lint/lib t/lib);
use Place                                   qw(write_file);
use Needs                                   qw(skip_without);
use Passed;
use Tree qw(perl_files perl_part text_of);

# Every Perl file has the layout that perltidy would give it.
skip_without(tool => 'perltidy') if !eval { require Perl::Tidy };

my $passed   = Passed->new(tidy => $Perl::Tidy::VERSION, text_of('.perltidyrc'));
my %text     = map  { $_ => text_of($_) } perl_files();
my @to_check = grep { !$passed->has($text{$_}) } sort keys %text;
my %tidy     = map  { tidied($_, with_option($_, @to_check)) } q{}, '--look-for-hash-bang';
for my $path (sort keys %text) {
    if ($passed->has($text{$path}) || $tidy{$path} eq $text{$path}) {
        pass($path);
        $passed->add($text{$path});
    }
    else {
        fail("$path: perltidy -pro=.perltidyrc -b -bext=/ ${\option($path)} '$path'");
    }
}
$passed->keep;

done_testing;

# Returns the option of perltidy that a file needs, or an empty text: a script may begin in another language.
sub option {
    my ($path) = @_;
    return perl_part($path) eq $text{$path} ? q{} : '--look-for-hash-bang';
}

sub with_option {
    my ($wanted, @paths) = @_;
    return grep { option($_) eq $wanted } @paths;
}

# Takes an option of perltidy and paths; returns path => text as perltidy would write it. All files go into one call:
# perltidy needs as long to read its options as to format a small file.
sub tidied {
    my ($option, @paths) = @_;
    my $place  = File::Temp->newdir;
    my @copies = map { "$place/$_" } 0 .. $#paths;
    write_file($copies[$_], $text{ $paths[$_] }) for 0 .. $#paths;
    my $said = q{};
    Perl::Tidy::perltidy(perltidyrc => '.perltidyrc', argv => [$option || (), @copies], stderr => \$said) if @paths;
    return map { $paths[$_] => -e "$copies[$_].tdy" ? text_of("$copies[$_].tdy") : q{} } 0 .. $#paths;
}

