package config

import "tfr-build/internal/bucket"

// A Store has the endpoints of the buckets in URLs. The dataset does not depend on it.
type Store struct {
	S3 *Endpoint `yaml:"s3" doc:"Endpoint of s3:// URLs, if it is not Amazon's." example:"{endpoint: 'https://minio.example.org:9000', path_style: true}"`
	GS *Endpoint `yaml:"gs" doc:"Endpoint of gs:// URLs, if it is not Google's." example:"{endpoint: 'http://localhost:4443'}"`
}

// An Endpoint is the endpoint of one store. Environment variables supply the settings that are
// empty.
type Endpoint struct {
	Endpoint  string `yaml:"endpoint" is:"line" doc:"Address of the store: https://HOST or http://HOST:PORT." example:"https://minio.example.org:9000"`
	Region    string `yaml:"region" is:"line" doc:"Region of the buckets, for signatures." example:"eu-central-1"`
	PathStyle bool   `yaml:"path_style" default:"false" doc:"Puts the bucket into the path of a URL instead of the host name. Default: false."`
}

// Stores returns the options for opening stores: the defaults if c is nil.
func (c *Config) Stores() bucket.Options {
	if c == nil || c.Store == nil {
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
