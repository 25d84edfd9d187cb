// What failed between here and an HTTP server, from the codes that sockets, DNS, TLS, zlib and undici put on errors. Knows the
// codes; the words for a person belong to the caller, who knows what was called and why.

export type NetworkFailureKind =
  | "refused"
  | "unknown_host"
  | "lookup_failed"
  | "unreachable_host"
  | "unreachable_network"
  | "no_local_address"
  | "connect_timeout"
  | "timeout"
  | "tls"
  | "closed"
  | "cut_short"
  | "invalid_response"
  | "invalid_request"
  | "proxy"
  | "other";

interface NetworkFailure {
  kind: NetworkFailureKind;
  /** The code that says so; of "other" whatever code there was, "" without one. */
  code: string;
  /** Whether the request may have reached the server. */
  mayBeSent: boolean;
}

interface Row {
  codes: RegExp;
  kind: NetworkFailureKind;
  mayBeSent: boolean;
}

/** The first row whose pattern fits counts. */
const TABLE: readonly Row[] = [
  // Says more than what it was caused by.
  { codes: /^ERR_PROXY$/, kind: "proxy", mayBeSent: false },
  { codes: /^ECONNREFUSED$/, kind: "refused", mayBeSent: false },
  { codes: /^ENOTFOUND$/, kind: "unknown_host", mayBeSent: false },
  { codes: /^EAI_AGAIN$/, kind: "lookup_failed", mayBeSent: false },
  { codes: /^EHOSTUNREACH$/, kind: "unreachable_host", mayBeSent: false },
  { codes: /^ENETUNREACH$/, kind: "unreachable_network", mayBeSent: false },
  { codes: /^EADDRNOTAVAIL$/, kind: "no_local_address", mayBeSent: false },
  { codes: /^UND_ERR_CONNECT_TIMEOUT$/, kind: "connect_timeout", mayBeSent: false },
  { codes: /^ETIMEDOUT$/, kind: "timeout", mayBeSent: false },
  {
    codes: /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)|EPROTO)/,
    kind: "tls",
    mayBeSent: false,
  },
  { codes: /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, kind: "closed", mayBeSent: true },
  { codes: /^UND_ERR_RES_CONTENT_LENGTH_MISMATCH$/, kind: "cut_short", mayBeSent: true },
  // The HTTP parser, undici's checks of what it parsed, and the decompressors of zlib and brotli.
  {
    codes: /^(HTTPParserError|HPE_|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES|Z_|ERR__ERROR|ERR_BROTLI)/,
    kind: "invalid_response",
    mayBeSent: true,
  },
  { codes: /^UND_ERR_INVALID_ARG$/, kind: "invalid_request", mayBeSent: false },
];

/** Causes of causes are followed no further. */
const MAX_DEPTH = 8;

/** The codes of an error and of what caused it, outermost first. */
function codesOf(error: unknown): string[] {
  const codes: string[] = [];
  let at = error;
  for (let depth = 0; at instanceof Error && depth < MAX_DEPTH; depth++) {
    if ("code" in at && typeof at.code === "string") codes.push(at.code);
    // The HTTP parser's own errors do not always carry a code.
    else if (at.name === "HTTPParserError") codes.push(at.name);
    // Several addresses were tried: the first one speaks for all.
    at = at instanceof AggregateError && at.errors.length > 0 ? at.errors[0] : at.cause;
  }
  return codes;
}

/** Never throws. */
export function networkFailureOf(error: unknown): NetworkFailure {
  const codes = codesOf(error);
  for (const code of codes) {
    const row = TABLE.find((one) => one.codes.test(code));
    if (row) return { kind: row.kind, code, mayBeSent: row.mayBeSent };
  }
  return { kind: "other", code: codes[0] ?? "", mayBeSent: true };
}
