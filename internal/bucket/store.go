package bucket

import (
	"cmp"
	"fmt"
	"net/url"
	"os"
	"strings"

	"github.com/minio/minio-go/v7"
)

func openS3(e Endpoint, t *transport) (*store, error) {
	e.Endpoint = cmp.Or(e.Endpoint, os.Getenv("AWS_ENDPOINT_URL_S3"), os.Getenv("AWS_ENDPOINT_URL"), "https://s3.amazonaws.com")
	e.Region = cmp.Or(e.Region, os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION"))
	return open(e, t, s3Credentials())
}

func openGS(e Endpoint, t *transport) (*store, error) {
	e.Endpoint = cmp.Or(e.Endpoint, "https://storage.googleapis.com")
	e.Region = cmp.Or(e.Region, "auto")
	s, err := open(e, t, gsCredentials())
	if err == nil {
		s.md5 = true
	}
	return s, err
}

func open(e Endpoint, t *transport, creds *chain) (*store, error) {
	host, secure, err := address(e.Endpoint)
	if err != nil {
		return nil, err
	}
	o := &minio.Options{
		Creds: creds.credentials(), Secure: secure, Transport: t, Region: e.Region,
		MaxRetries: 1, // retries are ours: they would be multiplied
	}
	if e.PathStyle {
		o.BucketLookup = minio.BucketLookupPath
	}
	core, err := minio.NewCore(host, o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", host, err)
	}
	return &store{Core: core, creds: creds}, nil
}

// address divides an endpoint into its host and whether it is spoken to by TLS.
func address(endpoint string) (host string, secure bool, err error) {
	if !strings.Contains(endpoint, "://") {
		endpoint = "https://" + endpoint
	}
	u, err := url.Parse(endpoint)
	switch {
	case err != nil:
		return "", false, fmt.Errorf("not a URL") // the error would have all of it, and a password
	case u.User != nil:
		return "", false, fmt.Errorf("credentials do not belong there; they are taken from the environment")
	case u.Scheme != "https" && u.Scheme != "http" || u.Host == "":
		return "", false, fmt.Errorf("%s: not http://host:port or https://host:port", endpoint)
	case strings.Trim(u.Path, "/") != "" || u.RawQuery != "":
		return "", false, fmt.Errorf("%s: nothing may follow the host", endpoint)
	}
	return u.Host, u.Scheme == "https", nil
}
