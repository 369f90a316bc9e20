# Lists of hosts: how they are read, and from their tries to hosts.

use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Gallery::Fleets                qw(host_of);
use TestProgram                    qw(write_file);
use UnixBench::Fleet::File;
use UnixBench::Fleet::Hosts qw(names outcome_of);

my $place = File::Temp->newdir;
my $HEAD  = 'host,outcome,reason,result';

# Takes the text of a list; returns its tries.
sub tries {
    my ($text) = @_;
    write_file("$place/machines.csv", $text);
    return UnixBench::Fleet::File::tries("$place/machines.csv");
}

# Takes the same; returns the error without the name of the file, or "accepted".
sub error {
    my ($text) = @_;
    return eval { tries($text); 1 } ? "accepted\n" : $@ =~ s{\A\Q$place\E/machines[.]csv is not a list of hosts: }{}r;
}

# Takes lines after the first one; returns the error.
sub error_of_lines {
    return error(join q{}, map { "$_\n" } $HEAD, @_);
}

subtest 'a list has a try in each line' => sub {
    my $text = join "\n", $HEAD, 'h1,measured,,h1/alone-1.json', 'h2,unreachable,No route to host,',
        'h2,failed,"The run, it said ""no"".",/tmp/h2.json', 'h3,untried,,', 'h4,running,It has not ended.,', q{};
    my @wanted = (
        { host => 'h1', outcome => 'measured',    reason => undef,              file => "$place/h1/alone-1.json" },
        { host => 'h2', outcome => 'unreachable', reason => 'No route to host', file => undef },
        { host => 'h2', outcome => 'failed',      reason => 'The run, it said "no".', file => '/tmp/h2.json' },
        { host => 'h3', outcome => 'untried',     reason => undef,                    file => undef },
        { host => 'h4', outcome => 'running',     reason => 'It has not ended.',      file => undef },
    );
    is_deeply([tries($text)], \@wanted, 'fields are read, and paths begin at the directory of the list');
    is_deeply([tries($text =~ s/\n/\r\n/gr)],   \@wanted, 'lines may end with CR LF');
    is_deeply([tries("\xef\xbb\xbf$text\n\n")], \@wanted, 'a byte order mark and empty lines are ignored');
    my @other = tries("result,rack,reason,outcome,host\nr.json,7,,measured,h\n");
    is_deeply([@{ $other[0] }{qw(host outcome)}], ['h', 'measured'], 'other and more columns');
};

subtest 'an apostrophe before a formula is not a part of the text' => sub {
    my ($try) = tries("$HEAD\n'-h,failed,'=1+1,'\@x/r.json\n");
    is_deeply([@$try{qw(host reason file)}], ['-h', '=1+1', "$place/\@x/r.json"], 'all texts');
    my ($other) = tries("$HEAD\n'h',failed,'twas =1,\n");
    is_deeply([@$other{qw(host reason)}], [q{'h'}, q{'twas =1}], 'other apostrophes stay');
};

subtest 'a wrong line is refused with its number' => sub {
    my $mark  = 'a quotation mark is wrong; double those within a field';
    my @cases = (
        ['h,measured,'     => 'line 2: 3 fields instead of 4; put a field with commas in quotation marks'],
        [',measured,,r'    => 'line 2: the name of the host is missing'],
        ["h\e,measured,,r" => q{line 2: the host "h\x1b" has a character that can't be printed}],
        [
            'h,fine,,r' =>
                'line 2: the outcome has to be measured, failed, unreachable, refused, running or untried, not "fine"'
        ],
        ['h,measured,,' => 'line 2: the outcome is measured, but the result is missing'],
        (
            map { ["h,$_,no Perl,r" => "line 2: a host that is $_ has no result; leave that field empty"] }
                qw(refused unreachable running untried)
        ),
        ["h,measured,,r\0"    => 'line 2: the path of the result has a NUL byte'],
        ['h,failed,"one,'     => "line 2: $mark"],
        ['h,failed,"one"two,' => "line 2: $mark"],
        ['h,failed,o"ne,'     => "line 2: $mark"],
    );
    is(error_of_lines($_->[0]), "$_->[1]\n", $_->[1]) for @cases;
    like(error_of_lines('x,failed,"a' . "\n" . 'b",', 'x'), qr/\Aline 4: /, 'after a field with a line break');
};

subtest 'wrong columns are refused' => sub {
    my $columns = "the columns are $HEAD\n";
    is(error(q{}),                     "it is empty; its first line has to be $HEAD\n",      'an empty file');
    is(error("$HEAD\n"),               "it has no host after its first line\n",              'only the first line');
    is(error("host,outcome,result\n"), qq{line 1: the column "reason" is missing; $columns}, 'a missing column');
    is(error("\x7fELF\0\1\2"),         qq{line 1: the column "host" is missing; $columns},   'a program');
};

subtest 'the last measured try counts' => sub {
    my @cases = (
        [['FAIL',        'PASS']        => 'PASS',        'a second verdict replaces the first'],
        [['PASS',        'FAIL']        => 'FAIL',        'also if it is worse'],
        [['FAIL',        'unreachable'] => 'FAIL',        'a host that is lost later keeps its verdict'],
        [['unreachable', 'measured']    => 'measured',    'a host may be measured later'],
        [['failed',      'unreachable'] => 'unreachable', 'without a measured try, the last one counts'],
    );
    for my $case (@cases) {
        my ($outcomes, $outcome, $name) = @$case;
        my @hosts = UnixBench::Fleet::Hosts::of(map { host_of(h => $_) } @$outcomes);
        is_deeply([map { outcome_of($_) } @hosts], [$outcome], $name);
    }
};

my $named = [names(['vm', '/a/x.json'], ['slow', 'y'], [undef, "z\e"], ['vm', '/b/x.json'])];
is_deeply($named, ['vm (x.json)', 'slow', 'z\x1b', 'vm (x.json) (2)'], 'hosts have names of their own');

done_testing();
