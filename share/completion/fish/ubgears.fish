# Completes the options of ubgears in fish.
complete --command ubgears --no-files
complete --command ubgears --old-option time --exclusive --description 'measure for this time'
complete --command ubgears --short-option n --exclusive --description 'draw this number of frames'
complete --command ubgears --old-option warmup --exclusive --description 'draw for this time before the measurement'
complete --command ubgears --old-option display --exclusive --description 'X display'
complete --command ubgears --short-option v --description 'print renderer, version and vendor of OpenGL'
complete --command ubgears --old-option info --description 'print the extensions of OpenGL and GLX'
