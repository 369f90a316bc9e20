package Screen;

# A model of a terminal: the text that it shows after given bytes. It knows \r, \n, the sequence ED of ECMA-48, and
# lines that are too long.

use strict;
use warnings;

use List::Util ();

# Takes the number of columns.
sub new {
    my ($class, $columns) = @_;
    return bless { columns => $columns, rows => [[]], at => 0, frames => [] }, $class;
}

# Takes bytes that are written; they must end with a complete character or sequence. Dies if a sequence is unknown.
sub feed {
    my ($self, $bytes) = @_;
    utf8::decode($bytes);
    while ($bytes =~ /\G(?:(\e\[J)|(\r)|(\n)|(.))/gs) {
        if    (defined $1) { splice @{ $self->{rows}[-1] }, $self->{at} }
        elsif (defined $2) { $self->_keep_frame; $self->{at} = 0 }
        elsif (defined $3) { $self->_next_row; $self->_keep_frame }
        else               { $self->_write($4) }
    }
    return $self;
}

# Returns the shown text.
sub shown {
    my ($self) = @_;
    my @rows = map { join(q{}, @$_) =~ s/ +\z//r } @{ $self->{rows} };
    utf8::encode($_) for @rows;
    pop @rows while @rows && $rows[-1] eq q{};
    return join q{}, map { "$_\n" } @rows;
}

# Returns one text for each time that a line was drawn or ended, with the lines from the first difference on, and at the
# end the whole last text.
sub film {
    my ($self) = @_;
    my ($film, @before) = (q{});
    for my $frame (@{ $self->{frames} }) {
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

sub _write {
    my ($self, $character) = @_;
    die "an unknown escape sequence\n" if $character eq "\e";
    $self->_next_row if $self->{at} >= $self->{columns};
    my @cells = $character =~ /[\p{EA=W}\p{EA=F}]/ ? ($character, q{}) : $character;
    $self->{rows}[-1][$self->{at}++] = $_ for @cells;
    return;
}

sub _next_row {
    my ($self) = @_;
    push @{ $self->{rows} }, [];
    $self->{at} = 0;
    return;
}

1;
