package PerlBase;

# Limits any Perl to the smallest one that Run starts on: only the modules of Debian's package perl-base (version 5.36)
# and those of the suite can be loaded. If the file in FULL_PERL exists, all modules can.

use strict;
use warnings;

# dpkg -L perl-base
my %HAS = map { $_ => 1 } qw(
    AutoLoader.pm Carp.pm Carp/Heavy.pm Config.pm Cwd.pm DynaLoader.pm Errno.pm Exporter.pm Exporter/Heavy.pm Fcntl.pm
    File/Basename.pm File/Glob.pm File/Path.pm File/Spec.pm File/Spec/Unix.pm File/Temp.pm FileHandle.pm
    Getopt/Long.pm Hash/Util.pm IO.pm IO/File.pm IO/Handle.pm IO/Pipe.pm IO/Seekable.pm IO/Select.pm IO/Socket.pm
    IO/Socket/INET.pm IO/Socket/IP.pm IO/Socket/UNIX.pm IPC/Open2.pm IPC/Open3.pm List/Util.pm POSIX.pm
    Scalar/Util.pm SelectSaver.pm Socket.pm Symbol.pm Text/ParseWords.pm Text/Tabs.pm Text/Wrap.pm Tie/Hash.pm
    XSLoader.pm attributes.pm base.pm builtin.pm bytes.pm constant.pm feature.pm fields.pm integer.pm lib.pm
    locale.pm overload.pm overloading.pm parent.pm re.pm strict.pm utf8.pm vars.pm warnings.pm warnings/register.pm
);

# Perl calls a function in @INC for every module that is not loaded yet; see require in perlfunc.
sub _refuse {
    my ($self, $path) = @_;
    return if $HAS{$path} || $path !~ /[.]pm\z/ || $path =~ m{\AUnixBench/} || -e ($ENV{FULL_PERL} // q{});
    die "Can't locate $path in \@INC: it is not in perl-base\n";
}

unshift @INC, \&_refuse;

1;
