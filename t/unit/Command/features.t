# Tests where features are found, where their options and groups stand among those of a command, and what users see of a
# feature that can't be used.

use strict;
use warnings;

use File::Path qw(make_path);
use File::Temp ();
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/../../$_" } qw(../lib lib);
use Place                                qw(write_file);
use UnixBench::CLI::Declaration          qw(options_of);
use UnixBench::Command;
use UnixBench::Features;

# Takes options that features add to "report"; returns the flags of its own options, and those of all.
sub flags_with {
    my (@options) = @_;
    my @own = map { $_->{flag} } options_of(UnixBench::Command::declaration('report'));
    no warnings 'redefine';
    my $list = \&UnixBench::Features::list;
    local *UnixBench::Features::list = sub { return ($list->(@_), $_[0] eq 'options' ? @options : ()) };
    return (\@own, [map { $_->{flag} } options_of(UnixBench::Command::declaration('report'))]);
}

sub option {
    my ($flag, $follows) = @_;
    return { follows => { report => $follows }, flag => $flag, text => 'do something' };
}

subtest 'an option stands behind the one that it follows' => sub {
    my $group = { follows => { report => '--json' }, options => [option('--of-group'), '--markdown'] };
    my ($own, $all) =
        flags_with(option('--second', '--json'), option('--after', '--json'), $group, option('--lonely', '--gone'));
    my ($at) = grep { $all->[$_] eq '--json' } 0 .. $#$all;
    my @three = qw(--second --after --of-group);
    is_deeply([@$all[$at + 1 .. $at + 4]], [@three, '--markdown'], 'also several of them, and those of a group');
    is_deeply([sort @$all], [sort @$own, @three, qw(--lonely --markdown)], 'no option is lost');
};

subtest 'modules of features are found from any directory' => sub {
    chdir "$FindBin::Bin/../../.." or die "chdir: $!\n";
    my $relative = qx{$^X -Ilib -MUnixBench::Features -e 'print join q{ }, grep { m{/features/} && !m{^/} } \@INC'};
    is($?,        0,   'the features are found by a relative path');
    is($relative, q{}, 'their folders have absolute paths');
};

# What a module of the feature "aside" returns as its declaration, and what users read of it.
my %BROKEN = (
    'a syntax error'      => ['my = {}',               qr/syntax error at \S*Aside[.]pm line \d+, .*? /],
    'no hash'             => ['[]',                    qr/its declaration is not a hash /],
    'an unknown key'      => ['{ comands => {} }',     qr/its declaration has an unknown key, comands /],
    'a feature of itself' => ["{ uses => ['aside'] }", qr/it uses itself: aside aside /],
);

subtest 'a feature that can not be used takes no part, and all commands work' => sub {
    my $tree   = File::Temp->newdir;
    my $folder = "$tree/features/aside/lib/UnixBench";
    make_path($folder, "$tree/features/user/lib/UnixBench");
    is(system("cp -R '$FindBin::Bin/../../../lib' '$FindBin::Bin/../../../Run' '$tree'"), 0, 'the core is copied');
    my $user = q(sub { { module => 'User::Saying', takes => 'nothing', purpose => 'say something' } });
    write_file("$tree/features/user/lib/UnixBench/User.pm", module(User => "{ commands => { saying => $user } }"));
    my $run = sub { return qx('$^X' '$tree/Run' $_[0] 2>&1) };

    for my $case (sort keys %BROKEN) {
        my ($declaration, $why) = @{ $BROKEN{$case} };
        write_file("$folder/Aside.pm", module(Aside => $declaration));
        my ($line, $help) = $run->('--help') =~ /\A(.*?\n)(.*)\z/s;
        is($?, 0, "$case: --help works");
        like($line, qr{\ARun: the feature aside can't be used: $why[(]in \Q$tree\E/features/aside[)]\n\z}, 'a line');
        like($help, qr/^  saying +say something$/m, "$case: other features are used");
    }
    $run->('--bisect');
    is($? >> 8, 128, 'without the feature of --bisect, "git bisect run" stops');
    write_file("$folder/Aside.pm", module(Aside => '{}'));
    is($run->('--version') =~ tr/\n//, 1, 'an empty declaration is none');
    my $missing_module =
        qr{\ARun: the feature user can't be used: Can't locate UnixBench/User/Saying[.]pm in \@INC [(]in \S+[)]\n\z};
    like($run->('saying'), $missing_module, 'a module that is missing when it is needed: one line');
};

done_testing();

# Takes the name of a feature and the code that its declaration returns; returns its module.
sub module {
    my ($name, $code) = @_;
    return "package UnixBench::$name;\nsub declaration {\n$code\n}\n1;\n";
}
