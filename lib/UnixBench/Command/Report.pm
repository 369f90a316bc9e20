package UnixBench::Command::Report;

# Prints the reports of an existing result again, and writes those that are missing next to it. A file of
# another kind, such as a log, may have been measured again, so its reports are written anew. Several results need a
# judge that judges them together.

use strict;
use warnings;

use File::Basename qw(dirname);

use UnixBench::Base::Time      qw(iso_date);
use UnixBench::Features        ();
use UnixBench::Report::Block   qw(column document row table);
use UnixBench::Report::Formats ();

use constant ABOUT => 'Missing reports are written next to it. With --markdown, and with exports, it prints no text '
    . 'report, unless -q or --details asks for it.';

# The suffixes of results. A file with another one may be of another kind, see UnixBench::Store::ResultFile.
my $OF_RESULT = qr/[.](?:html|json)\z/;

# Returns the declaration, see UnixBench::CLI::Declaration.
sub declaration {
    my @others  = grep { $_->{reader} } UnixBench::Features::list('files');
    my @several = map  { $_->{option} } grep { $_->{takes_several} } UnixBench::Features::list('judges');
    return {
        takes        => 'result',
        arguments    => join('|', 'RESULT', map { $_->{word} } @others) . (@several ? ' ...' : q{}),
        needs        => 'a result',
        is_unnamed   => 1,
        most         => 1,
        several_with => \@several,
        purpose      => 'print the report of a result (default: the newest)',
        about        => join(q{ }, ABOUT, map { $_->{about} } @others),
        options      => [
            qw(-q --details --copies --cpus --json --html --markdown --no-identity),
            { flag => '--list', key => 'listed', text => 'list the reports in a text, which FILE#1, FILE#2 ... name' },
        ],
    };
}

# Takes a UnixBench::Call; returns [the results, read with those that their judge names], or only their files with
# --list. Dies with one line if that fails.
sub prepare {
    my ($call)  = @_;
    my $options = $call->options;
    my @given   = @{ $options->{words} } ? @{ $options->{words} } : $call->newest;
    my @sides   = map { _found($call, $_) } @given;
    my @paths   = map { $_->{path} } @sides;
    require UnixBench::Call::Output;
    UnixBench::Call::Output::check($options, [@paths, $call->judged_by], map { _base($_) // () } @paths);
    _check_list($options, @sides) if $options->{listed};
    return \@sides if $options->{listed};
    my ($of_one) = grep { !UnixBench::Report::Formats::has(takes_several => $_->[0]) } @{ $options->{outputs} };
    die "option --$of_one->[0] writes one result, not " . @sides . "\n" if $of_one && @sides > 1;
    my @read = map { _read($call, $_) } @sides;
    $call->request->judge->check(@read);
    return \@read;
}

sub _check_list {
    my ($options, @sides) = @_;
    my @others   = grep { !/\A(?:html|markdown)\z/ } map { $_->[0] } @{ $options->{outputs} };
    my ($judged) = grep { defined $options->{ $_->{option} } } UnixBench::Features::list('judges');
    push @others, 'no-identity' if $options->{no_identity};
    die "option --list lists the reports in one text\n" if @sides > 1;
    die "option --list goes with --html and --markdown, not with --$others[0]\n" if @others;
    die "option --list only lists reports: name one of them to judge it\n" if $judged;
    return;
}

# Returns { label, path, and read (a function that returns the result) or text (the summary of a text report) }.
sub _found {
    my ($call, $word) = @_;
    require UnixBench::Store::ResultFile;
    my $is_other = -f $word && $word !~ $OF_RESULT;    # perhaps of another kind, such as a log
    my $made_of  = $is_other ? UnixBench::Store::ResultFile::read_file($word) : undef;
    my $path     = $made_of  ? $word                                          : $call->file($word);
    my ($text, $json) = $made_of ? () : UnixBench::Store::ResultFile::text_summary($path, _given($call));
    return { label => $word, path => $path, text => $text } if $text;
    my $read = sub { $made_of ? $made_of->($call) : UnixBench::Store::ResultFile::result($path, $json) };
    return { label => $word, path => $path, read => $read };
}

sub _read {
    my ($call, $side) = @_;
    require UnixBench::Report::Notes;
    require UnixBench::Report::View;
    my $redaction = $call->request->redaction;
    my %of        = $side->{text} ? (summary => $side->{text}) : (result => $side->{read}->());
    my ($kind)    = keys %of;
    $of{$kind} = $redaction->$kind($of{$kind}) if $redaction;
    $of{result}{notes} = [UnixBench::Report::Notes::of($of{result})] if $redaction && $of{result};
    my $view = UnixBench::Report::View->new(%of, published => $call->request->machine->published);
    return { %$side, view => $view, summary => $view->summary, result => $view->result };
}

sub _given {
    my ($call) = @_;
    return map { $_ => $call->options->{$_} } qw(copies cpus);
}

# Takes a call and what prepare() returned; delivers the reports. Returns the outcome: "done", "failed", "wrong usage",
# "not met" or "inconclusive".
sub run {
    my ($call, $sides) = @_;
    return _list($call, $sides->[0]{path}) if $call->options->{listed};
    my $refusal = $call->request->judge->refusal(sub { $call->console->complain(@_) });
    if (defined $refusal) {
        $call->console->refuse($refusal);
        return 'wrong usage';
    }
    my @outputs = map { _output($call, $_) } @$sides;
    my $outcome = UnixBench::Call::Output::deliver(@outputs);
    return (grep { $_->problems } @outputs) ? 'failed' : $outcome;
}

sub _list {
    my ($call, $path) = @_;
    my @summaries = UnixBench::Store::ResultFile::summaries($path, _given($call));
    return UnixBench::Call::Output::reported(
        $call,
        found  => sub { \@summaries },
        report => sub { _listed($path, @summaries) },
    );
}

sub _listed {
    my ($path, @summaries) = @_;
    my @rows;
    for my $number (1 .. @summaries) {
        my $summary = $summaries[$number - 1];
        my $date    = iso_date($summary->{date} // q{}) // $summary->{date};
        for my $run (@{ $summary->{runs} }) {
            my ($index) = grep { defined } map { $_->{index} } @{ $run->{indexes} };
            my %row = (date => $date, index => $index, copies => $run->{copies}, cpus => $run->{cpu_count});
            push @rows, row("#$number", { %row, map { $_ => $summary->{$_} } qw(name version) });
        }
    }
    my %unknown = (none => 'unknown');
    return document(
        "Reports in $path",
        table(
            columns => [
                column('Report',  title   => 'text'),
                column('Machine', name    => 'text',   %unknown),
                column('Version', version => 'word',   %unknown),
                column('Date',    date    => 'word',   %unknown),
                column('Copies',  copies  => 'count',  %unknown),
                column('CPUs',    cpus    => 'count',  %unknown),
                column('Index',   index   => 'tenths', none => 'none'),
            ],
            rows => \@rows
        ),
    );
}

sub _output {
    my ($call,        $side)  = @_;
    my ($path,        $view)  = @$side{qw(path view)};
    my ($is_complete, @lines) = $view->result ? _complete($call, $path, $view) : 1;
    return UnixBench::Call::Output->new(
        context  => $call->request,
        console  => $call->console,
        view     => $view,
        base     => $view->result ? _base($path) : undef,
        lines    => \@lines,
        problems => $is_complete ? [] : [$lines[-1]],
    );
}

sub _base {
    my ($path) = @_;
    my ($base) = $path =~ m{\A(.*[^/])[.](?:html|json|log|txt)\z}s;
    return $base;
}

# Takes the call, the path of a file as above, and the view of its result; writes the missing reports next to it, if
# that is allowed, and all again if it is a file of another kind. A state under a command has a page only. Returns
# whether there was no error, and lines about what was written, with the errors at their end.
sub _complete {
    my ($call, $path, $view) = @_;
    my $base = _base($path);
    return 1 if !defined $base || !-w dirname($path);
    my $settings = $call->settings;
    my $kind_of  = UnixBench::Report::Formats::files(grep { $settings->{$_} } qw(csv json));
    my $turns    = $view->result->{procedure}{turns};
    my @suffixes = grep { !$turns || !$turns->{state} || $kind_of->{$_} eq 'html' } sort keys %$kind_of;
    my (@written, @problems);
    require UnixBench::Base::Files;
    @suffixes = grep { !-e "$base$_" && !-l "$base$_" } @suffixes if !_has_own_report($path, "$base.html");

    for my $suffix (@suffixes) {
        my $source = UnixBench::Report::Formats::source_of($kind_of->{$suffix}, $view);
        if (eval { UnixBench::Base::Files::write_whole("$base$suffix", $source); 1 }) {
            push @written, "also written: $base$suffix\n";
        }
        else { push @problems, $@ }
    }
    return (!@problems, @written, @problems);
}

# Takes the path that was asked for and that of the page next to it. Returns whether the first is a file of another
# kind, and the second a page that was made of one. So a page of Run is never replaced.
sub _has_own_report {
    my ($path, $page) = @_;
    return 0 if $path =~ $OF_RESULT || !-f $page;
    return eval { UnixBench::Store::ResultFile::result($page)->{procedure}{runner} } ? 1 : 0;
}

1;
