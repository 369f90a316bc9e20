package UnixBench::Fleet::Results;

# Reads the results of a fleet, judges each by the requirements, and makes the hosts, each with one final outcome.
#
# A host is plain data:
#   host      its name
#   outcome   "measured", "failed", "unreachable", "refused", "running" (its run has not ended) or "untried" (no run was
#             started)
#   reason    a sentence about the outcome, or undef
#   file      the path of its result, or undef
#   and, if the result was read, name (the name that the result has for its host), summary, cases, readings (see
#   UnixBench::Fleet::Standing), and verdict: "PASS", "FAIL" or "INCONCLUSIVE" by the requirements; undef if there are
#   none, or if it was not measured. A host that failed is "FAIL" if its result shows that it is too slow or broken
#
# A try is one attempt to measure a host. It has the same keys.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Accept::Acceptance  ();
use UnixBench::Accept::Judge       ();
use UnixBench::Accept::Requirement ();
use UnixBench::Base::Result        qw(has_passes is_measured);
use UnixBench::Base::Text          qw(clean);
use UnixBench::Catalog             ();
use UnixBench::Compare::Kind       ();
use UnixBench::Compare::Repeated   ();
use UnixBench::Summary::Outline    qw(identity lines once);
use UnixBench::Fleet::Standing     ();
use UnixBench::Summary             ();
use UnixBench::Summary::Cases      ();
use UnixBench::Store::ResultFile   ();

our @EXPORT_OK = qw(is_accepted outcome_of);

# Takes
#   requirements  [requirements, see UnixBench::Accept::Requirement]
#   baseline      the parsed index.base
#   copies, cpus  for text reports without them, or undef
# Returns the object. Dies with one line if the result that a requirement names can't be read.
sub new {
    my ($class,      %with)     = @_;
    my ($references, @left_out) = UnixBench::Accept::Judge::read_references($with{requirements});
    return bless { %with, references => $references, left_out => \@left_out, fits => {} }, $class;
}

# Returns [path, line that tells why it is left out] for the references that fit no result.
sub left_out {
    my ($self) = @_;
    my %line   = map { $_->[1] => $_ } grep { !$self->{fits}{ $_->[0] } } @{ $self->{left_out} };
    return map { $line{$_} } sort keys %line;
}

# Takes a try; returns it with its result. If the result can't be used, the try has failed.
# A try that failed has the verdict FAIL if its result shows that, and else none.
sub of_try {
    my ($self, $try) = @_;
    return $try if !defined $try->{file};
    my $read = eval { $self->_of_file($try->{file}) } || { outcome => 'failed', reason => $@ =~ s/\n.*//sr };
    return { %$try, %$read } if $try->{outcome} eq 'measured';
    my $verdict = ($read->{verdict} // q{}) eq 'FAIL' ? 'FAIL' : undef;
    my %end     = (outcome => 'failed', verdict => $verdict);
    return { %$try, %$read, %end, reason => $try->{reason} // $read->{reason} };
}

# Takes { path => 1 } for files of a directory, and paths of results. Returns [a try for each run, the earlier ones of a
# host first], and [path, line that tells why it does not count] for files of the same runs and for earlier results. A
# host without a name has that of the file. A file of a directory that can't be used is a host that failed. Dies for any
# other, which the user has named.
sub of_files {
    my ($self, $of_directories, @files) = @_;
    my @tries;
    for my $file (@files) {
        my %try = (outcome => 'measured', file => $file);
        push @tries, $of_directories->{$file} ? $self->of_try(\%try) : { %try, %{ $self->_of_file($file) } };
    }
    my ($once,    $others) = once(map { [_identity($_), $_->{file}, $_] } @tries);
    my (%of_host, @names);
    for my $try (@$once) {
        my $name = clean(length($try->{name} // q{}) ? $try->{name} : $try->{file});
        push @names, $name if !$of_host{$name};
        push @{ $of_host{$name} }, { %$try, host => $name };
    }
    my @sorted = map {
        [sort { _began($a) <=> _began($b) } @{ $of_host{$_} }]
    } @names;
    my @earlier = map { $_->{file} } map { @$_[0 .. $#$_ - 1] } @sorted;
    return ([map { @$_ } @sorted], lines(@$others), map { [$_, clean($_) . ': its host has a later result'] } @earlier);
}

sub _began { my ($try) = @_; return $try->{summary} && UnixBench::Summary::began($try->{summary}) // 0 }

# Returns what tells the run of a try from others; a file that can't be read is known by its place on the disk.
sub _identity {
    my ($try) = @_;
    return identity($try->{summary}) if $try->{summary};
    return { run => join(q{ }, map { $_ // q{} } (stat $try->{file})[0, 1]), is_whole => 0 };
}

# Takes a host with a result; returns the result as UnixBench::Report::Formats::of_results takes it.
sub whole {
    my ($self, $host) = @_;
    my $summary = UnixBench::Store::ResultFile::summary($host->{file}, map { $_ => $self->{$_} } qw(copies cpus));
    return { host => $host->{host}, summary => $summary, cases => $host->{cases}, is_host_named => 1 };
}

# Takes the path of a result. Returns what a try has of it. A result with a failed test has the verdict FAIL if what was
# measured shows a bad machine, and else none. Dies with one line if the file can't be read.
sub _of_file {
    my ($self, $path) = @_;
    my $summary  = UnixBench::Store::ResultFile::summary($path, map { $_ => $self->{$_} } qw(copies cpus));
    my @cases    = $self->_cases($summary, $path);
    my @failed   = grep { UnixBench::Summary::Cases::is_failed($_) } @cases;
    my ($failed) = ((grep { $_->{verdict} eq 'FAIL' } @failed), @failed);
    my $verdict  = (grep { $_->{verdict} eq 'FAIL' } @cases) ? 'FAIL' : $failed ? undef : verdict_of(@cases);
    return {
        name     => $summary->{name},
        readings => UnixBench::Fleet::Standing::readings($summary),
        summary  => $summary,
        cases    => \@cases,
        verdict  => $verdict,
        $failed
        ? (outcome => 'failed', reason => "\"$failed->{title}\": " . ($failed->{reason} // 'failed'))
        : (outcome => 'measured'),
    };
}

# Takes cases; returns the verdict by the requirements among them, or undef without any.
sub verdict_of {
    my (@cases) = @_;
    my ($worst) = grep { UnixBench::Accept::Acceptance::has_requirement($_ => @cases) } qw(FAIL INCONCLUSIVE PASS);
    return $worst;
}

# Returns the cases of a result. The passes are read only if they may change a verdict.
sub _cases {
    my ($self, $summary, $path) = @_;
    my ($open, @criteria) = $self->_criteria($summary);
    my $needs_passes = has_passes($summary)
        && (
           grep({ defined $_->{quantity} } @criteria)
        || grep { !is_measured($_) || UnixBench::Catalog::known_by(shortfall => $_->{name}) }
        map     { @{ $_->{tests} } } @{ $summary->{runs} }
        );
    my $result = $needs_passes ? UnixBench::Store::ResultFile::result($path) : undef;
    return (UnixBench::Accept::Acceptance::cases($summary, $result, @criteria), @$open);
}

# Returns [cases of the requirements that do not fit the result], and the criteria of the others.
sub _criteria {
    my ($self, $summary) = @_;
    my $asked = UnixBench::Accept::Requirement::request_of($summary, $self->{baseline});
    my (@open, @criteria);
    for my $requirement (@{ $self->{requirements} }) {
        my @own = eval { $self->_criteria_of($requirement, $asked, $summary) };
        push @criteria, @own;
        push @open,     open_case($requirement, $asked, $@) if !@own;
    }
    return (\@open, @criteria);
}

sub _criteria_of {
    my ($self, $requirement, $asked, $summary) = @_;
    UnixBench::Accept::Requirement::check([$requirement], $asked);
    my ($references, $file) = ($self->{references}, $requirement->{file});
    return UnixBench::Accept::Requirement::of([$requirement], $asked, $references) if !defined $file;
    my @own    = { label => 'it', summary => $summary };
    my $given  = $references->{$file};
    my $is_one = ref $given ne 'ARRAY';
    my @why    = $is_one ? UnixBench::Compare::Kind::obstacles({ label => $file, summary => $given }, @own) : ();
    my ($fitting, @others) = $is_one ? $given : eval { UnixBench::Compare::Repeated::fitting(\@own, $given) };
    die UnixBench::Accept::Requirement::complaint($requirement->{text}, @why ? join('; ', @why) . "\n" : $@)
        if @why || !$fitting;
    my @criteria = UnixBench::Accept::Requirement::of([$requirement], $asked, { $file => $fitting });
    push @others,                map { @{ $_->{left_out} || [] } } @criteria;
    push @{ $self->{left_out} }, @others;
    my %lacks = map { $_->[0] => 1 } @others;
    $self->{fits}{$_} = 1 for grep { !$lacks{$_} } map { $_->{label} } $is_one ? () : @$fitting;
    return @criteria;
}

# Takes a requirement that does not fit a result, the request of that, and why; returns its case.
sub open_case {
    my ($requirement, $asked, $error) = @_;
    chomp $error;
    my $beginning = UnixBench::Accept::Requirement::complaint($requirement->{text}, q{});
    return {
        kind    => 'requirement',
        verdict => 'INCONCLUSIVE',
        title   => $requirement->{text},
        name    => $requirement->{name},
        copies  => UnixBench::Accept::Requirement::copies_wanted($requirement, $asked) // $asked->{copies}[0] // 1,
        run     => undef,
        reason  => $error =~ s/\A\Q$beginning\E//r,
    };
}

# Takes tries; returns the hosts in the order of the tries. The last try of a host that was measured counts, or the last
# one without any.
sub hosts_of {
    my (@tries) = @_;
    my (%of_host, @names);
    for my $try (@tries) {
        push @names,                        $try->{host} if !$of_host{ $try->{host} };
        push @{ $of_host{ $try->{host} } }, $try;
    }
    return map { (grep { $_->{outcome} eq 'measured' || defined $_->{verdict} } @$_)[-1] // $_->[-1] } @of_host{@names};
}

# Takes a host; returns whether it was measured, and meets the requirements, if there are any.
sub is_accepted {
    my ($host) = @_;
    return $host->{outcome} eq 'measured' && ($host->{verdict} // 'PASS') eq 'PASS';
}

# Takes a host; returns its verdict, or its outcome if there is none.
sub outcome_of {
    my ($host) = @_;
    return $host->{verdict} // $host->{outcome};
}

1;
