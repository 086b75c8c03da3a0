package main

import "slices"

// mutants are the protections that are taken away. The package comment says which belong here.
var mutants = slices.Concat(
	sinkMutants,
	storesMutants,
	sourcesMutants,
	pixelsMutants,
	schemaMutants,
	configMutants,
	pipelineMutants,
	commandMutants,
	groupMutants,
)
