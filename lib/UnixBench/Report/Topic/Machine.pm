package UnixBench::Report::Topic::Machine;

# The topic of the machine: its facts, its language, and the build of the programs.

use strict;
use warnings;

use UnixBench::Base::Result    qw(cpu_kinds);
use UnixBench::Host::FactList  ();
use UnixBench::Report::Block   qw(cell facts fold in_brief in_full notices quiet section strong);
use UnixBench::Report::Notes   ();
use UnixBench::Report::Wording qw(compiler_text flag_names machine_sentence renderer_text);

# Takes a view; returns the machine in a sentence, except on a page, and the notes of the result.
sub before_runs {
    my ($view) = @_;
    my $result = $view->result;
    my @notes  = UnixBench::Report::Notes::beyond_kind($result);
    return (
        in_brief(quiet(machine_sentence($result))),
        in_full(notices(map { "Note: $_" } @notes)),
        in_brief(notices(map { [strong('Note:'), " $_"] } @notes)),
    );
}

# Takes a view; returns all known facts, folded.
sub of_result {
    my ($view) = @_;
    return in_full(sub { _section($view->result) });
}

sub _section {
    my ($result) = @_;
    my @facts = (
        _host_facts($result->{host}),
        _language_facts($result->{language} || {}),
        _build_facts($result->{build}       || {}),
    );
    my @groups = map { facts($_->{title}, @{ $_->{facts} }) } UnixBench::Host::FactList::groups($result);
    return section(
        'Machine',
        fold(
            'As in the text report',
            facts('System, language and build', grep { ref $_->[1] || length $_->[1] } @facts)
        ),
        fold('All facts about machine and set-up', @groups),
    );
}

sub _host_facts {
    my ($host) = @_;
    my %fact = _texts($host, qw(name system machine platform graphics uptime));
    return (
        ['System',  "$fact{name}: $fact{system}"],
        ['OS',      join ' -- ', grep { defined } @{$host}{qw(os release version)}],
        ['Machine', $fact{machine} . ($fact{platform} =~ /\A(?:unknown)?\z/ ? q{} : " ($fact{platform})")],
        (map { ["CPU $_->{ids}", _cpu($_->{cpu})] } cpu_kinds($host->{cpus})),
        ['CPU quota', _quota($host->{cpu_quota})],
        ['Graphics',  renderer_text($fact{graphics})],
        ['Uptime',    $fact{uptime}],
    );
}

sub _quota {
    my ($cpus) = @_;
    return defined $cpus ? ['the time of ', cell(times => $cpus), ' CPUs'] : q{};
}

sub _cpu {
    my ($cpu)    = @_;
    my %fact     = _texts($cpu, qw(model));
    my @bogomips = defined $cpu->{bogomips} ? (' (', cell(tenths => $cpu->{bogomips}), ' bogomips)') : ();
    my @features = (flag_names(@{ $cpu->{flags} || [] }), @{ $cpu->{features} || [] });
    return [$fact{model}, @bogomips, @features ? '; ' . join ', ', @features : ()];
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
