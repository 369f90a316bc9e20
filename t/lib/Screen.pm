package Screen;

# A model of a terminal: the text that it shows after given bytes. It knows what the progress display uses: \r, \n, the
# sequences EL, ED, CUU and SGR of ECMA-48, lines that are too long, and a change of the width.

use strict;
use warnings;

use List::Util ();

my %STYLE = (q{} => q{}, 0 => q{}, 2 => 'dim', 31 => 'red', 32 => 'green', 33 => 'yellow');

# Takes the number of columns, and is_breaking: whether a change of the width wraps lines again, as many terminals do,
# or cuts them.
sub new {
    my ($class, $columns, %with) = @_;
    return bless {
        columns     => $columns,
        is_breaking => 1,
        %with,
        lines  => [[]],
        line   => 0,
        at     => 0,
        style  => q{},
        frames => []
    }, $class;
}

# Takes bytes that are written; they must end with a complete character or sequence. Dies if a sequence is unknown.
sub feed {
    my ($self, $bytes) = @_;
    utf8::decode($bytes);
    while ($bytes =~ /\G(?:\e\[([0-9;]*)([A-Za-z])|(\e)|(\r)|(\n)|(.))/gs) {
        if    (defined $2) { $self->_obey($2, $1) }
        elsif (defined $3) { die "an escape sequence that is none\n" }
        elsif (defined $4) { $self->_keep_frame; $self->{at} = $self->_row_start }
        elsif (defined $5) { $self->_next_row;   $self->_keep_frame }
        else               { $self->_write($6) }
    }
    return $self;
}

# Changes the number of columns.
sub resize {
    my ($self, $columns) = @_;
    if (!$self->{is_breaking}) {
        $self->_harden;
        splice @$_, $columns for grep { @$_ > $columns } @{ $self->{lines} };
        $self->{at} = List::Util::min($self->{at}, $columns - 1);
    }
    $self->{columns} = $columns;
    return $self;
}

# Returns the shown text: lines as wide as the terminal, with words for styles.
sub shown {
    my ($self) = @_;
    my @rows = map { _text(@$_) } map { $self->_rows($_) } @{ $self->{lines} };
    pop @rows while @rows && $rows[-1] eq q{};
    return join q{}, map { "$_\n" } @rows;
}

# Returns the texts that were shown, one for each time that a line was drawn or ended.
sub frames {
    my ($self) = @_;
    return @{ $self->{frames} };
}

# Returns these texts as one: of each the lines from the first difference on, and at the end the whole last text.
sub film {
    my ($self) = @_;
    my ($film, @before) = (q{});
    for my $frame ($self->frames) {
        my @lines   = split /^/, $frame;
        my ($first) = grep { ($before[$_] // q{}) ne ($lines[$_] // q{}) } 0 .. List::Util::max($#before, $#lines);
        $film .= "---\n" . join q{}, @lines[$first .. $#lines];
        @before = @lines;
    }
    return "$film===\n" . $self->shown;
}

sub _keep_frame {
    my ($self) = @_;
    my $shown = $self->shown;
    push @{ $self->{frames} }, $shown if $shown ne ($self->{frames}[-1] // q{});
    return;
}

sub _obey {
    my ($self, $letter, $number) = @_;
    return $self->{style} = $STYLE{$number} // die "style $number\n" if $letter eq 'm';
    return $self->_go_up($number || 1) if $letter eq 'A';
    my $line = $self->{lines}[$self->{line}];
    if    ($letter eq 'J') { splice @$line, $self->{at}; splice @{ $self->{lines} }, $self->{line} + 1 }
    elsif ($letter eq 'K') { $line->[$_] = [q{ }, q{}] for $self->{at} .. $self->_row_end }
    else                   { die "sequence $letter\n" }
    return;
}

sub _write {
    my ($self, $character) = @_;
    my $line  = $self->{lines}[$self->{line}];
    my @cells = $character =~ /[\p{EA=W}\p{EA=F}]/ ? ($character, q{}) : $character;
    push @$line, [q{ }, q{}] while @$line < $self->{at};
    $line->[$self->{at}++] = [$_, $self->{style}] for @cells;
    return;
}

# Returns where the cursor's row begins. A cursor after the last column is still in that row.
sub _row_start {
    my ($self) = @_;
    my $at     = $self->{at};
    my $behind = $at && $at % $self->{columns} == 0 && $at == @{ $self->{lines}[$self->{line}] };
    return $self->{columns} * int(($behind ? $at - 1 : $at) / $self->{columns});
}

sub _row_end {
    my ($self) = @_;
    return List::Util::min($self->_row_start + $self->{columns}, scalar @{ $self->{lines}[$self->{line}] }) - 1;
}

sub _next_row {
    my ($self) = @_;
    my $next = $self->_row_start + $self->{columns};
    if ($next < @{ $self->{lines}[$self->{line}] }) { $self->{at} = $next; return }
    $self->{lines}[++$self->{line}] //= [];
    $self->{at} = 0;
    return;
}

sub _go_up {
    my ($self, $rows) = @_;
    $self->_harden;
    $self->{line} = List::Util::max(0, $self->{line} - $rows);
    return;
}

# Makes each row a line of its own.
sub _harden {
    my ($self) = @_;
    my $start  = $self->_row_start;
    my $above  = List::Util::sum(0, map { scalar $self->_rows($_) } @{ $self->{lines} }[0 .. $self->{line} - 1]);
    @$self{qw(line at)} = ($above + $start / $self->{columns}, $self->{at} - $start);
    $self->{lines} = [map { $self->_rows($_) } @{ $self->{lines} }];
    return;
}

# Returns the rows that a line fills.
sub _rows {
    my ($self, $line) = @_;
    my @cells = @$line;
    my @rows  = [splice @cells, 0, $self->{columns}];
    push @rows, [splice @cells, 0, $self->{columns}] while @cells;
    return @rows;
}

sub _text {
    my (@cells) = @_;
    my ($text, $style) = (q{}, q{});
    for my $cell (@cells, [q{}, q{}]) {
        $text .= "{$cell->[1]}" if $cell->[1] ne $style;
        $text .= $cell->[0];
        $style = $cell->[1];
    }
    utf8::encode($text);
    return $text =~ s/ +\z//r;
}

1;
