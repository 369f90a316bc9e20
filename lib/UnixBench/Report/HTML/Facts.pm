package UnixBench::Report::HTML::Facts;

use strict;
use warnings;

use UnixBench::Base::Format qw(fixed);
use UnixBench::Base::Result qw(cpu_kinds);
use UnixBench::Host::FactList;
use UnixBench::Report::CpuFlags  qw(flag_names);
use UnixBench::Report::Page      qw(folded);
use UnixBench::Report::PageTable qw(pairs);
use UnixBench::Report::Wording   qw(compiler_text renderer_text);

# Takes a result, returns the section about machine, language and build, folded; what is not known is left out.
sub section {
    my ($result) = @_;
    my @facts = (
        _host_facts($result->{host}),
        _language_facts($result->{language} || {}),
        _build_facts($result->{build}       || {}),
    );
    my @tables = map { pairs($_->{title}, @{ $_->{facts} }) } UnixBench::Host::FactList::groups($result);
    return UnixBench::Report::Page::section(
        'Machine',
        folded('As in the text report', pairs('System, language and build', grep { length $_->[1] } @facts)),
        folded('All facts about machine and set-up', @tables)
    );
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
        ['Compiler',       compiler_text(@fact{qw(compiler version)})],
        ['Compiler flags', $fact{flags}],
        ['Built on',       $fact{cpu}],
        ['C library',      $fact{libc}],
    );
}

sub _texts {
    my ($facts, @names) = @_;
    return map { $_ => defined $facts->{$_} ? $facts->{$_} : '' } @names;
}

1;
