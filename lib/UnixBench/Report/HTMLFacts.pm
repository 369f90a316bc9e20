package UnixBench::Report::HTMLFacts;

use strict;
use warnings;

use UnixBench::CpuFlags qw(flag_names);
use UnixBench::Facts::List;
use UnixBench::Format          qw(fixed);
use UnixBench::Report::Markup  qw(element);
use UnixBench::Report::Page    qw(cell row);
use UnixBench::Report::Wording qw(renderer_text);
use UnixBench::Result          qw(cpu_kinds);

# Takes a result, returns the section about machine, language and build, with all facts folded below; what is not known
# is left out.
sub section {
    my ($result) = @_;
    my @facts = (
        _host_facts($result->{host}),
        _language_facts($result->{language} || {}),
        _build_facts($result->{build}       || {}),
    );
    my $table = _table([grep { length $_->[1] } @facts]);
    return element('section', element('h2', 'System'), $table, _all_facts($result));
}

sub _all_facts {
    my ($result) = @_;
    my @tables = map { _table($_->{facts}, $_->{title}) } UnixBench::Facts::List::groups($result);
    return element('details', element('summary', 'All facts about machine and set-up'), @tables);
}

sub _table {
    my ($facts, $title) = @_;
    my @caption = defined $title ? element('caption', $title) : ();
    return element('table', { class => 'facts' },
        @caption, element('tbody', map { row($_->[0], cell($_->[1])) } @{$facts}));
}

sub _host_facts {
    my ($host) = @_;
    my %fact = _texts($host, qw(name system machine platform graphics uptime));
    return (
        ['System',  "$fact{name}: $fact{system}"],
        ['OS',      join ' -- ', grep { defined } @{$host}{qw(os release version)}],
        ['Machine', "$fact{machine} ($fact{platform})"],
        (map { ["CPU $_->{ids}", _cpu($_->{cpu})] } cpu_kinds($host->{cpus})),
        ['CPU quota', _quota($host->{cpu_quota})],
        ['Graphics',  renderer_text($fact{graphics})],
        ['Uptime',    $fact{uptime}],
    );
}

sub _quota {
    my ($cpus) = @_;
    return defined $cpus ? sprintf 'the time of %.2f CPUs', $cpus : '';
}

sub _cpu {
    my ($cpu)    = @_;
    my %fact     = _texts($cpu, qw(model));
    my $model    = $fact{model} . (defined $cpu->{bogomips} ? ' (' . fixed($cpu->{bogomips}) . ' bogomips)' : '');
    my @features = (flag_names(@{ $cpu->{flags} || [] }), @{ $cpu->{features} || [] });
    return join '; ', $model, join(', ', @features) || ();
}

sub _language_facts {
    my ($language) = @_;
    my %fact = _texts($language, qw(lang charmap collate));
    return ['Language', qq{$fact{lang} (charmap="$fact{charmap}", collate="$fact{collate}")}];
}

sub _build_facts {
    my ($build) = @_;
    my %fact = _texts($build, qw(compiler version flags cpu libc));
    return (
        ['Compiler',       _compiler(@fact{qw(compiler version)})],
        ['Compiler flags', $fact{flags}],
        ['Built on',       $fact{cpu}],
        ['C library',      $fact{libc}],
    );
}

# What a compiler says of its version begins with its name, mostly.
sub _compiler {
    my ($command, $version) = @_;
    return $version =~ /\A\Q$command\E / ? $version : join ' ', grep { length } $command, $version;
}

sub _texts {
    my ($facts, @names) = @_;
    return map { $_ => defined $facts->{$_} ? $facts->{$_} : '' } @names;
}

1;
