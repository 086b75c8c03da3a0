module tfr-build/scripts

go 1.26.0

require tfr-build v0.0.0

require golang.org/x/sys v0.49.0 // indirect

replace tfr-build => ../
