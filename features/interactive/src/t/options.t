use strict;
use warnings;

use FindBin qw($Bin);
use Test::More;

use lib map { "$Bin/$_" } qw(lib ../../../../t/lib);
use InPath                qw(path_of);
use Interbench            qw(interbench);
use Needs                 qw(need_built skip_without);
use Place                 qw(text_of);
use TestProgram           qw(command run);

# The command line: what is refused, by one line, and what the help and the manual page say.
need_built('interbench');

my $LONG = 'x' x 3000;

#<<< tables
# Words that --list accepts without measuring anything.
my @ACCEPTED = (
    '-t 1', '-t0.000000001', '--warmup=0', '-B -20 -N 19', '-bcu', '--policy=catchup', '--max-disk=2048k',
    '--max-mem 2t', '-C 100 -I 10000000', '-w burn -w BURN -x none', '--load-cmd true',
);

# Words of the command line => a pattern that the error matches.
my @REFUSED = (
    refused_values('-t', qw(0 -1 1s . nan 86400.1 99999999999999999999), q{}),
    refused_values('-L', qw(0 65537 four 4294967297 1.5)),
    refused_values('-B', qw(-21 20 +1)),
    refused_values('--max-mem', qw(1023K 1.5G 1MB 8388608T 18446744073709551617)),
    refused_values('-m', "a\nb", $LONG),
    ['-t'                => qr/-t needs a value/],
    [[$LONG]             => qr/unexpected argument 'x{60}'/],
    ['-z'                => qr/unknown option, .*: -z;/],
    ['--mix=yes'         => qr/unknown option, or one without a value: --mix=yes;/],
    [["-\xff\e[31m"]     => qr/unknown option, .*: -/],
    ['-W Vidoe'          => qr/-W Vidoe: unknown task; the tasks are Audio, Video, X, Gaming, Probe, Video120, /],
    ['-x Audio'          => qr/-x Audio: unknown load; the loads are None, Video, X, Burn, .*, Command, Custom\n/],
    ['-W Custom'         => qr/Custom is not defined; define it with -C and -I/],
    ['-C 5'              => qr/-C and -I need each other/],
    ['-W Video -X Video' => qr/nothing is left to measure: -X excludes all tasks/],
    ['-w Burn -x burn'   => qr/nothing is left to measure: -x excludes all loads/],
    ['-W Video -w Video' => qr/nothing is left to measure: Video is not measured under itself/],
    ['-r -W X'           => qr/-r can't measure the task X; leave out -r or -W X/],
    ['--mix -W X'        => qr/-W, -X and -r have no effect with --mix/],
    ['--capacity -w X'   => qr/-w and -x have no effect with --capacity/],
);
#>>>

# Takes an option and values that it refuses; returns a case for each.
sub refused_values {
    my ($option, @values) = @_;
    return map { [[$option, $_] => qr/$option can't be '/] } @values;
}

sub words { return ref $_[0] ? @{ $_[0] } : split q{ }, $_[0] }

is(interbench({}, '--list', words($_))->{err}, q{}, "accepted: $_") for @ACCEPTED;
for my $case (@REFUSED) {
    my ($line, $said) = @$case;
    my $ended = interbench({}, words($line));
    my $name  = substr(join(q{ }, words($line)), 0, 40) =~ s/[^\x20-\x7e]/?/gr;
    ok($ended->{status} == 1 && $ended->{err} =~ /\Ainterbench: [\x20-\x7e\x80-\xff]{10,300}\n\z/, "refused: $name");
    like($ended->{err}, $said, "refused: $name: the reason");
}
is(interbench({}, qw(--protocol -t 1s))->{err}, "ERROR|-t can't be '1s'; the manual page has its values\n", 'ERROR');

my %said = map { $_ => run(command('interbench', $_)) } qw(-h --help --list --version);
is($said{$_}{status}, 0,                    "$_: exit status 0") for sort keys %said;
is($said{'-h'}{out},  $said{'--help'}{out}, '-h prints the same as --help');
my $page     = text_of('features/interactive/share/interbench.1') =~ s/\\-/-/gr;
my @sections = $page                                              =~ /^[.]SH (.*?)\n(.*?)(?=^[.]SH|\z)/gms;
my %sections = @sections;
my @usage    = $said{'--help'}{out} =~ /^  (-\S+)/mg;
for my $option (map { s/[,=].*//r } @usage) {
    ok($sections{OPTIONS} =~ /^[.]B[IR]* (?:.*(?:\\fP|[ "]))?\Q$option\E\b/m, "the page has $option");
}
my %known = map { $_ => 1 } $said{'--help'}{out} =~ /(--[a-z-]+)/g;
is(join(q{ }, grep { !$known{$_} } $page =~ /(?<![\w"-])(--[a-z][a-z-]+)/g), q{}, 'the page names no unknown option');
like($said{'--list'}{out}, qr/^  $_ +\S/m, "--list describes $_") for qw(Audio X Gaming Probe Burn Memload Hack Custom);
for my $example ($sections{EXAMPLES} =~ /^[.]B interbench (.*)$/mg) {
    my $ended = run(['sh', '-c', "exec \"\$0\" $example -x None --list x", @{ command('interbench') }]);
    is($ended->{err}, "interbench: unexpected argument 'x'; -h lists all options\n", "accepted: $example");
}
SKIP: {
    my $groff = path_of('groff') or skip_without(tool => 'groff', 1);
    is(qx($groff -man -Tutf8 -ww -z features/interactive/share/interbench.1 2>&1), q{}, 'groff has no warnings');
}

done_testing;
