use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use TestProgram qw(write_file);
use UnixBench::Fleet::File;

my $place = File::Temp->newdir;
my $HEAD  = 'host,shares,phase,try,outcome,reason,result';

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
    my $text = join "\n", $HEAD, 'h1,hv07,alone,1,measured,,h1/alone-1.json',
        'h2,,alone,1,unreachable,No route to host,', 'h2,,alone,2,failed,"The run, it said ""no"".",/tmp/h2.json', q{};
    my @wanted = (
        {
            host    => 'h1',
            shares  => 'hv07',
            phase   => 'alone',
            try     => 1,
            outcome => 'measured',
            reason  => undef,
            file    => "$place/h1/alone-1.json",
        },
        {
            host    => 'h2',
            shares  => undef,
            phase   => 'alone',
            try     => 1,
            outcome => 'unreachable',
            reason  => 'No route to host',
            file    => undef,
        },
        {
            host    => 'h2',
            shares  => undef,
            phase   => 'alone',
            try     => 2,
            outcome => 'failed',
            reason  => 'The run, it said "no".',
            file    => '/tmp/h2.json',
        },
    );
    is_deeply([tries($text)], \@wanted, 'fields are read, and paths begin at the directory of the list');
    is_deeply([tries($text =~ s/\n/\r\n/gr)],   \@wanted, 'lines may end with CR LF');
    is_deeply([tries("\xef\xbb\xbf$text\n\n")], \@wanted, 'a byte order mark and empty lines are ignored');
    is_deeply([tries($text =~ s/\n\z//r)],      \@wanted, 'the last line may have no end');
    my @other = tries("result,reason,outcome,try,phase,shares,host\nr.json,,measured,1,together,hv,h\n");
    is_deeply([@{ $other[0] }{qw(host phase)}], ['h', 'together'], 'columns may have another order');
};

subtest 'an apostrophe before a formula is not a part of the text' => sub {
    my ($try) = tries("$HEAD\n'-h,'+hv,alone,1,failed,'=1+1,'\@x/r.json\n");
    is_deeply([@$try{qw(host shares reason file)}], ['-h', '+hv', '=1+1', "$place/\@x/r.json"], 'all texts');
    my ($other) = tries("$HEAD\n'h',,alone,1,failed,'twas =1,\n");
    is_deeply([@$other{qw(host reason)}], [q{'h'}, q{'twas =1}], 'other apostrophes stay');
};

subtest 'hosts that were not tried, or whose run has not ended' => sub {
    my @tries = tries("$HEAD\na,,alone,1,untried,,\nb,hv,alone,2,running,The run has not ended yet.,\n");
    is_deeply([map { [@$_{qw(outcome file)}] } @tries], [[untried => undef], [running => undef]], 'have outcomes');
};

subtest 'a wrong line is refused with its number' => sub {
    my $good  = 'h,hv,alone,1,measured,,r';
    my @cases = (
        [q{h,,alone,1,measured,}    => 'line 2: 6 fields instead of 7; put a field with commas in quotation marks'],
        [',,alone,1,measured,,r'    => 'line 2: the name of the host is missing'],
        ["h\e,,alone,1,measured,,r" => q{line 2: the host "h\x1b" has a character that can't be printed}],
        ['h,,both,1,measured,,r'    => 'line 2: the phase has to be alone or together, not "both"'],
        [
            'h,,alone,1,fine,,r' =>
                'line 2: the outcome has to be measured, failed, unreachable, refused, running or untried, not "fine"'
        ],
        (
            map { ["h,,alone,$_,failed,," => qq{line 2: the try has to be a whole number from 1 to 99, not "$_"}] } 0,
            100, 'x', '1.5', q{}
        ),
        ['h,,alone,1,measured,,' => 'line 2: the outcome is measured, but the result is missing'],
        (
            map { ["h,,alone,1,$_,no Perl,r" => "line 2: a host that is $_ has no result; leave that field empty"] }
                qw(refused unreachable running untried)
        ),
        ["h,,alone,1,measured,,r\0"    => 'line 2: the path of the result has a NUL byte'],
        ['h,,alone,1,failed,"one,'     => 'line 2: a quotation mark is wrong; double those within a field'],
        ['h,,alone,1,failed,"one"two,' => 'line 2: a quotation mark is wrong; double those within a field'],
        ['h,,alone,1,failed,o"ne,'     => 'line 2: a quotation mark is wrong; double those within a field'],
    );
    is(error_of_lines($_->[0]), "$_->[1]\n", $_->[1]) for @cases;
    is(
        error_of_lines($good, 'x,,alone,1,failed,"a' . "\n" . 'b",', $good),
        "line 5: try 1 of h alone is also in line 2\n",
        'the same try twice, after a field with a line break'
    );
    is(
        error_of_lines($good, 'h,other,alone,2,measured,,r'),
        qq{line 3: h shares "other", but in line 2 "hv"\n},
        'a host with two hypervisors'
    );
};

subtest 'wrong columns are refused' => sub {
    my $columns = "the columns are $HEAD\n";
    is(error(q{}),            "it is empty; its first line has to be $HEAD\n", 'an empty file');
    is(error("$HEAD\n"),      "it has no host after its first line\n",         'only the first line');
    is(error("$HEAD,cpu\nh"), qq{line 1: unknown column "cpu"; $columns},      'an unknown column');
    is(
        error("host,phase,try,outcome,result\n"),
        qq{line 1: the column "shares" is missing; $columns},
        'a missing column'
    );
    is(error("$HEAD,host\n"),  qq{line 1: the column "host" is there twice; $columns},         'a column twice');
    is(error("\x7fELF\0\1\2"), qq{line 1: unknown column "\\x7fELF\\x00\\x01\\x02"; $columns}, 'a program');
};

subtest 'a list that can not be read is refused' => sub {
    my $why = eval { UnixBench::Fleet::File::tries("$place/none.csv"); 1 } ? 'accepted' : $@;
    is($why, "can't read $place/none.csv: No such file or directory\n", 'a missing file');
};

done_testing();
