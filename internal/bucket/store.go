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
	e.Endpoint = cmp.Or(e.Endpoint, os.Getenv("AWS_ENDPOINT_URL_S3"), os.Getenv("AWS_ENDPOINT_URL"),
		"https://s3.amazonaws.com")
	e.Region = cmp.Or(e.Region, os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION"))
	return openStore(e, t, s3Credentials())
}

func openGS(e Endpoint, t *transport) (*store, error) {
	e.Endpoint = cmp.Or(e.Endpoint, "https://storage.googleapis.com")
	e.Region = cmp.Or(e.Region, "auto")
	s, err := openStore(e, t, gsCredentials())
	if err == nil {
		s.md5 = true
		s.cannotCopy.Store(true)
	}
	return s, err
}

func openStore(e Endpoint, t *transport, creds *chain) (*store, error) {
	host, secure, err := parseEndpoint(e.Endpoint)
	if err != nil {
		return nil, err
	}
	o := &minio.Options{
		Creds: creds.credentials(), Secure: secure, Transport: t, Region: e.Region,
		MaxRetries: 1, // tries repeats requests; retries at two levels would multiply
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

// parseEndpoint splits an endpoint into its host and whether the connection uses TLS.
func parseEndpoint(endpoint string) (host string, secure bool, err error) {
	if !strings.Contains(endpoint, "://") {
		endpoint = "https://" + endpoint
	}
	u, err := url.Parse(endpoint)
	switch {
	case err != nil:
		return "", false, fmt.Errorf("not a URL") // the error would contain the URL, and so a password
	case u.User != nil:
		return "", false, fmt.Errorf("credentials do not belong there; they are taken from the environment")
	case u.Scheme != "https" && u.Scheme != "http" || u.Host == "":
		return "", false, fmt.Errorf("%s: not http://host:port or https://host:port", endpoint)
	case strings.Trim(u.Path, "/") != "" || u.RawQuery != "":
		return "", false, fmt.Errorf("%s: nothing may follow the host", endpoint)
	}
	return u.Host, u.Scheme == "https", nil
}
