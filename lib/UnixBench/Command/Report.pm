package UnixBench::Command::Report;

# Prints the reports of an existing result again, and writes those that are missing next to it. A file of
# another kind, such as a log, may have been measured again, so its reports are written anew.

use strict;
use warnings;

use File::Basename qw(dirname);

use UnixBench::CLI::Declaration qw(shared);
use UnixBench::Features         ();
use UnixBench::Report::Formats  ();

# The suffixes of results. A file with another one may be of another kind, see UnixBench::Store::OtherFiles.
my $OF_RESULT = qr/[.](?:html|json)\z/;

# Returns the declaration, see UnixBench::CLI::Declaration.
sub declaration {
    my @others = UnixBench::Features::list('files');
    return {
        takes     => 'result',
        arguments => join('|', 'RESULT', map { $_->{word} } @others),
        needs     => 'a result',
        most      => 1,
        purpose   => 'print the report of an existing result',
        about     => join(q{ }, 'Missing reports are written next to the result.', map { $_->{about} } @others),
        options   => [shared(qw(-q --details --json --html --markdown))],
    };
}

# Takes a UnixBench::Call::Call; reads the result and those that its judge names. Dies with one line if that fails.
sub check {
    my ($call)  = @_;
    my $options = $call->options;
    my $path    = $options->{words}[0];
    my @read    = _text_of_pipe($path);
    my $made_of = _of_other_kind($path, @read);
    $options->{words} = [$call->file($options->{words}[0])] if !$made_of;
    require UnixBench::Call::Output;
    UnixBench::Call::Output::check($options, $call->judged_by);
    my $base = _base($options->{words}[0]);
    UnixBench::Call::Output::check_reports($options, $base, UnixBench::Report::Formats::files(qw(csv json)))
        if defined $base;
    $options->{result} =
        $made_of ? $made_of->($call) : UnixBench::Store::ResultFile::result($options->{words}[0], @read);
    $call->request->judge->check($options->{result});
    return;
}

# Takes a path; returns the text of that pipe, which can be read only once, or nothing if it is not an open pipe.
sub _text_of_pipe {
    my ($path) = @_;
    require UnixBench::Base::Files;
    require UnixBench::Store::ResultFile;
    return if !-p $path || UnixBench::Base::Files::is_fifo($path);
    return UnixBench::Base::Files::text_within($path, sub { UnixBench::Store::ResultFile::JSON_MB() });
}

# Takes the path of a file, and its text if that was read already. Returns a function that takes the call and returns
# the result, if the file is of another kind, such as a log; nothing if it is a result or unknown.
sub _of_other_kind {
    my ($path, @read) = @_;
    return if !-f $path && !@read || $path =~ $OF_RESULT;
    require UnixBench::Store::OtherFiles;
    return UnixBench::Store::OtherFiles::read_file($path, @read);
}

# Takes the same; delivers the reports. Returns the outcome: "done", "failed", "wrong usage", "not met" or
# "inconclusive".
sub run {
    my ($call) = @_;
    my ($options, $context, $console) = ($call->options, $call->request, $call->console);
    my ($path, $result) = ($options->{words}[0], $options->{result});
    my $refusal = $context->judge->refusal(sub { $result });
    if (defined $refusal) {
        $console->refuse($refusal);
        return 'wrong usage';
    }
    require UnixBench::Report::View;
    my $view = UnixBench::Report::View->new(result => $result, published => $context->machine->published);
    my ($is_complete, @lines) = _complete($call, $path, $view);
    my @problems = $is_complete ? () : $lines[-1];
    my $outcome  = UnixBench::Call::Output->new(
        context  => $context,
        console  => $console,
        view     => $view,
        base     => _base($path),
        lines    => \@lines,
        problems => \@problems,
    )->deliver;
    return $is_complete ? $outcome : 'failed';
}

# Takes the path of a result's page or JSON, or of its log or text; returns the path that all its files have in common,
# or undef if the file has another name.
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
