package Fuzz;

# Fuzzing of the parsers of the harness: feeds them damaged and random inputs, and checks their results.
#
# A target has good inputs, parts of such inputs, a pattern for the messages, and a check, see Fuzz::Targets.

use strict;
use warnings;

use List::Util  ();
use POSIX       ();
use Time::HiRes ();

use Exporter 'import';

use Fuzz::Input   ();
use Fuzz::Targets ();

our @EXPORT_OK = qw(shown);

use constant {
    BATCH          => 500,
    BATCH_LIMIT_S  => 600,      # CPU time, because on a busy machine elapsed time would exceed it
    GROWTH_MAX_KB  => 50_000,
    MESSAGE_MAX    => 400,
    SHOWN_MAX      => 2000,
    VIOLATIONS_MAX => 5,
};

# Control characters, and characters that move or hide others.
our $UNPRINTABLE =
    qr/[\x00-\x09\x0b-\x1f\x7f-\x9f\x{200b}-\x{200f}\x{2028}-\x{202e}\x{2060}-\x{2069}\x{feff}\x{e0000}-\x{e007f}]/;

# Takes a number of inputs; returns [name of a target, its number of inputs] for each target.
sub shares {
    my ($inputs) = @_;
    my %targets  = %Fuzz::Targets::TARGETS;
    my $parts    = List::Util::sum(map { $_->{part} } values %targets);
    return map { [$_, POSIX::ceil($inputs * $targets{$_}{part} / $parts)] } sort keys %targets;
}

# Takes the name of a target, a seed, a number of inputs, and the CPU seconds that a batch may use. Returns
# { target, seed, inputs, accepted, refused, seconds, violations => [text, ...] }. Stops after VIOLATIONS_MAX
# violations.
sub run {
    my ($name, $seed, $inputs, $limit_s) = @_;
    my $target = $Fuzz::Targets::TARGETS{$name};
    my %done   = (
        limit_s    => $limit_s || BATCH_LIMIT_S,
        target     => $name,
        seed       => $seed,
        inputs     => 0,
        accepted   => 0,
        refused    => 0,
        violations => []
    );
    my $start = Time::HiRes::time();
    srand $seed;
    my $source = Fuzz::Input->new(@$target{qw(samples words)});

    while ($done{inputs} < $inputs && @{ $done{violations} } < VIOLATIONS_MAX) {
        my $left = $inputs - $done{inputs};
        _batch(\%done, $target, $source, $left < BATCH ? $left : BATCH);
    }
    $done{seconds} = Time::HiRes::time() - $start;
    return \%done;
}

# Takes bytes; returns them on one line, as a Perl string literal.
sub shown {
    my ($text) = @_;
    $text =~ s/([^\x20-\x7e]|["\\\$\@])/_escape($1)/ge;
    return '"' . (length $text > SHOWN_MAX ? substr($text, 0, SHOWN_MAX) . '"...' : "$text\"");
}

sub _escape {
    my ($character) = @_;
    return sprintf ord $character < 256 ? '\\x%02x' : '\\x{%x}', ord $character;
}

# Runs a batch of inputs. It uses POSIX::sigaction, because Perl's own signal handlers would wait for a pattern match
# that never ends. The handler also sets "wrong", because the parser may catch the exception.
sub _batch {
    my ($done, $target, $source, $size) = @_;
    my $before_kb = _size_kb();
    my $stuck     = sub { $done->{wrong} = 'stuck'; die "stuck\n" };
    POSIX::sigaction(POSIX::SIGPROF(), POSIX::SigAction->new($stuck));
    _limit($done->{limit_s});
    for (1 .. $size) {
        _one($done, $target, $source->next);
        last if @{ $done->{violations} } >= VIOLATIONS_MAX;
    }
    _limit(0);
    my $growth_kb = _size_kb() - $before_kb;
    push @{ $done->{violations} },
        "$done->{target}, seed $done->{seed}: the batch up to input $done->{inputs} took $growth_kb KB\n"
        if $growth_kb > GROWTH_MAX_KB;
    return;
}

# Lets SIGPROF arrive after that many seconds of CPU time; 0 turns it off.
sub _limit {
    my ($cpu_s) = @_;
    return Time::HiRes::setitimer(Time::HiRes::ITIMER_PROF(), $cpu_s);
}

sub _one {
    my ($done, $target, $input) = @_;
    local $SIG{__WARN__} = sub { $done->{wrong} = "warning: $_[0]" };
    delete $done->{wrong};
    my $message = eval { $target->{check}->($input); 1 } ? undef : $@;
    my $wrong   = $done->{wrong};
    chomp $wrong if defined $wrong;
    $wrong //= _wrong_with($message, $target->{refusal}) if defined $message;
    if (defined $wrong) {
        $wrong =~ s/([^\x20-\x7e])/_escape($1)/ge;
        push @{ $done->{violations} }, "$done->{target}, seed $done->{seed}: $wrong; input: @{[shown($input)]}\n";
        _limit($done->{limit_s});
    }
    $done->{inputs}++;
    $done->{ defined $message ? 'refused' : 'accepted' }++;
    return;
}

# Takes a message and the pattern of the target; returns a complaint, or nothing. A message must be short, match the
# pattern, be printable, and must not contain a line of the program or an address in memory.
sub _wrong_with {
    my ($message, $refusal) = @_;
    my $quoted = shown($message);
    return $1 if $message =~ /\Awrong: ([^\n]+)\n\z/;
    return 'a message of ' . length($message) . " bytes: $quoted" if length $message > MESSAGE_MAX;
    return "a message that can't be printed: $quoted" if !utf8::decode($message) || $message =~ $UNPRINTABLE;
    return "a message from within: $quoted" if $message =~ / at \S+ line \d+[.]?\n\z|\(0x[0-9a-f]{6,}\)/;
    return "an unknown message: $quoted" if $message    !~ $refusal;
    return;
}

# Returns the size of this process in KB, or 0 if it is unknown.
sub _size_kb {
    open my $file, '<', '/proc/self/status' or return 0;
    my ($size_kb) = map { /^VmRSS:\s+(\d+)/ } <$file>;
    close $file;
    return $size_kb // 0;
}

1;
