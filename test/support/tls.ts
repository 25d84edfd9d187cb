// A certificate authority that no machine trusts, and a server's certificate of it, for shop.test, model.test, localhost and 127.0.0.1.
// Both last until 2126; the authority's key was thrown away. Made with openssl:
//   openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 36500 -subj "/CN=agentd test authority" \
//     -keyout ca.key -out ca.pem
//   openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=shop.test" -keyout server.key -out server.csr
//   printf 'subjectAltName=DNS:shop.test,DNS:model.test,DNS:localhost,IP:127.0.0.1\nbasicConstraints=CA:FALSE\n' > ext
//   openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 36500 -extfile ext -out server.pem
import type { RequestListener } from "node:http";
import { createServer, type Server } from "node:https";

/** The authority's certificate. */
export const AUTHORITY = `-----BEGIN CERTIFICATE-----
MIIBmDCCAT2gAwIBAgIUVgeJVevTcr42mLhbeszP8U4oWmYwCgYIKoZIzj0EAwIw
IDEeMBwGA1UEAwwVYWdlbnRkIHRlc3QgYXV0aG9yaXR5MCAXDTI2MTEyMjIwMzIz
N1oYDzIxMjYxMDI5MjAzMjM3WjAgMR4wHAYDVQQDDBVhZ2VudGQgdGVzdCBhdXRo
b3JpdHkwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAT5y0ZnyBG6sgmexlMCw3Ge
IZku3jI/DPBH2pHREt4+eLQMd/NLRVCgD2C9HfekgTlFOw8Z4TMSdjav5peXsC7D
o1MwUTAdBgNVHQ4EFgQUjyxrPMgf8FW0PZlkiZ1Revs1SgkwHwYDVR0jBBgwFoAU
jyxrPMgf8FW0PZlkiZ1Revs1SgkwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQD
AgNJADBGAiEAoQtAl/WvYDYcLObLBD9loDNU7EynuAZ9g28lNKlfPG8CIQDH1xvQ
of/3xOnTVvTxQrHVVu1GdGJ3Hh2UV4GooJwYSg==
-----END CERTIFICATE-----
`;

/** The certificate of an authority that has signed nothing. */
export const OTHER_AUTHORITY = `-----BEGIN CERTIFICATE-----
MIIBmjCCAT+gAwIBAgIUaKYQPfw/4S2yJaETdF+NCWCoAKkwCgYIKoZIzj0EAwIw
ITEfMB0GA1UEAwwWYW5vdGhlciB0ZXN0IGF1dGhvcml0eTAgFw0yNjExMjIyMDM0
NDFaGA8yMTI2MTAyOTIwMzQ0MVowITEfMB0GA1UEAwwWYW5vdGhlciB0ZXN0IGF1
dGhvcml0eTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABNz2hlgE4st/s6ASaWx4
KhuR5GWcoXPwptMCrtcBmAjF9p2YPz3BqoDbnrEvt/xU7Gus8pWM0scjefbBxA7Q
VzWjUzBRMB0GA1UdDgQWBBQSofB04qxzIbV3whjBhbWjt6HY7zAfBgNVHSMEGDAW
gBQSofB04qxzIbV3whjBhbWjt6HY7zAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49
BAMCA0kAMEYCIQC3x+Ecmt7sZEDP1Vi4vmZnlTQc91gQBR06PjJi9FKsAQIhAIu3
74fUpy6yGGqudSUptHru7Gd24QD0FW5v0tpwvKKP
-----END CERTIFICATE-----
`;

const SERVER = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBujCCAV+gAwIBAgIUSAmBGe5+HZHreFxIVPW5DczG1swwCgYIKoZIzj0EAwIw
IDEeMBwGA1UEAwwVYWdlbnRkIHRlc3QgYXV0aG9yaXR5MCAXDTI2MTEyMjIwMzIz
N1oYDzIxMjYxMDI5MjAzMjM3WjAUMRIwEAYDVQQDDAlzaG9wLnRlc3QwWTATBgcq
hkjOPQIBBggqhkjOPQMBBwNCAATaKDLks4oQ2goQnPB5KfOXsdSBndKAmacQGX+B
3Ghqyl/P270FYtFRZNdL1pLXOwjJz993vxFfljWcZxp7pwxIo4GAMH4wMQYDVR0R
BCowKIIJc2hvcC50ZXN0ggptb2RlbC50ZXN0gglsb2NhbGhvc3SHBH8AAAEwCQYD
VR0TBAIwADAdBgNVHQ4EFgQU1BqgEdyLZYy1KYVAyOn/2pUwCf8wHwYDVR0jBBgw
FoAUjyxrPMgf8FW0PZlkiZ1Revs1SgkwCgYIKoZIzj0EAwIDSQAwRgIhAPbqRVbn
AUVLD/VpA1E/TXbFPc0G++Bp+42hijrklOyoAiEA3aXxtCW4m1amwccgnxiFAD8L
xSbk+ZtW8Az3CiaQ/mA=
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgxH379E8k18wUIoH+
jN5Q21ODGogeeOKoTH54h7L3qz+hRANCAATaKDLks4oQ2goQnPB5KfOXsdSBndKA
macQGX+B3Ghqyl/P270FYtFRZNdL1pLXOwjJz993vxFfljWcZxp7pwxI
-----END PRIVATE KEY-----
`,
};

/** A server with the certificate, not listening yet. */
export function createTlsServer(listener: RequestListener): Server {
  return createServer(SERVER, listener);
}
