// Nothing: the headers that are read once are compiled with this file's options.
