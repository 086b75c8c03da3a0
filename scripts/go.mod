module tfr-build/scripts

go 1.26.0
