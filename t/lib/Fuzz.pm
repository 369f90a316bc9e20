package Fuzz;

# Fuzzing of the parsers of the harness: feeds them damaged and random inputs, and checks their results. A target has
# good inputs, parts of such inputs, a pattern for the messages, and a check, see Fuzz::Targets.

use strict;
use warnings;

use List::Util  ();
use POSIX       ();
use Time::HiRes ();

use Fuzz::Input   ();
use Fuzz::Targets ();

use constant { MESSAGE_MAX => 400, SHOWN_MAX => 2000, VIOLATIONS_MAX => 5 };

# Takes a number of inputs; returns [name of a target, its number of inputs] for each target.
sub shares {
    my ($inputs) = @_;
    my %targets  = %Fuzz::Targets::TARGETS;
    my $parts    = List::Util::sum(map { $_->{part} } values %targets);
    return map { [$_, POSIX::ceil($inputs * $targets{$_}{part} / $parts)] } sort keys %targets;
}

# Takes the name of a target, a seed and a number of inputs. Returns { target, inputs, accepted, refused, seconds,
# violations => [text, ...] }. Stops after VIOLATIONS_MAX violations.
sub run {
    my ($name, $seed, $inputs) = @_;
    my $target = $Fuzz::Targets::TARGETS{$name};
    my %done   = (target => $name, inputs => 0, accepted => 0, refused => 0, violations => []);
    my $start  = Time::HiRes::time();
    srand $seed;
    my $source = Fuzz::Input->new(@$target{qw(samples words)});
    while ($done{inputs} < $inputs && @{ $done{violations} } < VIOLATIONS_MAX) {
        my $input = $source->next;
        my $wrong;
        local $SIG{__WARN__} = sub { $wrong = "warning: $_[0]" };
        my $message = eval { $target->{check}->($input); 1 } ? undef : $@;
        $wrong //= _wrong_with($message, $target->{refusal}) if defined $message;
        push @{ $done{violations} }, "$name, seed $seed: " . shown($wrong) . '; input: ' . shown($input) . "\n"
            if defined $wrong;
        $done{inputs}++;
        $done{ defined $message ? 'refused' : 'accepted' }++;
    }
    $done{seconds} = Time::HiRes::time() - $start;
    return \%done;
}

# Takes bytes; returns them on one line, as a Perl string literal.
sub shown {
    my ($text) = @_;
    $text =~ s/([^\x20-\x7e]|["\\\$\@])/sprintf ord $1 < 256 ? '\\x%02x' : '\\x{%x}', ord $1/ge;
    return '"' . (length $text > SHOWN_MAX ? substr($text, 0, SHOWN_MAX) . '"...' : "$text\"");
}

# Takes a message and the pattern of the target; returns a complaint, or nothing. A message must be short, match the
# pattern, be printable, and must not contain a line of the program or an address in memory.
sub _wrong_with {
    my ($message, $refusal) = @_;
    return $1 if $message =~ /\Awrong: ([^\n]+)\n\z/;
    return "a long message: $message" if length $message > MESSAGE_MAX;
    return "a message that can't be printed: $message"
        if !utf8::decode($message) || $message =~ $Fuzz::Targets::UNPRINTABLE;
    return "a message from within: $message" if $message =~ / at \S+ line \d+[.]?\n\z|\(0x[0-9a-f]{6,}\)/;
    return "an unknown message: $message" if $message    !~ $refusal;
    return;
}

1;
