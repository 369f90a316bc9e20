use strict;
use warnings;

use Test::More;

use UnixBench::CLI::Options;
use UnixBench::CLI::Usage;
use UnixBench::Catalog;

my @OPTIONS = UnixBench::CLI::OptionTable::options();
my @GROUPS  = map { $_->{name} } UnixBench::CLI::OptionTable::groups();

# Takes an option; returns how it is written in the help.
sub heading {
    my ($option) = @_;
    return join(', ', grep { defined } @$option{qw(short flag)}) . join q{},
        map { " $_" } grep { defined } @$option{qw(value optional)};
}

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

subtest '-h prints the options that people use' => sub {
    my $help = UnixBench::CLI::Usage::short_help();
    check_form($help, '-h');
    cmp_ok(scalar(split /\n/, $help), '<=', 24, 'it has at most 24 lines');
    my @usual = grep { $_->{is_usual} } @OPTIONS;
    is(scalar @usual, 10, 'ten options are usual');
    my @printed = unwrapped($help) =~ /^  (-\S+(?: [A-Z]+)?) {2}/mg;
    is_deeply(\@printed, [map { heading($_) } @usual], 'these are printed');
    like($help, qr{^All options: \./Run --help\. The tests: \./Run --list\.\n\z}m, 'it ends with where to read more');
};

subtest '--help prints all options in groups' => sub {
    my $help = UnixBench::CLI::Usage::help();
    check_form($help, '--help');
    my %title = map { $_->{title} => $_->{name} } UnixBench::CLI::OptionTable::groups();
    my ($group, %printed);
    for my $line (split /\n/, unwrapped($help)) {
        $group = $title{$1} if $line =~ /\A(\S.*):\z/;
        push @{ $printed{$2} }, "$group: $1" if $line =~ /\A  ((?:-., )?(-\S+)(?: \S+)?) {2,}\S/;
    }
    for my $option (@OPTIONS) {
        is_deeply(
            delete $printed{ $option->{flag} },
            ["$option->{group}: " . heading($option)],
            "$option->{flag} is in its group, and in no other"
        );
        my $line = sprintf '  %-17s %s', heading($option), $option->{text};
        like(unwrapped($help), qr/^\Q$line\E$/m, "$option->{flag} has its text");
    }
    is_deeply(\%printed, {}, 'no other option is printed');
    my ($exits) = $help =~ /^Exit status [^\n]*:\n(.*?)^\S/ms;
    is_deeply([$exits =~ /^  ([0-9])  \S/mg],                      [0 .. 4], 'the exit statuses 0 to 4 are printed');
    is_deeply([map { $_->[0] } UnixBench::CLI::Usage::statuses()], [0 .. 4], 'statuses returns the same exit statuses');
    like($help, qr/ \Q$_->{name}\E(?: |$)/m, "the test $_->{name} is printed") for UnixBench::Catalog::tests();
    like($help, qr/ $_(?: |$)/m,             "the alias $_ is printed")        for UnixBench::Catalog::aliases();
    my ($groups) = $help =~ /^One group with explanations: \S+ --help GROUP[.] Groups: ([^:]*?)\n\n/m;
    is_deeply([split q{ }, $groups], \@GROUPS, 'the names of the groups are printed');
};

subtest '--help GROUP explains the options of a group' => sub {
    for my $group (UnixBench::CLI::OptionTable::groups()) {
        my $help = UnixBench::CLI::Usage::help($group->{name});
        check_form($help, "--help $group->{name}");
        my ($title, $text, @rest) = split /\n\n/, $help =~ s/(?<!\n)\n(?!\n)(?: {4})?/ /gr;
        my @printed = map  { s/ +\z//r } $title, $text, @rest;
        my @options = grep { $_->{group} eq $group->{name} } @OPTIONS;
        is_deeply(
            \@printed,
            [
                $group->{title},
                $group->{text},
                map {
                    join q{ }, heading($_), map { ucfirst s/[.]?\z/./r }
                        grep { defined }
                        @$_{qw(text more)}
                } @options
            ],
            "$group->{name}: the group and each of its options are explained"
        );
    }
};

subtest 'the table has each option in one group' => sub {
    my %is_group = map { $_ => 1 } @GROUPS;
    ok($is_group{ $_->{group} }, "$_->{flag} is in a group") for @OPTIONS;
    my %count;
    $count{$_}++ for map {
        grep { defined }
            @$_{qw(flag short)}
    } @OPTIONS;
    is_deeply([grep { $count{$_} > 1 } sort keys %count], [], 'no option is in the table twice');
    my %has_options = map { $_->{group} => 1 } @OPTIONS;
    is_deeply([grep { !$has_options{$_} } @GROUPS], [], 'each group has options');
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
    my @expected = map {
        [
            $_->{category}, $BASELINE{ $_->{name} } ? q{*} : q{ },
            $_->{name},     UnixBench::Catalog::passes($_),
            $_->{seconds},  $_->{title}
        ]
    } UnixBench::Catalog::tests();
    is_deeply(\@printed, \@expected, 'each test has its category, a mark if it is in an index, passes and seconds');
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
        'Tests with * are in an index. Passes and seconds are those of an official run. What a test does: '
            . './Run --explain TEST. As words on the command line, system and misc are these aliases, not the '
            . 'categories. ',
        'it explains the mark, and which aliases differ from the category of that name'
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
        qr/^  fstime-w             3 x 30 s   File Write 1024 bufsize\n {34}2000 maxblocks$/m,
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
