// Nothing: the headers that tests have in common are compiled once, with this file (cmake/LeitongTests.cmake).
