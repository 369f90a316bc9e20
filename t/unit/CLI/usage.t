# The texts of --help and --list. A command is one module: its declaration is all that the parser, the errors and the
# help need.

use strict;
use warnings;

use Test::More;

use UnixBench::Catalog          ();
use UnixBench::CLI::Declaration qw(options_of);
use UnixBench::CLI::Usage       ();
use UnixBench::Command          ();
use UnixBench::Plan             ();

my ($MEASURE, @COMMANDS) = UnixBench::Command::declarations();

# Takes a text and its name; tests its form. Returns it with wrapped lines joined.
sub formed {
    my ($text, $name) = @_;
    is_deeply([grep { length > 79 || /\s\z/ } split /\n/, $text], [], "$name: short lines that do not end in blanks");
    return $text =~ s/\n {4,}/ /gr;
}

# Takes an option; returns a pattern for its line.
sub line_of {
    my ($option) = @_;
    my $heading = UnixBench::CLI::Declaration::heading($option);
    return qr/^  \Q$heading\E +\Q$option->{text}\E$/m;
}

my $help = formed(UnixBench::CLI::Usage::help($MEASURE, @COMMANDS), '--help');
like($help, line_of($_),                            "--help has $_->{flag}") for options_of($MEASURE);
like($help, qr/^  $_->{name} +\Q$_->{purpose}\E$/m, "--help has $_->{name}") for @COMMANDS;
like($help, qr/ \Q$_\E(?: |$)/m,                    "--help has the word $_")
    for UnixBench::Catalog::aliases(), map { $_->{name} } UnixBench::Catalog::tests();
is_deeply([$help =~ /^  ([0-9])  \S/mg], [0 .. 4], '--help has the exit statuses 0 to 4');

my $short = formed(UnixBench::CLI::Usage::short_help($MEASURE, @COMMANDS), '-h');
cmp_ok(UnixBench::CLI::Usage::short_help($MEASURE, @COMMANDS) =~ tr/\n//, '<=', 24, '-h has 24 lines') or diag $short;
like($short, qr/^  $_\b/m, "-h has $_") for qw(-c --quick --markdown), map { $_->{name} } @COMMANDS;

for my $command (@COMMANDS) {
    my $name = $command->{name};
    my $text = formed(UnixBench::CLI::Usage::of($command), $name);
    like($text, qr{\AUsage: \./Run $name\b.*\n\n\Q@{[ucfirst substr $command->{purpose}, 0, 40]}\E}, "$name: its call");
    my @missing = grep { $text !~ line_of($_) } UnixBench::CLI::Usage::shown_options($command);
    is_deeply(\@missing, [], "$name: its options");
}

my $list = UnixBench::CLI::Usage::list(undef, { pipe => { score => 1 } }, 79);
formed($list, '--list');
my @printed  = map { [/\A([ *]) (\S+) +([0-9]+) x ([0-9]+) s +(\S.*)/] } grep { / x [0-9]+ s / } split /\n/, $list;
my @expected = map { [$_->{name} eq 'pipe' ? q{*} : q{ }, @$_{qw(name passes_wanted pass_s title)}] }
    UnixBench::Plan::official(undef, map { $_->{name} } UnixBench::Catalog::tests());
is_deeply(\@printed, \@expected, '--list has a mark if a test is in an index, passes, seconds and title');
like($list, qr/^\Q$_->{title}\E \(category $_->{name}\)$/m, "--list has the category $_->{name}")
    for UnixBench::Catalog::categories();
like($list,                                  qr/^  shell +shell1 shell8 shell16$/m, 'and the aliases');
like(UnixBench::CLI::Usage::list(1, {}, 80), qr/^  pipe +1 x 10 s/m,                '-i sets the number of passes');
my $two_lines = qr/^  fstime-w             3 x 34 s   File Write 1024 bufsize\n {34}2000 maxblocks$/m;
like(UnixBench::CLI::Usage::list(undef, {}, 60), $two_lines, 'a long title continues below its beginning');

# A command that takes options and no argument.
sub UnixBench::Command::Hello::declaration {
    return {
        takes   => 'nothing',
        purpose => 'greet a person',
        about   => 'Without --name, it greets the world.',
        options => [
            { flag => '--name',  value => 'NAME', kind => 'text',  text => 'the person to greet' },
            { flag => '--times', value => 'N',    kind => 'whole', max  => 9, text => 'greet N times (default: 1)' },
        ],
    };
}

subtest 'a new command' => sub {
    my @names = sort 'hello', UnixBench::Command::names();
    no warnings 'redefine';
    local *UnixBench::Command::names         = sub { return @names };
    local *UnixBench::Command::separated     = sub { return $_[0] eq 'hello' ? @_ : (undef, @_) };
    local $INC{'UnixBench/Command/Hello.pm'} = __FILE__;
    my $options = UnixBench::Command::parse(qw(hello --times=2 --name), 'Ada Lovelace');
    is_deeply([@$options{qw(command name times words)}], ['hello', 'Ada Lovelace', 2, []], 'its options are parsed');

    # [words, the first line of the error].
    my @refused = (
        ['hello there'     => 'hello takes no argument: leave out there'],
        ['hello --nam Ada' => 'hello has no option --nam; did you mean --name?'],
        ['hello --name -q' => 'option --name needs a text that does not begin with "-", not "-q"'],
        ['hello --name='   => 'option --name needs a text that is not blank'],
        ['hello -q'        => 'hello has no option -q'],
        ['helo'            => 'unknown test or command "helo"; did you mean hello?'],
    );
    for my $case (@refused) {
        my ($words, $error) = @$case;
        is(eval { UnixBench::Command::parse(split q{ }, $words) }, undef,  "refused: $words");
        is((split /\n/, $@)[0],                                    $error, "the error is: $error");
    }
    is(UnixBench::CLI::Usage::of(UnixBench::Command::declaration('hello')), <<'END', 'it has a help');
Usage: ./Run hello [options]

Greet a person. Without --name, it greets the world.

  --name NAME       the person to greet
  --times N         greet N times (default: 1)
END
};

done_testing();
