// The headers every response carries, whichever part writes it: Express, a refused upgrade, or the HTTP parser's error path.
// Knows no routes.
import { STATUS_CODES } from "node:http";

/** Content-Security-Policy of every response; a page with inline parts passes their hashes. */
export function contentPolicy(hashes: { script?: string; style?: string } = {}): string {
  const also = (hash: string | undefined): string => (hash ? ` 'sha256-${hash}'` : "");
  return [
    "default-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    `style-src 'self'${also(hashes.style)}`,
    `script-src 'self'${also(hashes.script)}`,
    "manifest-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
    "object-src 'none'",
  ].join("; ");
}

/** Set on every response before anything else; a handler may only replace Cache-Control and the policy of its own page. */
export const SECURITY_HEADERS: readonly (readonly [string, string])[] = [
  ["Content-Security-Policy", contentPolicy()],
  ["X-Content-Type-Options", "nosniff"],
  ["X-Frame-Options", "DENY"],
  ["Referrer-Policy", "no-referrer"],
  ["Cross-Origin-Resource-Policy", "same-origin"],
  ["Cross-Origin-Opener-Policy", "same-origin"],
  ["Cache-Control", "no-store"],
];

const SECURITY_LINES = SECURITY_HEADERS.map(([name, value]) => `${name}: ${value}\r\n`).join("");

/** A whole JSON response as bytes, for a socket that no ServerResponse owns. The connection ends with it. */
export function rawResponse(status: number, body: string, extra: Readonly<Record<string, string>> = {}): string {
  const own = Object.entries(extra).map(([name, value]) => `${name}: ${value}\r\n`);
  return (
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "Error"}\r\nConnection: close\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${Buffer.byteLength(body)}\r\n${SECURITY_LINES}${own.join("")}\r\n${body}`
  );
}
