use strict;
use warnings;

use Test::More;

use UnixBench::Command;
use UnixBench::CLI::Declaration;
use UnixBench::CLI::Usage;
use UnixBench::Catalog;

my ($MEASURE, @COMMANDS) = UnixBench::Command::declarations();
my @OPTIONS = UnixBench::CLI::Declaration::options_of($MEASURE);
my @NAMES   = map { $_->{name} } @COMMANDS;

sub heading { return UnixBench::CLI::Declaration::heading(@_) }

# Returns a text whose wrapped lines are joined.
sub unwrapped { return $_[0] =~ s/\n {4,}/ /gr }

# Takes a text; tests its form.
sub check_form {
    my ($text, $name) = @_;
    is_deeply([grep { length > 79 } split /\n/, $text], [], "no line of $name is longer than 79 characters");
    is_deeply([grep { /\s$/ } split /\n/, $text], [], "no line of $name ends in blanks");
    like($text, qr/[^\n]\n\z/, "$name ends with a newline");
    return;
}

subtest '-h prints the options that people use, and the commands' => sub {
    my $help = UnixBench::CLI::Usage::short_help($MEASURE, @NAMES);
    check_form($help, '-h');
    cmp_ok(scalar(split /\n/, $help), '<=', 24, 'it has at most 24 lines');
    my @usual = grep { $_->{is_usual} } @OPTIONS, UnixBench::CLI::Declaration::everywhere();
    my $own   = UnixBench::Command::package_of($MEASURE)->can('declaration')->()->{groups};
    is(scalar(grep { $_->{is_usual} } map { UnixBench::CLI::Declaration::options_in($_) } @$own),
        6, 'six options of the core are usual');
    my @printed = unwrapped($help) =~ /^  (-\S+(?: \[?[A-Z]+\]?)?) {2}/mg;
    is_deeply(\@printed, [map { heading($_) } @usual], 'these are printed');
    like($help, qr/^Commands: @NAMES$/m,                                  'the commands are named');
    like($help, qr{^More: \./Run help COMMAND\. .* \./Run --help\.\n\z}m, 'it ends with where to read more');
};

subtest '--help prints all options of measuring in groups' => sub {
    my $help = UnixBench::CLI::Usage::help($MEASURE, @COMMANDS);
    check_form($help, '--help');
    my %group = map { $_->{title} => $_ } @{ $MEASURE->{groups} };
    my ($title, %printed);
    for my $line (split /\n/, unwrapped($help)) {
        $title = $1 if $line =~ /\A(\S.*):\z/;
        push @{ $printed{$title} }, $line =~ s/\A  //r if $line =~ /\A  -/;
    }
    for my $group (sort keys %group) {
        is_deeply(
            $printed{$group},
            [map { line_of($_) } @{ $group{$group}{options} }],
            "the group $group has its options"
        );
    }
    is_deeply([sort keys %printed], [sort keys %group], 'no other option is printed');
    my ($exits) = $help =~ /^Exit status [^\n]*:\n(.*?)^\S/ms;
    is_deeply([$exits =~ /^  ([0-9])  \S/mg], [0 .. 4], 'the exit statuses 0 to 4 are printed');
    like($help, qr/ \Q$_->{name}\E(?: |$)/m, "the test $_->{name} is printed") for UnixBench::Catalog::tests();
    like($help, qr/ $_(?: |$)/m,             "the alias $_ is printed")        for UnixBench::Catalog::aliases();
    like(unwrapped($help), qr/^  $_->{name} +\Q$_->{purpose}\E$/m, "the command $_->{name} is printed") for @COMMANDS;
};

# Takes an option; returns its line, without the blanks at its beginning.
sub line_of {
    my ($option) = @_;
    return sprintf '%-17s %s', heading($option), $option->{text};
}

subtest 'each command has a help of at most 20 lines' => sub {
    for my $command (@COMMANDS) {
        my ($help, $name) = (UnixBench::CLI::Usage::of($command), $command->{name});
        check_form($help, "help $name");
        cmp_ok(scalar(split /\n/, $help), '<=', 20, "$name: it has at most 20 lines");
        like($help, qr{^Usage: \./Run $name(?: \[options\])?(?: \S.*)?$}m, "$name: it begins with the command line");
        my $about = join q{ }, ucfirst("$command->{purpose}."), $command->{about};
        is(join(q{ }, ($help =~ /\n\n(.*?)\n(?:\n|\z)/s)[0] =~ s/\n/ /gr),
            $about, "$name: it says what the command does");
        my @printed = map { s/\A  //r } grep { /\A  -/ } split /\n/, unwrapped($help);
        is_deeply(
            \@printed,
            [map { line_of($_) } UnixBench::CLI::Usage::shown_options($command)],
            "$name: it has the options"
        );
    }
    my $overview = UnixBench::CLI::Usage::overview($MEASURE, @COMMANDS);
    check_form($overview, 'help');
    cmp_ok(scalar(split /\n/, $overview), '<=', 20, 'help: it has at most 20 lines');
    is_deeply([unwrapped($overview) =~ /^  ([a-z]+) +\S/mg], \@NAMES, 'help: it has all commands');
};

my %BASELINE = (pipe => { score => 1 }, grep => { score => 1 });

subtest '--list prints the tests by category' => sub {
    my $list = UnixBench::CLI::Usage::list(undef, \%BASELINE, 79);
    check_form($list, '--list');
    my ($category, @printed);
    for my $line (split /\n/, $list) {
        $category = $1 if $line =~ /\A\S.* \(category (\S+)\)\z/;
        last if $line eq 'Aliases';
        push @printed, [$category, $1, $2, $3, $4, $5] if $line =~ /\A([ *]) (\S+) +([0-9]+) x ([0-9]+) s +(\S.*)/;
    }
    my @names    = map { $_->{name} } UnixBench::Catalog::tests();
    my @expected = map {
        [$_->{category}, $BASELINE{ $_->{name} } ? q{*} : q{ }, (map { $_ } @$_{qw(name passes_wanted pass_s title)})]
    } UnixBench::Plan::Plan::official(undef, @names);
    is_deeply(\@printed, \@expected, 'each test has its category, a mark if it is in an index, passes and seconds');
    my ($fstime) = grep { $_->[2] eq 'fstime' } @printed;
    is("@$fstime[3, 4]", '3 45', 'the seconds of a pass are those of the plan: also those between its parts');
    for my $category (UnixBench::Catalog::categories()) {
        like($list, qr/^\Q$category->{title}\E \(category $category->{name}\)$/m, "$category->{name} has its title");
    }
    unlike(UnixBench::CLI::Usage::list(undef, {}, 80), qr/^[*]/m, 'without a baseline, no test is marked');
    like(UnixBench::CLI::Usage::list(1, {}, 80), qr/^  pipe +1 x 10 s/m, '-i sets the number of passes');
};

subtest '--list prints the aliases' => sub {
    my $list = UnixBench::CLI::Usage::list(undef, \%BASELINE, 80);
    my ($aliases) = $list =~ /^Aliases\n(.*?)\n\n/ms;
    my @expected =
        map { sprintf '  %-13s %s', $_, join q{ }, UnixBench::Catalog::expand($_) } UnixBench::Catalog::aliases();
    is_deeply([split /\n/, unwrapped($aliases)], \@expected, 'each alias has its tests');
    my ($about) = $list =~ /^(Tests with \* .*)\z/ms;
    is(
        $about =~ s/\n/ /gr,
        'Tests with * are in an index. Passes, and the seconds of each, are those of an official run. What a test '
            . 'does: ./Run explain TEST. A word that is an alias and a category means the alias. ',
        'it explains the mark'
    );
};

subtest '--list is wrapped at the given width' => sub {
    my %words = map { $_ => [split q{ }, UnixBench::CLI::Usage::list(undef, \%BASELINE, $_)] } 60, 80, 200;
    for my $width (60, 80, 200) {
        my @lines = split /\n/, UnixBench::CLI::Usage::list(undef, \%BASELINE, $width);
        is_deeply([grep { length > $width } @lines], [],         "no line is longer than $width characters");
        is_deeply($words{$width},                    $words{80}, "with $width columns, all words are printed");
    }
    like(
        UnixBench::CLI::Usage::list(undef, {}, 60),
        qr/^  fstime-w             3 x 34 s   File Write 1024 bufsize\n {34}2000 maxblocks$/m,
        'a long title continues below its beginning'
    );
    like(
        UnixBench::CLI::Usage::list(undef, {}, 200),
        qr/^  gindex .* ubgears$/m,
        'an alias has one line on a wide terminal'
    );
    my @long = split /\n/, UnixBench::CLI::Usage::list(undef, {}, 10);
    like("@long", qr/ whetstone-double /, 'a word that is too long is printed in full');
};

done_testing();
