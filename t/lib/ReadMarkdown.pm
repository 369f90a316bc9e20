package ReadMarkdown;

# Markdown, read by two parsers other than ours: that of GitHub (cmark-gfm), and that of Discourse and others
# (markdown-it, here with HTML, and with links for all texts that look like host names).

use strict;
use warnings;

use Exporter 'import';
use JSON::PP ();

use InPath      qw(path_of);
use OtherReader qw(file_with python_with);

our @EXPORT_OK = qw(read_by readers);

my $SCRIPT = <<'END';
import json, sys
from markdown_it import MarkdownIt

def inline(token, found):
    block = ''
    for child in token.children:
        found['elements'].append(child.type.replace('_open', '').replace('_close', ''))
        if child.type == 'text':
            found['texts'].append(child.content)
        block += child.content
    found['blocks'].append(block)
    return block

def read(path):
    found = dict(elements=[], texts=[], blocks=[], tables=[])
    is_cell = False
    for token in reader.parse(open(path, encoding='utf-8').read()):
        if token.type == 'inline':
            block = inline(token, found)
            if is_cell:
                found['tables'][-1][-1].append(block)
            continue
        found['elements'].append(token.type.replace('_open', '').replace('_close', ''))
        if token.type == 'table_open':
            found['tables'].append([])
        if token.type == 'tr_open':
            found['tables'][-1].append([])
        is_cell = token.type in ('th_open', 'td_open')
    return found

reader = MarkdownIt('gfm-like', dict(html=True, linkify=True))
print(json.dumps([read(path) for path in sys.argv[1:]]))
END

my $python = python_with(qw(markdown_it linkify_it));
my $cmark  = path_of('cmark-gfm');

my %READ = (($cmark ? ('cmark-gfm' => \&_by_cmark) : ()), ($python ? ('markdown-it' => \&_by_markdown_it) : ()),);

# Returns the names of the parsers that are installed.
sub readers {
    my @names = sort keys %READ;
    return @names;
}

# Takes the name of a parser and documents; returns for each document, with texts as bytes:
#     elements  { name => how often }
#     texts     [texts outside of code]
#     blocks    [text of each heading, paragraph and cell]
#     tables    [[[cell, ...], ...], ...]
sub read_by {
    my ($reader, @documents) = @_;
    my @files = map { file_with($_) } @documents;
    my @read  = $READ{$reader}->(@files);
    for my $read (@read) {
        my %count;
        $count{$_}++ for @{ $read->{elements} };
        $read->{elements} = \%count;
    }
    return @read;
}

sub _by_markdown_it {
    my (@files) = @_;
    my $script  = file_with($SCRIPT);
    my @read    = @{ JSON::PP->new->ascii->decode(scalar qx('$python' '$script' @files)) };
    for my $read (@read) {
        for my $texts (@$read{qw(texts blocks)}, map { @$_ } @{ $read->{tables} }) {
            utf8::encode($_) for @$texts;
        }
    }
    return @read;
}

sub _by_cmark {
    my (@files) = @_;
    return map { _read_xml(scalar qx('$cmark' -e table -e strikethrough -e autolink --unsafe -t xml '$_')) } @files;
}

# Takes the XML of cmark. Every text is one literal in one element, so patterns are enough to read it.
sub _read_xml {
    my ($xml) = @_;
    my %read = map { $_ => [] } qw(elements texts blocks tables);
    while ($xml =~ m{<(\w+)[^>]*?(/?)>(?:([^<]*)</(?:text|code)>)?}g) {
        my ($name, $is_empty, $text) = ($1, $2, _unescaped($3 // q{}));
        push @{ $read{elements} },   $name if $name ne 'document';
        push @{ $read{texts} },      $text if $name eq 'text';
        push @{ $read{tables} },     [] if $name eq 'table';
        push @{ $read{tables}[-1] }, [] if $name =~ /\Atable_(?:row|header)\z/;
        if    ($name =~ /\A(?:heading|paragraph|table_cell)\z/) { push @{ $read{blocks} }, q{} }
        elsif (@{ $read{blocks} })                              { $read{blocks}[-1] .= $text }
        push @{ $read{tables}[-1][-1] }, \$read{blocks}[-1] if $name eq 'table_cell';
    }
    $_ = [
        map {
            [map { $$_ } @$_]
        } @$_
        ]
        for @{ $read{tables} };
    return \%read;
}

sub _unescaped {
    my ($text) = @_;
    my %character = (amp => '&', lt => '<', gt => '>', quot => '"');
    return $text =~ s/&(\w+);/$character{$1}/gr;
}

1;
