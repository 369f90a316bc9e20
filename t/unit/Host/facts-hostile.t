# Tests of facts from hostile files: reading them never dies, warns, prints or hangs, and the facts can be written as
# JSON.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use HostTree qw(host_tree recorded_files);
use UnixBench::Base::JSON;
use UnixBench::Host::FactList;
use UnixBench::Host::Facts;

use constant { SEED => 1995, ROUNDS => 12, LIMIT_S => 600 };

my @MACHINES = qw(x86-server arm-board power9 container-v1 container-v2 nested-v2 x86-vm);

# How a file is spoiled => function that takes its text and returns the spoiled text.
my %SPOILED = (
    'cut off' => sub { substr $_[0], 0, rand length $_[0] },
    'binary'  => sub {
        join q{}, map { chr rand 256 } 0 .. rand 200;
    },
    'NULs'     => sub { $_[0] =~ s/[\s:]/\0/gr },
    'huge'     => sub { $_[0] =~ s/\d+/'9' x (1 + rand 40)/ger },
    'negative' => sub { $_[0] =~ s/(?<!\d)(?=\d)/-/gr },
    'empty'    => sub { q{} },
    'long'     => sub { "$_[0] " x 300 },
    'escapes'  => sub { $_[0] =~ s{/}{\\000/\\777\\012}gr },
    'markup'   => sub { $_[0] =~ s/([a-z]+)/<script>$1\e[31m\xff/gr },
);

sub files_of {
    my ($machine) = @_;
    my %text = recorded_files($machine);
    $text{$_} //= "0-3\n" for '/proc/self/mountinfo', '/sys/devices/system/cpu/online', '/proc/config.gz';
    return %text;
}

# Takes a function that spoils texts, and files (path => text). Reads facts from these files, most of them spoiled;
# returns a line for each thing that is wrong.
sub complaints {
    my ($spoil, %text) = @_;
    my $root = host_tree(map { $_ => rand() < 0.7 ? $spoil->($text{$_}) : $text{$_} } sort keys %text);
    my @wrong;
    local $SIG{__WARN__} = sub { push @wrong, "warns: $_[0]" };
    local $SIG{ALRM}     = sub { die "hangs\n" };
    alarm LIMIT_S;
    my @odd     = map { $spoil->("tool 1.2.3\n") } 1 .. 3;
    my $is_done = eval {
        my $facts = UnixBench::Host::Facts->new(
            root   => $root,
            home   => $root,
            tmpdir => '/no such/place',
            run    => sub { $odd[rand @odd] },
            uname  => [rand() < 0.8 ? 'Linux' : 'Other', map { $spoil->('#1 SMP PREEMPT_DYNAMIC 6.1') } 1 .. 4],
        )->facts;
        UnixBench::Base::JSON::encode($facts);
        my $result = { host => {}, facts => $facts };
        UnixBench::Host::FactList::groups($result);
        UnixBench::Host::FactList::distinctions($result);
        push @wrong, odd_numbers($facts);
        1;
    };
    alarm 0;
    push @wrong, "dies: $@" if !$is_done;
    return @wrong;
}

# Takes data; returns the place of each number that is negative or too large.
sub odd_numbers {
    my ($data, $place) = (@_, q{});
    return map { odd_numbers($data->{$_}, "$place.$_") } sort keys %$data if ref $data eq 'HASH';
    return map { odd_numbers($_,          "$place\[]") } @$data if ref $data;
    return if !defined $data || UnixBench::Base::JSON::encode($data) =~ /\A"/;
    return $data >= 0 && $data < 1e20 ? () : "$place is $data";
}

srand SEED;
my %text_of = map { $_ => { files_of($_) } } @MACHINES;
for my $how (sort keys %SPOILED) {
    my @wrong;
    for my $round (1 .. ROUNDS) {
        my $machine = $MACHINES[$round % @MACHINES];
        push @wrong, map { "$machine $_" } complaints($SPOILED{$how}, %{ $text_of{$machine} });
    }
    is(join("\n", @wrong[0 .. ($#wrong < 4 ? $#wrong : 4)]), q{}, "files that are spoiled do no harm: $how");
}

done_testing;
