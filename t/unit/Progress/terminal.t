use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Needs qw(skip_without);
use PseudoTerminal;
use UnixBench::Process::Writer;
use UnixBench::Progress::Terminal qw(cut painter);

# A terminal that writes to a text. Its method take returns what was written since the last call.
{

    package Written;

    sub new {
        my ($class, $columns, %env) = @_;
        open my $out, '>', \my $text or die "open: $!\n";
        my $self  = bless { text => \$text, columns => $columns, known => 0 }, $class;
        my $width = sub { $self->{columns} };
        $self->{terminal} = UnixBench::Progress::Terminal->new(out => $out, env => \%env, columns => $width);
        return $self;
    }

    sub take {
        my ($self) = @_;
        my $taken  = substr ${ $self->{text} } // q{}, $self->{known};
        $self->{known} += length $taken;
        return $taken;
    }
}

subtest 'lines are drawn by these bytes' => sub {
    my $written  = Written->new(11);
    my $terminal = $written->{terminal};
    $terminal->clear;
    is($written->take, q{}, 'there is nothing to clear');
    $terminal->draw('one');
    is($written->take, "\r\e[Jone\r", 'the cursor returns to the start of a drawn line');
    $terminal->draw('12345678901');
    is($written->take, "\r\e[J1234567...\r", 'another drawn line replaces the first, and leaves one column free');
    $terminal->write_line('12345678901 done', 'red');
    is($written->take, "\r\e[J\e[31m12345678901 done\e[m\n", 'a finished line stays, and is not cut');
    $terminal->write_line('more');
    is($written->take, "more\n", 'another finished line is below the first');
    $terminal->draw('four');
    $terminal->clear;
    $terminal->clear;
    is($written->take, "\r\e[Jfour\r\r\e[J", 'a drawn line is cleared once');
};

subtest 'cut shortens a text to a number of columns' => sub {
    my ($wide, $accent) = ("\xe4\xb8\xad\xe6\x96\x87", "caf\x65\xcc\x81");
    is(cut('Pipe Throughput', 15),    'Pipe Throughput',           'a text that fits is not cut');
    is(cut('Pipe Throughput', 14),    'Pipe Throug...',            'a text that is one column too long is cut');
    is(cut('Pipe Throughput', 3),     'Pip',                       'three columns have no dots');
    is(cut('Pipe Throughput', 0),     q{},                         'a text in no columns is empty');
    is(cut("$wide$wide", 7),          substr($wide, 0, 6) . '...', 'a wide character takes two columns');
    is(cut("$wide$wide", 6),          substr($wide, 0, 3) . '...', 'a wide character is not halved');
    is(cut("${accent}s and more", 8), "${accent}s...",             'an accent takes no column');
};

subtest 'NO_COLOR turns colours off unless it is empty' => sub {
    for my $case (['1', 'abc'], ['0', 'abc'], [q{}, "\e[2mabc\e[m"]) {
        my $written = Written->new(80, NO_COLOR => $case->[0]);
        $written->{terminal}->write_line('abc', 'dim');
        is($written->take, "$case->[1]\n", "NO_COLOR is \"$case->[0]\"");
    }
};

subtest 'without a window size COLUMNS is used' => sub {
    open my $null, '<', '/dev/null' or die "/dev/null: $!\n";
    my %expected = (q{} => 80, 132 => 132, 0 => 80, '0132' => 132, -5 => 80, x => 80, 99_999 => 80);
    is(UnixBench::Process::Writer::columns($null, { COLUMNS => $_ }), $expected{$_}, "COLUMNS is \"$_\"")
        for sort keys %expected;
    is(UnixBench::Process::Writer::columns($null, {}), 80, 'without COLUMNS there are 80 columns');
};

subtest 'progress is drawn only on a terminal' => sub {
    open my $file, '>', '/dev/null' or die "/dev/null: $!\n";
    is(UnixBench::Progress::Terminal->on($file, { TERM => 'xterm' }), undef, '/dev/null is not a terminal');
};

subtest 'levels of trust have colours on a terminal that has them' => sub {
    my $terminal = PseudoTerminal->new(80) or skip_without(machine => 'terminals');
    open my $out,  '+<', $terminal->{path} or die "terminal: $!\n";
    open my $null, '>',  '/dev/null'       or die "null: $!\n";
    my $paint = painter($out, { TERM => 'xterm' });
    is($paint->('good'),                                  "\e[32mgood\e[m", 'good is green');
    is($paint->('fair'),                                  "\e[33mfair\e[m", 'fair is yellow');
    is($paint->('poor'),                                  "\e[31mpoor\e[m", 'poor is red');
    is($paint->('unknown'),                               'unknown',        'a level that is neither has none');
    is(painter($out, { TERM => 'xterm', NO_COLOR => 1 }), undef,            'NO_COLOR');
    is(painter($out, { TERM => 'dumb' }),                 undef,            'a dumb terminal');
    is(painter($null, { TERM => 'xterm' }),               undef,            'a file');
};

done_testing();
