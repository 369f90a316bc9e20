package UnixBench::Fleet::Kinds;

# The kinds of hosts in a fleet. Hosts of a kind have the same models and number of CPUs, the same programs and the same
# procedure: only these can be slow or fast among each other. If each host has compiled its own programs, their files
# differ as soon as the packages of the compiler do. So programs are also the same if they have the same build: of the
# same version, by the same compiler with the same flags, for the same CPU. Scripts have to be the same files.

use strict;
use warnings;

use UnixBench::Base::Text     qw(listed);
use UnixBench::Host::FactList ();

# Matches the names of measured files that are not compiled.
my $SCRIPT = qr/[.]sh\z|\Agfx-/;

# Matches the revision of a distribution's package in the version of a compiler: "-14+deb12u1" in "12.2.0-14+deb12u1".
my $REVISION = qr/(?<=[0-9])[-+~][^\s()]*/;

# What a build is, apart from the version of the suite: keys of facts.
my @BUILD = qw(build.compiler build.flags build.cpu build.portable suite.git_revision);

# Takes hosts, see UnixBench::Fleet::Hosts; returns their kinds, those with the most hosts first. A kind is plain data:
#   letter  A for the first kind, B for the next, and so on; undef if there is only one
#   title   what distinguishes it, such as "AMD EPYC 7763, 4 CPUs"
#   hosts   [its hosts]
# A host of which the programs are unknown is of the first kind with the same CPUs and procedure.
sub of {
    my (@hosts) = @_;
    my (%alike, @kinds);
    for my $host (@hosts) {
        my $summary = $host->{summary};
        my %own     = (
            cpus      => UnixBench::Host::FactList::text_of($summary, 'cpu.models'),
            procedure => $summary->{procedure}{kind},
            build     => scalar _build($summary),
            programs  => { %{ ($summary->{files} || {})->{programs} || {} } },
        );
        my $same   = $alike{ join "\0", map { $_ // q{} } @own{qw(cpus procedure)} } ||= [];
        my ($kind) = grep { !_other_programs(\%own, $_) } @$same;
        if (!$kind) {
            $kind = { %own, hosts => [] };
            push @kinds, $kind;
            push @$same, $kind;
        }
        push @{ $kind->{hosts} }, $host;
        $kind->{programs}{$_} //= $own{programs}{$_} for keys %{ $own{programs} };
        $kind->{build} //= $own{build};
    }
    @kinds = sort { @{ $b->{hosts} } <=> @{ $a->{hosts} } } @kinds;
    my @titles = _titles(@kinds);
    my $letter = 'A';
    return
        map { { letter => @kinds > 1 ? $letter++ : undef, title => $titles[$_], hosts => $kinds[$_]{hosts} } }
        0 .. $#kinds;
}

# Returns the build of the programs as a text, or undef: version, compiler, flags and CPU.
sub _build {
    my ($summary) = @_;
    my ($compiler, @others) = map { scalar UnixBench::Host::FactList::text_of($summary, $_) } @BUILD;
    return if !defined $compiler;
    return join "\n", map { $_ // q{} } $summary->{version}, $compiler =~ s/$REVISION//gr, @others;
}

# Takes kinds; returns a title for each: the model of the CPU, and the other properties that differ between kinds with
# this model.
sub _titles {
    my (@kinds) = @_;
    my %same;
    push @{ $same{ _model($_) } }, $_ for @kinds;
    my (@titles, %first, %is_taken);
    for my $kind (@kinds) {
        my @same  = @{ $same{ _model($kind) } };
        my $title = join ', ', _model($kind), _if_they_differ(\&_count, $kind, @same),
            _if_they_differ(sub { $_[0]{procedure} // 'unknown procedure' }, $kind, @same);
        my $first = $first{$title} ||= $kind;
        $title .= ', ' . _otherwise($kind, $first) if $first != $kind;
        my $number = ++$is_taken{$title};
        push @titles, $number > 1 ? "$title ($number)" : $title;
    }
    return @titles;
}

# Takes two kinds whose programs differ; returns by what: their builds, or else the names of the programs.
sub _otherwise {
    my (@kinds) = @_;
    my ($own, $usual) = map { [split /\n/, $_->{build} // q{}, -1] } @kinds;
    my @other = @$usual ? grep { length $own->[$_] && $own->[$_] ne $usual->[$_] } 0 .. $#$own : ();
    return 'other build: ' . join ', ', @$own[@other] if @other;
    return 'other programs: ' . listed(_other_programs(@kinds));
}

# Takes two kinds; returns the names of the programs that differ.
sub _other_programs {
    my ($kind, $usual) = @_;
    my @other = grep { defined $usual->{programs}{$_} && $usual->{programs}{$_} ne $kind->{programs}{$_} }
        sort keys %{ $kind->{programs} };
    my $is_same_build = defined $kind->{build} && $kind->{build} eq ($usual->{build} // q{});
    return $is_same_build ? grep { /$SCRIPT/ } @other : @other;
}

# Takes a function, a kind, and the kinds with the same model; returns the text of the function if that of others
# differs.
sub _if_they_differ {
    my ($text_of, $kind, @same) = @_;
    my $text = $text_of->($kind);
    return grep({ $text_of->($_) ne $text } @same) ? $text : ();
}

# Returns the model of the CPUs of a kind, without marks and idle words.
sub _model {
    my ($kind) = @_;
    return 'unknown CPU' if !defined $kind->{cpus};
    my $model = $kind->{cpus} =~ s/\A[0-9]+ x (?!.*, [0-9]+ x )//r;
    return $model =~ s/[(](?:R|TM)[)]| CPU(?= @)| [0-9]+-Core Processor\b//gr =~ s/\s+/ /gr;
}

sub _count {
    my ($kind)   = @_;
    my ($number) = ($kind->{cpus} // q{}) =~ /\A([0-9]+) x /;
    return !defined $number ? 'unknown number of CPUs' : $number == 1 ? '1 CPU' : "$number CPUs";
}

1;
