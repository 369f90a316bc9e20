package UnixBench::Report::Details::MultiUser;

# What a multi-user load told beside its score, as lines.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Report::Columns          qw(aligned);
use UnixBench::Report::Details::Lines   qw(folded plain);
use UnixBench::Report::MultiUserWording qw(multiuser_blocks);
use UnixBench::Score::MultiUser         ();

our @EXPORT_OK = qw(multiuser_lines);

# Takes the procedure and a run; returns what its load told, blocks of lines, each a list, or nothing without a load.
sub multiuser_lines {
    my ($procedure, $run) = @_;
    my $known = UnixBench::Score::MultiUser::of_run($run) or return;
    return map { [_block($_)] } multiuser_blocks($procedure, $known);
}

sub _block {
    my ($block) = @_;
    my @texts   = grep { defined } $block->{notice}, @{ $block->{sentences} };
    return (
        (map { folded($_) } @texts),
        ($block->{table} ? _table($block->{table}) : ()),
        (map { folded($_) } @{ $block->{legend} })
    );
}

# Of incidents texts are long: each has lines of its own.
sub _table {
    my ($table) = @_;
    my ($title, $headings, $rows) = @$table{qw(title headings rows)};
    return ($title, map { folded(_incident(@$_), 3) } @$rows) if $table->{has_texts};
    return (
        $title,
        aligned(
            $headings,
            map {
                [map { plain($_) } @$_]
            } @$rows
        )
    );
}

sub _incident {
    my ($user, $line, $what, $text) = @_;
    my $where = $line =~ /[0-9]/ ? "$user, line $line" : $user;
    return "$where: $what" . (length $text ? qq{: "$text"} : q{});
}

1;
