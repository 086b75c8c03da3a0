// Package tfpb holds the protobuf messages of tensorflow.Example as generated
// Go code. It is what the encoder of package schema and the reader of package
// dataset are tested against; nothing but tests imports it, because a program
// may link the message tensorflow.Example only once.
//
//	Example ── Features ── map<string, Feature>
//	                                      └─ one of BytesList, FloatList, Int64List
//
// The files *.pb.go are made from the .proto files beside them; the commands
// below make them again, with protoc and protoc-gen-go v1.36.12 on the PATH.
package tfpb

//go:generate protoc -I../.. --go_out=../.. --go_opt=module=tfr-build schema/tfpb/feature.proto schema/tfpb/example.proto
