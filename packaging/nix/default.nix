# The address and the hash are placeholders: see README.md in the folder of the recipes.
{
  lib,
  stdenv,
  fetchurl,
  makeWrapper,
  perl,
  coreutils,
  gnugrep,
}:

stdenv.mkDerivation (finalAttrs: {
  pname = "unixbench";
  version = "9.0.0";

  src = fetchurl {
    url = "https://unixbench.invalid/unixbench-${finalAttrs.version}.tar.gz";
    hash = lib.fakeHash;
  };

  nativeBuildInputs = [
    makeWrapper
    perl
  ];
  buildInputs = [ perl ];

  makeFlags = [
    "PORTABLE=yes"
    "GRAPHIC_TESTS=no"
    "CC=${stdenv.cc.targetPrefix}cc"
    "PREFIX=${placeholder "out"}"
  ];

  enableParallelBuilding = true;

  # The wrapper of nixpkgs renames the command, so it also gives its name.
  postFixup = ''
    wrapProgram $out/bin/unixbench \
      --set UB_CALLED_AS unixbench \
      --prefix PATH : ${
        lib.makeBinPath [
          perl
          coreutils
          gnugrep
        ]
      }
  '';

  meta = {
    description = "Classic benchmark of Unix systems: one index, in Perl and C";
    homepage = "https://unixbench.invalid";
    license = lib.licenses.mit;
    platforms = lib.platforms.unix;
    mainProgram = "unixbench";

    # It conflicts with the package interbench, whose command of that name is preferred in one profile.
    priority = 10;
  };
})
