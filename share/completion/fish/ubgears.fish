# Completes the options of ubgears in fish.
complete --command ubgears --no-files
complete --command ubgears --old-option time --exclusive --description 'count the frames of so many seconds'
complete --command ubgears --short-option n --exclusive --description 'count so many frames'
complete --command ubgears --old-option warmup --exclusive --description 'draw so many seconds before'
complete --command ubgears --old-option display --exclusive --description 'X display'
complete --command ubgears --short-option v --description 'print renderer, version and vendor of OpenGL'
complete --command ubgears --old-option info --description 'print the extensions of OpenGL and GLX'
