// Addresses as text.

/** An address without the user and password it may carry; what is no address stays as it is. */
export function withoutCredentials(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  if (!url.username && !url.password) return address;
  url.username = "";
  url.password = "";
  return url.href;
}
