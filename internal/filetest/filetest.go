// Package filetest makes the contents of files for tests.
//
//	Tar  NewTar                           tar archives
//	Zip  NewZip                           zip archives
//	NPY  NPYFortran  NPYHeader  IDX       arrays
//	Gzip  Zlib  Deflate  Zstd             compressed data
//	Flip  Overwrite                       damaged data
//
// Packages imagetest and parquettest make images and Parquet files.
package filetest
