// Addresses as people write them. Pure.

/** Hosts that are near, and those with a port: what listens there seldom speaks https. */
const PLAIN_HOST = /^(?:localhost|\[[\da-f:.]+\]|[\d.]+|[^/?#:]+:\d+)(?:[/?#:]|$)/i;

/** An address as it was meant: a browser's field takes one without its scheme, too. */
export function withScheme(text: string): string {
  const address = text.trim();
  // `localhost:8000` begins like a scheme, and is none.
  if (address === "" || /^[a-z][a-z\d+.-]*:(?!\d)/i.test(address)) return address;
  return `${PLAIN_HOST.test(address) ? "http" : "https"}://${address.replace(/^\/\//, "")}`;
}
