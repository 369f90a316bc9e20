package UnixBench::Report::Wording;

# The words that several reports use for runs, indexes, intervals and the measured machine.

use strict;
use warnings;

use Exporter 'import';
use List::Util qw(sum);

use UnixBench::Base::Result  qw(cpu_kinds offset_at);
use UnixBench::Base::Text    qw(copies_text counted listed unique);
use UnixBench::Base::Time    qw(clock_time english_date iso_time parts_of_iso_time);
use UnixBench::Catalog       ();
use UnixBench::Noise::Clock  ();
use UnixBench::Report::Block qw(cell joined);
use UnixBench::Score         ();

our @EXPORT_OK = qw(
    clock_words copies_of copies_sentence flag_names graphics_texts renderer_text run_title
    index_title index_value label_texts machine_facts machine_in_brief
    score_title table_title time_in_brief time_sentence title_of
);

use constant GRAPHICS => '2D and 3D compare drivers on one machine, not graphics cards';

my %FLAG = (
    cxmmx   => 'Cyrix MMX',
    ht      => 'Hyper-Threading',
    ia64    => 'IA-64 processor',
    lm      => 'x86-64',
    mmx     => 'MMX',
    mmxext  => 'AMD MMX',
    pae     => 'Physical Address Ext',
    sep     => 'SYSENTER/SYSEXIT',
    svm     => 'AMD virtualization',
    syscall => 'SYSCALL/SYSRET',
    vmx     => 'Intel virtualization',
    xmm     => 'Streaming SIMD',
);

# Renderers of graphics that do not use a graphics processor.
my $SOFTWARE = do {
    my @names = qw(llvmpipe softpipe swrast swr swiftshader lavapipe);
    my $names = join q{|}, @names, 'software rasterizer', 'software renderer', 'basic render', 'gdi generic';
    qr/\b(?:$names)/i;
};

# Takes a run and its result; returns its date and times in a line.
sub time_sentence {
    my ($run, $result) = @_;
    my $date = english_date($run->{started}, offset_at($result, $run->{started}));
    my ($start, $end) = map { clock_time($_, offset_at($result, $_)) } @{$run}{qw(started ended)};
    return "Benchmark Run: $date $start - $end";
}

# Takes a run and its result; returns when the run began and ended.
sub time_in_brief {
    my ($run, $result) = @_;
    return join ' to ',
        map { join q{ }, (parts_of_iso_time(iso_time($_, offset_at($result, $_))))[0, 1] } @$run{qw(started ended)};
}

# Takes a run; returns its numbers of CPUs and copies in a line.
sub copies_sentence {
    my ($run)  = @_;
    my $cpus   = counted($run->{cpu_count}, 'CPU',           'CPUs');
    my $copies = counted($run->{copies},    'parallel copy', 'parallel copies');
    return "$cpus in system; running $copies of tests";
}

# Takes a result or a summary; returns its labels, such as "distribution=debian13".
sub label_texts {
    my ($result) = @_;
    my $labels = $result->{labels} || {};
    return map { "$_=$labels->{$_}" } sort keys %$labels;
}

# Takes an index; returns the number that index_title names: the index or, if it has none, the mean of its measured
# tests.
sub index_value {
    my ($index) = @_;
    return $index->{lacking} ? $index->{mean_of_others}{value} : $index->{index};
}

# Takes an index; returns the name of its number. This is not the line that scripts search for in reports.
sub index_title {
    my ($index) = @_;
    return UnixBench::Score::mean_of_subject($index) if $index->{lacking};
    return "$index->{title} index" . ($index->{complete} ? q{} : ' (partial)');
}

# Takes a row of a table: a test, an index or, without a title, the mean of the tests; returns its title.
sub title_of {
    my ($row) = @_;
    return 'Geometric mean of the tests' if !defined $row->{title};
    return defined $row->{complete} ? index_title($row) : $row->{title};
}

# Takes a run; returns its copies in words, or undef if its tests are apart from the others, and never run as several.
sub copies_of {
    my ($run) = @_;
    return (grep { !$_->{is_apart} } _categories($run)) ? copies_text($run->{copies}) : undef;
}

# Takes a run; returns the title of its section: its copies or, without these, what it measures.
sub run_title {
    my ($run) = @_;
    return copies_of($run) // join q{, }, map { $_->{subject} } _categories($run);
}

sub _categories {
    my ($run) = @_;
    return map { UnixBench::Catalog::category($_) || {} } unique(map { $_->{category} // q{} } @{ $run->{tests} });
}

# Takes an index, returns the heading of its table.
sub table_title {
    my ($index) = @_;
    return "$index->{title} " . ($index->{complete} ? 'Index Values' : 'Partial Index');
}

# Takes an index; returns the text before its value.
sub score_title {
    my ($index) = @_;
    my $is_whole = $index->{lacking} ? $index->{lacking}{is_all_asked} : $index->{complete};
    return "$index->{title} Index Score" . ($is_whole ? q{} : ' (Partial Only)');
}

# Takes a result; returns what is known of the clock during its passes, a text: whether it was steady, with the first
# and the last number of copies, or how far it fell.
sub clock_words {
    my ($result) = @_;
    my @runs     = @{ $result->{runs} };
    my @known    = grep { $_->{of} } map { +{ UnixBench::Noise::Clock::of_run($_), copies => $_->{copies} } } @runs;
    return 'not known' if !@known;
    my ($worst) = sort { $a->{fell}{mhz} / $a->{mhz} <=> $b->{fell}{mhz} / $b->{mhz} } grep { $_->{fell} } @known;
    return _fell($worst, @runs > 1) if $worst;
    @known = @known[0, -1] if @known > 2;
    my @texts = map { [cell(ghz => $_->{mhz}), ' GHz', @known > 1 ? ' with ' . copies_text($_->{copies}) : ()] } @known;
    return [joined(', ', @texts), ', steady'];
}

sub _fell {
    my ($of, $has_several) = @_;
    my $fell   = $of->{fell};
    my @passes = $of->{passes} > 1 ? " ($of->{passes} of $of->{of} passes)" : ();
    my @copies = $has_several      ? ', ' . copies_text($of->{copies})      : ();
    my @ghz    = ('fell from ', cell(ghz => $of->{mhz}), ' to ', cell(ghz => $fell->{mhz}), ' GHz');
    return [@ghz, " in pass $fell->{number} of $fell->{title}", @copies, @passes];
}

# Takes a result; returns what matters most about its machine, each a text: { board, cpus (their number), model, cpu
# (both of them), memory, system, compiler }. Limits stand beside what they limit. What is unknown is an empty string.
sub machine_facts {
    my ($result) = @_;
    my ($host, $build, $facts) = map { $result->{$_} || {} } qw(host build facts);
    my $memory_kb  = ($facts->{memory}         || {})->{total_kb}   // $host->{memory_kb};
    my $hypervisor = ($facts->{virtualization} || {})->{hypervisor} // 'none';
    my ($release)  = ($host->{release} // q{}) =~ /\A([0-9]+[.][0-9]+)/;
    my ($compiler) = split q{ }, join q{ }, map { $build->{$_} // () } qw(compiler version);
    my ($version)  = ($build->{version} // q{}) =~ /\b([0-9]+[.][0-9]+)/;
    my @options    = grep { /\A-(?:O|march=)/ } split q{ }, $build->{flags} // q{};
    my @models     = map  { _short_model($_) } cpu_kinds($host->{cpus});
    my ($cpus, $model) = (_cpus($host, $facts), @models ? listed(@models) : q{});
    my $most_kb = ($facts->{cgroup} || {})->{memory_kb};
    my @memory  = map { cell(memory => $_) } grep { defined } $most_kb, $memory_kb;
    return {
        board  => $facts->{board} // q{},
        cpus   => $cpus,
        model  => $model,
        cpu    => length $model || ref $cpus || length $cpus ? joined(q{ }, grep { ref || length } $cpus, $model) : q{},
        memory => @memory ? joined(' of ', @memory) : q{},
        system => join(', ',
            ($hypervisor eq 'none' ? () : $hypervisor),
            join q{ },
            grep { defined } ($host->{os} // q{}) =~ s{\AGNU/}{}r,
            $release // $host->{release}),
        compiler => join(q{ }, grep { defined } $compiler, $version, @options),
    };
}

# Takes the host and the facts of a head; returns the number of CPUs, a text that is empty if it is unknown, with the
# limits that leave less of them, such as "2 CPUs (0.3 by a quota)".
sub _cpus {
    my ($host, $facts)     = @_;
    my ($cgroup, $process) = map { $facts->{$_} || {} } qw(cgroup process);
    my $number = sum(0, map { $_->{count} // 1 } @{ $host->{cpus} }) or return q{};
    my ($quota, $list) = ($cgroup->{cpus} // $host->{cpu_quota} // $number, $process->{cpus} // $cgroup->{cpuset});
    my @limits = (
        $quota < $number ? [cell(plain => $quota), ' by a quota']                : (),
        defined $list    ? 'only ' . ($list =~ /\D/ ? 'CPUs' : 'CPU') . " $list" : (),
    );
    my $cpus = counted($number, 'CPU', 'CPUs');
    return @limits ? ["$cpus (", joined(', ', @limits), ')'] : $cpus;
}

# Takes a result; returns these facts as one text, which is empty if none is known.
sub machine_in_brief {
    my ($result) = @_;
    my $facts    = machine_facts($result);
    my @known    = grep { ref || length } @$facts{qw(board cpu memory system compiler)};
    return @known ? joined(', ', @known) : q{};
}

sub _short_model {
    my ($kind) = @_;
    my $model = $kind->{cpu}{model} // return;
    $model =~ s/\((?:R|TM)\)//gi;
    $model =~ s/\s+@\s.*//;
    $model =~ s/\b(?:CPU|Processor|[0-9]+-Core)\b//gi;
    return join q{ }, split q{ }, $model;
}

# Takes a result; returns the renderer of its graphics tests, marked if it uses no graphics processor, or nothing.
sub renderer_text {
    my ($result) = @_;
    my $name = $result->{host}{graphics} // return;
    return $name =~ $SOFTWARE ? "$name, a software renderer" : $name;
}

# Takes the head of a result, and its runs; returns what draws its graphics, and what graphics indexes are good for: the
# texts that apply.
sub graphics_texts {
    my ($head, @runs) = @_;
    my @virtual = ($head->{procedure}{display} // q{}) eq 'virtual' ? 'virtual display' : ();
    my @indexes = grep { UnixBench::Catalog::is_graphics($_) } map { @{ $_->{indexes} } } @runs;
    return grep { length } join(', ', renderer_text($head), @virtual), @indexes ? GRAPHICS : ();
}

# Takes the kernel's flags of a CPU in any order; returns the names of those that have one, sorted by flag.
sub flag_names {
    my (@flags) = @_;
    my %has     = map { $_ => 1 } @flags;
    return map { $FLAG{$_} } grep { $has{$_} } sort keys %FLAG;
}

1;
