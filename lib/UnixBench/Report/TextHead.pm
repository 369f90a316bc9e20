package UnixBench::Report::TextHead;

use strict;
use warnings;

use UnixBench::Base::Format           qw(clean fixed);
use UnixBench::Base::Result           qw(cpu_kinds);
use UnixBench::Report::MachineWording qw(flag_names renderer_text);

# Takes a result, returns the lines that stand above the first run: version, machine, CPUs (those of one kind in one
# line when it is brief), notes, uptime and the blank line after them.
sub lines {
    my ($result) = @_;
    my $host     = $result->{host};
    my @facts    = (
        _system_lines($host),
        _language_line($result->{language}),
        ($result->{is_brief}       ? _brief_cpu_lines($host->{cpus}) : map { _cpu_lines($_) } @{ $host->{cpus} }),
        (defined $host->{graphics} ? 'Graphics: ' . clean(renderer_text($host->{graphics})) : ()),
        (map { 'Note: ' . clean($_) } @{ $result->{notes} }),
        clean($host->{uptime}),
    );
    my $head = '   BYTE UNIX Benchmarks (Version ' . clean($result->{version}) . ')';
    return ($head, '', (map { length $_ ? "   $_" : '' } @facts), '');
}

sub _system_lines {
    my ($host) = @_;
    my %fact = map { $_ => clean($host->{$_}) } qw(name system os release version machine platform);
    return (
        "System: $fact{name}: $fact{system}",
        clean("OS: $fact{os} -- $fact{release} -- $fact{version}"),
        "Machine: $fact{machine} ($fact{platform})",
    );
}

sub _language_line {
    my ($language) = @_;
    my %fact = map { $_ => clean($language->{$_}) } qw(lang charmap collate);
    return qq{Language: $fact{lang} (charmap="$fact{charmap}", collate="$fact{collate}")};
}

sub _brief_cpu_lines {
    my ($cpus) = @_;
    return map { _model_line($_->{ids}, $_->{cpu}) } cpu_kinds($cpus);
}

sub _cpu_lines {
    my ($cpu) = @_;
    my $features = clean(features($cpu));
    return (_model_line($cpu->{id}, $cpu), length $features ? ' ' x 7 . $features : '');
}

sub _model_line {
    my ($ids, $cpu) = @_;
    my $bogomips = defined $cpu->{bogomips} ? ' (' . fixed($cpu->{bogomips}) . ' bogomips)' : '';
    return clean("CPU $ids: " . clean($cpu->{model})) . $bogomips;
}

# Takes a CPU, returns what is known to be special about it as one text, which may be empty.
sub features {
    my ($cpu) = @_;
    return 'CPU Features: ' . join ', ', @{ $cpu->{features} } if @{ $cpu->{features} || [] };
    return join ', ', flag_names(@{ $cpu->{flags} || [] });
}

1;
