use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Needs qw(skip_without);
use PseudoTerminal;
use Place     qw(place);
use Workbench qw(elsewhere);
use UnixBench::Base::Files;
use UnixBench::CLI::Console;

my $PLACE = place();
local $SIG{__WARN__} = sub { fail("Perl warns: @_") };
local $SIG{PIPE}     = 'IGNORE';

# Takes a function; returns the text that it prints on standard error.
sub errors_of {
    my ($do) = @_;
    open my $kept, '>&', \*STDERR        or die "stderr: $!\n";
    open STDERR,   '>',  "$PLACE/errors" or die "errors: $!\n";
    $do->();
    open STDERR, '>&', $kept or die "stderr: $!\n";
    return UnixBench::Base::Files::content("$PLACE/errors");
}

# [error, text that complain prints, text that refuse prints].
my @ERRORS = (
    ["one\ntwo\n"            => "Run: one\\ntwo\n",               "Run: one\ntwo\n"],
    ["a\e[31m\xff\xc3\xa9\n" => "Run: a\\x1b[31m\\xff\xc3\xa9\n", "Run: a\\x1b[31m\\xff\xc3\xa9\n"],
);

subtest 'complain and refuse print an error' => sub {
    for my $case (@ERRORS) {
        my ($error, @printed) = @$case;
        is(errors_of(sub { UnixBench::CLI::Console->new->complain($error) }), $printed[0], "complain: $printed[0]");
        is(errors_of(sub { UnixBench::CLI::Console->new->refuse($error) }),   $printed[1], "refuse: $printed[1]");
    }
};

# Takes a function; returns the text that it prints on standard output.
sub output_of {
    my ($do)   = @_;
    my ($said) = elsewhere($do);
    return $said;
}

subtest 'the command has the name by which the user has called it' => sub {
    my %named = (
        'See ./Run --help.'             => 'See unixbench --help.',
        "one: ./Run\ntwo: ./Run pipe\n" => "one: unixbench\ntwo: unixbench pipe\n",
        'the file ./Runner'             => 'the file ./Runner',
        'the file ../Run'               => 'the file ../Run',
    );
    my $installed = UnixBench::CLI::Console->new(command => 'unixbench');
    is($installed->named($_),                   $named{$_}, "unixbench: $_")          for sort keys %named;
    is(UnixBench::CLI::Console->new->named($_), $_,         "./Run, the default: $_") for sort keys %named;
    is(UnixBench::CLI::Console->new(command => undef)->named('./Run'), './Run', 'an unknown name is ./Run');

    my $path = UnixBench::CLI::Console->new(command => '/opt/my bench/Run');
    is($path->named('see ./Run -h'), 'see /opt/my bench/Run -h', 'a path is printed as it was typed');
    is(errors_of(sub { $path->complain('see ./Run -h') }),      "Run: see /opt/my bench/Run -h\n", 'its last part');
    is(output_of(sub { $installed->inform("see ./Run -h\n") }), "see unixbench -h\n", 'inform prints the name');
    is(output_of(sub { $installed->answer("see ./Run -h\n") }), "see ./Run -h\n", 'answer prints the text as it is');
};

subtest 'say_to prints all of a text' => sub {
    my $text   = join q{}, map { "line $_\n" } 1 .. 50_000;
    my ($said) = elsewhere(sub { print 'first '; print UnixBench::CLI::Console::say_to(\*STDOUT, $text) // 'then' });
    is($said, "first ${text}then", 'a long text is printed whole and in order');
    pipe my $reader, my $writer or die "pipe: $!\n";
    close $reader;
    is(UnixBench::CLI::Console::say_to($writer, $text), undef, 'a pipe that is closed is not an error');
};

subtest 'keep_standard_output keeps standard output for the answer' => sub {
    my ($said) = elsewhere(sub {
        open STDERR, '>', "$PLACE/errors" or die "errors: $!\n";
        my $console = UnixBench::CLI::Console->new;
        $console->keep_standard_output;
        print "meanwhile\n";
        STDOUT->flush;
        system 'echo', 'a program';
        $console->answer("answer\n");
    });
    is($said,                                            "answer\n", 'standard output has only the answer');
    is(UnixBench::Base::Files::content("$PLACE/errors"), "meanwhile\na program\n", 'other output is on standard error');
};

subtest 'quoted quotes a word for the shell' => sub {
    is(UnixBench::CLI::Console::quoted('/tmp/a-b_c.d+e:1@f'), '/tmp/a-b_c.d+e:1@f', 'a plain word needs no quotes');
    for my $word ("it's", 'a b', '$HOME', '`id`', "a\nb", q{"}, q{''}, '*', '~', '-n;', 'caf' . "\xc3\xa9", '\\') {
        my $quoted = UnixBench::CLI::Console::quoted($word);
        my $script = "printf %s $quoted";
        open my $shell, '-|', '/bin/sh', '-c', $script or die "sh: $!\n";
        local $/ = undef;
        is(readline $shell, $word, "the shell reads the same word: $quoted");
    }
};

subtest 'a terminal breaks no word' => sub {
    my $terminal = PseudoTerminal->new(30) or skip_without(machine => 'a pseudo-terminal');
    my $say      = 'my $c = UnixBench::CLI::Console->new; my $t = "  one two three four five six seven\n\nshort\n"; '
        . '$c->inform($t); $c->complain("another Run is measuring here")';
    system $terminal->command([0, 1, 2], $^X, "-I$FindBin::Bin/../../../lib", '-MUnixBench::CLI::Console', '-e', $say);
    my $folded = "  one two three four five\n    six seven\n\nshort\nRun: another Run is\n  measuring here\n";
    is($terminal->seen =~ s/\r//gr, $folded, 'long lines are broken at blanks');
};

done_testing();
