package config

import "tfr-build/internal/bucket"

// A Store is where the buckets of URLs are reached. It is no part of what a dataset is.
type Store struct {
	S3 *Endpoint `yaml:"s3" doc:"those of s3://"`
	GS *Endpoint `yaml:"gs" doc:"those of gs://"`
}

// An Endpoint is where one store is reached. What it leaves open the environment says.
type Endpoint struct {
	Endpoint  string `yaml:"endpoint" is:"line" doc:"its address: https://HOST, http://HOST:PORT"`
	Region    string `yaml:"region" is:"line" doc:"the region of its buckets"`
	PathStyle bool   `yaml:"path_style" default:"false" doc:"whether the bucket is part of the path, and not of the host's name"`
}

// Stores is how stores are reached.
func (c *Config) Stores() bucket.Options {
	if c.Store == nil {
		return bucket.Options{}
	}
	return bucket.Options{S3: c.Store.S3.options(), GS: c.Store.GS.options()}
}

func (e *Endpoint) options() bucket.Endpoint {
	if e == nil {
		return bucket.Endpoint{}
	}
	return bucket.Endpoint{Endpoint: e.Endpoint, Region: e.Region, PathStyle: e.PathStyle}
}
