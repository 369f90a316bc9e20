# What the texts of a result, and the names of files, leave in the outputs of all commands.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../../t/lib";
use LoadedRun;
use Fixture qw(rendered);
use UnixBench::Base::Files;
use UnixBench::Report::Formats;
use UnixBench::Store::Redaction;
use UnixBench::Store::ResultFile;
use UnixBench::Base::ResultSchema ();

# Takes a result and a function that takes "TYPE.KEY" and a text; returns a copy with what it returns for each text and
# for the keys of each hash with any keys. Words that the schema lists stay.
sub filled {
    my ($result, $text_for, $type) = @_;
    $type //= 'head';
    my @keys = UnixBench::Base::ResultSchema::keys_of($type);
    my %type = ((map { $_->{key} => $_->{type} } @keys), $type eq 'head' ? (runs => '[run]') : ());
    return { map { $_ => _value("$type.$_", $type{$_}, $result->{$_}, $text_for) } keys %$result };
}

sub _value {
    my ($place, $type, $value, $text_for) = @_;
    return $value if !defined $value || !defined $type;
    return [map { _value($place, $1, $_, $text_for) } @$value] if $type =~ /\A\[(.+)\]\z/;
    return { map { $text_for->("$place key", $_) => _value($place, $1, $value->{$_}, $text_for) } keys %$value }
        if $type =~ /\A[{](.+)[}]\z/;
    return filled($value, $text_for, $type) if ref $value;
    return $type eq 'text' ? $text_for->($place, $value) : $value;
}

# Texts by which a result is understood: they stay.
my %IS_FIXED = map { $_ => 1 }
    qw(test.name row.name test.title row.title index.title test.unit pass.unit copy.unit tag.cause head.version),
    qw(head.asked copy.data earlier.name group.letter);

my @EXPORTS = UnixBench::Exports::names();
my @RESULTS = qw(official under multiuser interactive capacity);

# Takes a TestRun, a directory there, what a name of a file begins with, and a function for the texts, see above.
# Writes results there; returns their paths.
sub written {
    my ($test, $folder, $begin, $text_for) = @_;
    mkdir $test->place($folder) or die "mkdir: $!\n";
    my @paths;
    for my $name (@RESULTS) {
        my $result = UnixBench::Store::ResultFile::result("$FindBin::Bin/../../../t/data/results/9.0.0/$name.json");
        my $of     = sub { my ($place, $text) = @_; return $IS_FIXED{$place} ? $text : $text_for->(@_) };
        push @paths, $test->write($folder, "$begin$name.json", rendered(json => filled($result, $of)));
    }
    return @paths;
}

# Takes a TestRun, the paths of results and more words for report; returns { command => all that it printed }.
sub outputs {
    my ($test, $results, @more) = @_;
    my @kinds    = map { ["--$_", q{-}] } qw(json html markdown);
    my @commands = (
        (map { [['fleet'],            @$_] } [], @kinds),
        (map { [['history'],          @$_] } [], @kinds),
        (map { [['rank'],             @$_] } [], $kinds[2]),
        (map { [[qw(fleet --export)], "$_:-"] } @EXPORTS),
    );
    my %text;
    my $add = sub {
        my ($what, @words) = @_;
        my $run = $test->run(@words);
        $text{$what} = "$run->{out}$run->{said}";
        unlike($run->{said}, qr/internal error|[.]pm line|uninitialized/, "$what: no error of the program");
    };
    for my $command (@commands) {
        my ($first, @others) = @$command;
        $add->("@$first @others", @$first, @others, @$results);
    }
    for my $number (0 .. $#$results) {
        my $result = $results->[$number];
        my @report = map { ['report', $result, @more, @$_] } ['--details'], @kinds, ['--require', 'index>=1'],
            ['--require', 'syscall>=1', '--junit', q{-}], map { ['--export', "$_:-"] } @EXPORTS, 'svg';
        my @compare = map { ['compare', $results->[0], $result, '--force', @$_] } [], @kinds;
        $add->("result $number: $_->[0] @$_[-2, -1]", @$_) for @report, @compare;
    }
    return \%text;
}

# Takes { what => text } and a pattern; tests that no text matches.
sub none_has {
    my ($texts, $pattern, $what) = @_;
    my @found = grep { $texts->{$_} =~ $pattern } sort keys %$texts;
    is_deeply(\@found, [], $what) or diag map { $texts->{$_} =~ /(?:.{0,60})$pattern/ ? "$_: $&\n" : () } @found;
    return;
}

UnixBench::Report::Formats::load();

subtest 'invisible characters are escaped in each output' => sub {
    my $odd  = "\e[31m\n\r\x7f\xc2\x9b\xe2\x80\xae\xe2\x80\x8b\xe2\x81\xa6\xe2\x80\xa8\xff";
    my $test = TestRun->new;
    my @odd  = written($test, 'odd', "a$odd",
        sub { my ($place, $text) = @_; return $place =~ / key\z/ && $place !~ /labels/ ? $text : $text . $odd });
    my $bad = $test->write('odd', "bad$odd.json", 'x');
    my $raw = qr/[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\x8b\xa8\xae]|\xe2\x81\xa6|\xff/;
    my $all = outputs($test, \@odd);
    none_has($all, $raw, 'as they are');
    my $line = qr/^(?:\\r|\r)/m;    # what follows the line end in the odd text
    none_has({ map { $_ => $all->{$_} } grep { !/--export csv/ } keys %$all }, $line, 'no line ends within a text');
    like($all->{'result 0: report --json -'}, qr/\\u001b\[31m\\n\\r\\u007f\\u009b\\u202e\\u200b\\u2066\\u2028/, 'JSON');
    my @refused = (
        ['report',   $bad],
        ['compare',  $odd[0], $bad],
        ['rank',     $bad],
        ['fleet',    $odd[0], $bad],
        ['history',  $bad],
        ['report',   $odd[0],    '--require', $odd],
        ['compare',  @odd[0, 1], '--by',      $odd],
        ['report',   $odd[0],    '--require', "index>=1*$odd"],
        ['--label',  "x=$odd",   'syscall'],
        ['--under',  $odd,       'syscall'],
        ['report',   $odd[0],    '--export', "csv:/dev/null/$odd"],
        ['explain',  $odd],
        ['--resume', $odd],
    );

    for my $words (@refused) {
        my $run = $test->run(@$words);
        isnt($run->{status}, 0, "$words->[0] is refused");
        none_has({ $words->[0] => "$run->{out}$run->{said}" }, qr/$raw|$line/, "$words->[0]: the message has escapes");
    }
};

subtest 'with --no-identity, no output has a word that may be a name' => sub {
    my $word   = '/srv/zzmarvin-a/in 10.0.0.5 zzmarvin';
    my $test   = TestRun->new;
    my @secret = written(
        $test, 'in', q{},
        sub {
            my ($place, $text) = @_;
            return $text if $place =~ s/ key\z// && $place !~ /labels|build|variables|programs/;
            my $stays = UnixBench::Store::Redaction::stays($place);
            return defined $stays && !ref $stays ? $text : $word;
        }
    );
    mkdir $test->place('nameless') or die "mkdir: $!\n";
    my @nameless = map { s{/in/(?=[^/]*\z)}{/nameless/}r } @secret;
    for my $number (0 .. $#secret) {
        my $run = $test->run('report', $secret[$number], '--no-identity', '-q', '--json', $nameless[$number]);
        is($run->{status}, 0, 'a report without names is made');
    }
    my $name = qr/zzmarvin|10[.]0[.]0[.]5/i;
    none_has({ map { $_ => UnixBench::Base::Files::content($_) } @nameless }, $name, 'no JSON has one');
    is_deeply(
        [
            map {
                eval { UnixBench::Store::ResultFile::result($_); 1 }
                    ? ()
                    : "$_: $@"
            } @nameless
        ],
        [],
        'these results can be read'
    );
    my $all = outputs($test, \@secret, '--no-identity');
    none_has({ map { $_ => $all->{$_} } grep { /: report/ } keys %$all }, $name, 'no output of report has one');
    none_has(outputs($test, \@nameless), $name, 'no output of a command that reads such results has one');
};

done_testing;
