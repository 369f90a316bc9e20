package UnixBench::Fleet::Results;

# Reads the results of a fleet, and judges each by the requirements.

use strict;
use warnings;

use UnixBench::Accept::Acceptance  ();
use UnixBench::Accept::Judge       ();
use UnixBench::Accept::Requirement ();
use UnixBench::Base::Result        qw(has_passes is_measured);
use UnixBench::Compare::Kind       ();
use UnixBench::Compare::Repeated   ();
use UnixBench::Summary::SameRun    qw(identity lines once);
use UnixBench::Fleet::Hosts        qw(names);
use UnixBench::Fleet::Standing     ();
use UnixBench::Summary::Cases      ();
use UnixBench::Score::OfTest       ();
use UnixBench::Store::ResultFile   ();

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

# Takes a try, see UnixBench::Fleet::Hosts; returns it with its result. If the result can't be used, the try has failed.
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

# Takes { path => 1 } for files of a directory, and paths of results. Returns [a try for each run, with a name of its
# own for its host], and [path, line that tells why it is left out] for other files of the same runs. A file of a
# directory that can't be used is a host that failed, with the name of the file. Dies for any other, which the user has
# named.
sub of_files {
    my ($self, $of_directories, @files) = @_;
    my @tries;
    for my $file (@files) {
        my %try = (outcome => 'measured', file => $file);
        push @tries, $of_directories->{$file} ? $self->of_try(\%try) : { %try, %{ $self->_of_file($file) } };
    }
    my ($once, $others) = once(map { [_identity($_), $_->{file}, $_] } @tries);
    my @names = names(map { [@$_{qw(name file)}] } @$once);
    return ([map { +{ %{ $once->[$_] }, host => $names[$_] } } 0 .. $#names], lines(@$others));
}

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

# Takes the path of a result. Returns what a try has of it, see UnixBench::Fleet::Hosts. A result with a failed test has
# the verdict FAIL if what was measured shows a bad machine, and else none. Dies with one line if the file can't be
# read.
sub _of_file {
    my ($self, $path) = @_;
    my $summary  = UnixBench::Store::ResultFile::summary($path, map { $_ => $self->{$_} } qw(copies cpus));
    my @cases    = $self->_cases($summary, $path);
    my @failed   = grep { UnixBench::Summary::Cases::is_failed($_) } @cases;
    my ($failed) = ((grep { $_->{verdict} eq 'FAIL' } @failed), @failed);
    my $verdict =
          (grep { $_->{verdict} eq 'FAIL' } @cases)                              ? 'FAIL'
        : $failed || !@{ $self->{requirements} }                                 ? undef
        : UnixBench::Accept::Acceptance::has_requirement(INCONCLUSIVE => @cases) ? 'INCONCLUSIVE'
        :                                                                          'PASS';
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

# Returns the cases of a result. The passes are read only if they may change a verdict.
sub _cases {
    my ($self, $summary, $path) = @_;
    my ($open, @criteria) = $self->_criteria($summary);
    my $needs_passes = has_passes($summary)
        && (
           grep({ defined $_->{quantity} } @criteria)
        || grep { !is_measured($_) || UnixBench::Score::OfTest::class(shortfall => $_->{name}) }
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
        push @open,     _open_case($requirement, $asked, $@) if !@own;
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

# Returns the case of a requirement that does not fit the result. The error becomes the reason.
sub _open_case {
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

1;
