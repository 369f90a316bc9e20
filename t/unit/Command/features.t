# Tests where features are found, and where their options and groups stand among those of a command.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../../lib";
use UnixBench::CLI::Declaration qw(options_of);
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
    my ($own, $all) = flags_with(option('--after', '--json'), option('--first', q{}));
    is($all->[0], '--first', 'the option that follows none is the first one');
    my ($at) = grep { $all->[$_] eq '--json' } 0 .. $#$all;
    is($all->[$at + 1], '--after', 'another one stands behind its option');
    is(@$all,           @$own + 2, 'there are no others');
};

subtest 'an option may follow that of another feature' => sub {
    my ($own, $all) = flags_with(option('--second', '--after'), option('--after', '--json'));
    my ($at) = grep { $all->[$_] eq '--json' } 0 .. $#$all;
    is_deeply([@$all[$at + 1, $at + 2]], ['--after', '--second'], 'it stands behind it');
};

subtest 'an option is kept if the one that it follows was removed' => sub {
    my ($own, $all) = flags_with(option('--lonely', '--gone'));
    is_deeply([sort @$all], [sort @$own, '--lonely'], 'no option is lost');
};

subtest 'a group is kept if the one that it follows was removed' => sub {
    my @groups = map { $_->{title} } @{ UnixBench::Command::declaration(undef)->{groups} };
    my $lonely = sub { return { title => 'Lonely', follows => 'Gone', options => [] } };
    my $list   = \&UnixBench::Features::list;
    no warnings 'redefine';
    local *UnixBench::Features::list = sub { return ($list->(@_), $_[0] eq 'groups' ? { measure => $lonely } : ()) };
    my @all = map { $_->{title} } @{ UnixBench::Command::declaration(undef)->{groups} };
    is_deeply([sort map { $_ // q{} } @all], [sort map { $_ // q{} } @groups, 'Lonely'], 'no group is lost');
};

subtest 'modules of features are found from any directory' => sub {
    chdir "$FindBin::Bin/../../.." or die "chdir: $!\n";
    my $relative = qx{$^X -Ilib -MUnixBench::Features -e 'print join q{ }, grep { m{/features/} && !m{^/} } \@INC'};
    is($?,        0,   'the features are found by a relative path');
    is($relative, q{}, 'their folders have absolute paths');
};

done_testing();
