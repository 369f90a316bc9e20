package UnixBench::Call::Output;

# The output of a call for the user, in addition to the own files of a run: the report on standard output, copies of
# reports in the files that options name, and the block at the end. Such a copy never replaces a file that is read,
# another copy, or a file of a run, except the same report of the same run.

use strict;
use warnings;

use UnixBench::Base::Arguments    qw(named);
use UnixBench::Base::Files        ();
use UnixBench::Base::Halt         ();
use UnixBench::Base::Text         qw(shown);
use UnixBench::CLI::Console       ();
use UnixBench::CLI::Options       ();
use UnixBench::Report::Formats    ();
use UnixBench::Summary::Cases     ();
use UnixBench::Store::OutputFiles ();

use constant RULE => q{=} x 72;

# The colours of levels of trust: Select Graphic Rendition, ECMA-48, 8.3.117.
my %COLOUR = (good => 32, fair => 33, unknown => 33, poor => 31, incomplete => 31);

# Takes options, the files that are read, as paths or words, and the bases of the runs whose reports are written, see
# UnixBench::Store::OutputFiles. Dies with one line if an output file can't be written, or must not be replaced.
sub check {
    my ($options, $read, @own) = @_;
    my %is_taken = map { UnixBench::Base::Files::identity(s/#[0-9]+\z//r) => 1 } @$read;
    for my $file (_files(@{ $options->{outputs} })) {
        my ($key, $path) = @$file;
        UnixBench::Base::Files::check_writable($path);
        my $is_read = $is_taken{ UnixBench::Base::Files::identity($path) };
        my $why     = $is_read ? 'which is read' : _why_kept($key, $path, @own) // next;
        die "option --$key would overwrite " . shown($path) . ", $why: name another file\n";
    }
    return;
}

# Returns in words why the file there must not be replaced, or undef.
sub _why_kept {
    my ($key, $path, @own) = @_;
    my ($base, $suffix) = UnixBench::Store::OutputFiles::run_of($path) or return;
    my %is_own = map { UnixBench::Base::Files::identity($_) => 1 } @own;
    return if $suffix eq ".$key" && $is_own{ UnixBench::Base::Files::identity($base) };
    return 'which is a file of the run ' . shown($base);
}

# Takes options and the files that are read; does the same for a command whose exports are tables.
sub check_tables {
    my ($options, @read) = @_;
    my ($other) =
        grep { /\Aexport / && !UnixBench::Report::Formats::takes_table($_) } map { $_->[0] } @{ $options->{outputs} };
    die "option --$other writes results, not a table\n" if defined $other;
    return check($options, \@read);
}

# Takes options; returns the kind of report that replaces the usual one on standard output, or undef.
sub of_standard_output {
    my ($options) = @_;
    my ($kind)    = map { $_->[1] eq q{-} ? $_->[0] : () } @{ $options->{outputs} };
    return $kind;
}

# Takes [[kind of a report, path], ...], a function that takes a kind and the errors so far, and returns its text, and
# the bases of the runs whose reports are written. Writes these files, those that have doubts last. Looks again at what
# is there, because a run and its files did not exist before. Returns a line for each error.
sub write_files {
    my ($outputs, $text_of, @own) = @_;
    my @problems;
    my (@first, @last, @written);
    push @{ UnixBench::Report::Formats::has(has_doubts => $_->[0]) ? \@last : \@first }, $_ for _files(@$outputs);
    for my $file (@first, @last) {
        my ($kind, $path) = @$file;
        my $identity = UnixBench::Base::Files::identity($path);
        my $is_new   = grep { $identity eq UnixBench::Base::Files::identity($_) } @written;
        my $why      = $is_new && -f $path ? 'which has just been written' : _why_kept($kind, $path, @own);
        my $is_done  = !defined $why
            && eval { UnixBench::Base::Files::write_to($path, $text_of->($kind, @problems)); 1 };
        push @written,  $path;
        push @problems, defined $why ? "can't write " . shown($path) . ", $why\n" : $@ if !$is_done;
    }
    return @problems;
}

# The body of a command that reports something: prints the report, writes it to the files that the options name, and
# prints lines on standard error. Takes a call, and functions: found returns what is reported, or dies with one or more
# lines for the user; text takes that, the kind of a report and, if a terminal shows it, this terminal (see
# UnixBench::CLI::Console::screen), and returns the report; outcome takes it, and returns the outcome of the command, by
# default "done"; lines (optional) takes it, and returns the lines; more_files (optional) takes it, and returns further
# files as the key outputs of options has them. Instead of text, it takes the functions of in_format(). Returns the
# outcome, which may also be "wrong usage" or "failed".
sub reported {
    my ($call, @given) = @_;
    my $given   = named(\@given, qw(found text json table report outcome lines more_files));
    my $text_of = $given->{text} || sub { in_format($given, @_) };
    my ($options, $console) = ($call->options, $call->console);
    my $found = eval { $given->{found}->() };
    if (!$found) {
        die $@ if UnixBench::Base::Halt::is_thrown($@);
        $console->refuse($@);
        return 'wrong usage';
    }
    my @lines      = $given->{lines} ? $given->{lines}->($found) : ();
    my $screen     = $console->screen;
    my @how        = $screen ? ('text', $screen) : of_standard_output($options) // 'text';
    my $text       = $text_of->($found, @how);
    my $is_printed = $screen              ? $console->show($text)          : $console->answer($text);
    my @more       = $given->{more_files} ? $given->{more_files}->($found) : ();
    my @problems   = write_files([@{ $options->{outputs} }, @more], sub { $text_of->($found, $_[0]) });
    $console->complain($_) for @lines, @problems;
    return 'failed' if !$is_printed || @problems;
    return $given->{outcome} ? $given->{outcome}->($found) : 'done';
}

# Takes { json, table, report }, functions that take what is reported, and return a JSON file, the arguments of a table
# of exports, and a report of blocks; that; a kind; and perhaps the terminal. Returns the report of that kind.
sub in_format {
    my ($of, $found, $kind, $screen) = @_;
    return $of->{json}->($found) if $kind eq 'json';
    return UnixBench::Report::Formats::of_table($kind, $of->{table}->($found)) if $kind =~ /\Aexport /;
    return UnixBench::Report::Formats::of_blocks($kind, $of->{report}->($found), $screen);
}

sub _files {
    my (@outputs) = @_;
    return grep { $_->[1] ne q{-} } @outputs;
}

# Takes the options, the parts of a plan, and the settings; loads all modules that the output of its result needs,
# because the suite may be moved or replaced while a run measures. Without arguments, loads those of any result.
sub load {
    my ($options, $parts, $settings) = @_;
    require UnixBench::Warnings::Wording;
    if (!$options->{quiet}) {
        require UnixBench::Call::NextStep;
        require UnixBench::Report::EndBlock;
        require UnixBench::Store::ResultNames;
    }
    UnixBench::Report::Formats::load($parts, $options, grep { $settings->{$_} } qw(csv json));
    return;
}

# Takes the call (context => UnixBench::Call::Request, console => UnixBench::CLI::Console) and its result:
#   view      see UnixBench::Report::View
#   text      the text report, if it exists already
#   base      the path that the files of the result have in common, or undef
#   lines     [lines for standard error]
#   resume    perhaps a line that says how to resume the run, for standard error; the block says so, too
#   problems  [lines with which the run failed]
#   is_new    whether a run ends with this output: then a rule separates it from the progress
#   is_whole  whether a new run is complete
sub new {
    my ($class, @given) = @_;
    my @keys    = qw(context console view text base lines resume problems is_new is_whole);
    my $self    = bless { %{ named(\@given, @keys) }, others => [], cases => [] }, $class;
    my $context = $self->{context};
    load($context->options, scalar $self->{view}->parts, $context->settings);
    return $self;
}

# Returns the lines with which the run failed.
sub problems { my ($self) = @_; return @{ $self->{problems} } }

# Takes the output of a result, or those of several that are judged together. Delivers the reports of each. Returns the
# outcome: "done", "failed", "test failed", "not met" or "inconclusive". A quick run without the precision that the user
# asked for is inconclusive.
sub deliver {
    my ($self, @others) = @_;
    my ($console, $options, $judge) = ($self->{console}, map { $self->{context}->$_ } qw(options judge));
    my @all = ($self, @others);
    $self->{others} = \@others;
    $self->{cases}  = [$judge->cases(map { +{ summary => $_->{view}->summary, result => $_->{view}->result } } @all)];
    my @imprecise = map { UnixBench::Warnings::Wording::of($_)->{seen} . "\n" }
        grep { $_->{kind} eq 'precision' } map { $_->{view}->warnings } @all;
    my @doubts     = ((map { $_->problems } @all), defined $options->{precision} ? @imprecise : ());
    my $rule       = $self->{is_new} && !$console->kept ? RULE . "\n" : q{};
    my $is_printed = $self->_print($rule, @doubts);
    push @doubts, 'the report could not be printed' if !$is_printed;
    my @own = map { $_->{base} // () } @all;
    my @problems =
        write_files($options->{outputs}, sub { $self->_made(source_of => $_[0], @doubts, @_[1 .. $#_]) }, @own);
    my $screen  = $self->_screen;
    my @remarks = $screen || $options->{quiet} && !defined $options->{precision} ? () : @imprecise;
    my @lines   = map                { (@{ $_->{lines} }, $screen ? () : $_->{resume} // ()) } @all;
    my @load    = $screen ? () : map { $_->_other_load } @all;
    $console->complain($_) for $judge->lines(@{ $self->{cases} }), @load, @remarks, @problems, @lines;
    $console->show($self->_block($screen)) if $screen && !@others && !$self->_is_silent;
    return 'failed' if !$is_printed || @problems;
    my $outcome = $judge->outcome(@{ $self->{cases} });
    return $outcome eq 'done' && @imprecise && defined $options->{precision} ? 'inconclusive' : $outcome;
}

# Returns whether only a file was asked for: another format of an existing result.
sub _is_silent {
    my ($self) = @_;
    my $options = $self->{context}->options;
    return 0 if $self->{is_new} || $options->{quiet} || $options->{details};
    return scalar grep { $_->[0] =~ /\A(?:export |markdown\z)/ } _files(@{ $options->{outputs} });
}

# Takes the beginning of the text for standard output, and reasons why the result is not certain; prints the text. If a
# terminal shows several results, each has its block below its reports. A quiet bisection prints only its verdict.
# Returns whether that worked.
sub _print {
    my ($self, $text, @doubts) = @_;
    my ($console, @others) = ($self->{console}, @{ $self->{others} });
    my $options = $self->{context}->options;
    my $kind    = of_standard_output($options);
    return 1 if !defined $kind && ($options->{quiet} && $self->{context}->judge->decides_alone || $self->_is_silent);
    return $console->answer($text . $self->_text($kind, @doubts)) if defined $kind;
    my $screen     = @others ? $self->_screen : undef;
    my $is_printed = $console->answer($text . $self->_reports);
    $console->show($self->_block($screen)) if $screen;

    for my $other (@others) {
        $is_printed &&= $console->answer($other->_reports);
        $console->show($other->_block($screen)) if $screen;
    }
    return $is_printed;
}

# Returns the text report, with those that are printed below it. Between two of these is a blank line.
sub _reports {
    my ($self)  = @_;
    my $options = $self->{context}->options;
    my $head    = $self->{view}->head;
    my %has     = map { $_ => defined $head->{$_} } keys %$head;
    my ($text, @below) = map { $self->_text($_) } 'text', UnixBench::Report::Formats::below($options, \%has);
    return $text . join "\n", grep { length } @below;
}

# Takes the kind of a report, such as "json", and lines with the reasons why the result is not certain, whatever the
# cases say. Returns its text. Only some formats have the reasons.
sub _text {
    my ($self, $kind, @doubts) = @_;
    return $kind eq 'text' && defined $self->{text} ? $self->{text} : $self->_made(of_result => $kind, @doubts);
}

sub _made {
    my ($self, $make, $kind, @doubts) = @_;
    my @others = UnixBench::Report::Formats::has(takes_several => $kind) ? @{ $self->{others} } : ();
    my $view   = @others ? [map { $_->{view} } $self, @others]                                  : $self->{view};
    my $asked  = UnixBench::Report::Formats::asked($kind, $self->{context}->options);
    @doubts = () if !UnixBench::Report::Formats::has(has_doubts => $kind);
    my @cases = (@{ $self->{cases} }, map { UnixBench::Summary::Cases::doubt($_) } @doubts);
    return UnixBench::Report::Formats->can($make)->($asked, $view, @cases);
}

sub _other_load {
    my ($self) = @_;
    return if !grep { @{ $_->{other_load} || [] } } @{ $self->{cases} };
    return map { "$_\n" } UnixBench::Warnings::Wording::merged(grep { $_->{kind} eq 'load' } $self->{view}->warnings);
}

# Returns the terminal on which the block is printed after the report, or undef. The tables of a text report have it at
# their beginning.
sub _screen {
    my ($self) = @_;
    return $self->{context}->options->{quiet} || !$self->{view}->result ? undef : $self->{console}->screen;
}

sub _block {
    my ($self, $screen) = @_;
    my ($view, $base)   = @$self{qw(view base)};
    my $width    = $screen->{columns};
    my @warnings = UnixBench::Report::EndBlock::warning_lines($view, $width);
    my $page     = defined $base ? $self->{context}->shown_path("$base.html")   : undef;
    my %more     = defined $base ? (page => $page, next => scalar $self->_next) : ();
    my @block    = UnixBench::Report::EndBlock::block_lines($view, $width, %more);
    if (!length($ENV{NO_COLOR} // q{}) && UnixBench::CLI::Console::has_controls()) {
        s/\A(Trust +)(\w+)(?=:)/$1\e[$COLOUR{$2}m$2\e[m/ for @block;
    }
    return join q{}, map { "$_\n" } @warnings, @warnings ? q{} : (), @block;
}

sub _next {
    my ($self) = @_;
    my $names = UnixBench::Store::ResultNames->new(directory => $self->{context}->settings->{resultdir});
    return UnixBench::Call::NextStep::of_result(
        summary       => $self->{view}->summary,
        own           => UnixBench::CLI::Console::quoted($self->{context}->shown_path($names->word($self->{base}))),
        base          => $self->{base},
        is_unfinished => $self->{is_new} && !$self->{is_whole},
        outputs       => [$self->{is_new} ? UnixBench::CLI::Options::output_words($self->{context}->options) : ()],
        names         => $names,
    );
}

1;
