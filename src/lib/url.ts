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

/** The address of an application as it is shown: no user, password, query or fragment, where keys are written. Files stay. */
export function publicAddress(address: string): string {
  const isOfHost = URL.canParse(address) && new URL(address).host !== "";
  return isOfHost ? withoutCredentials(address).replace(/[?#].*$/s, "") : address;
}

/** A text without its percent-encoding; itself where a percent sign in it is none. */
export function percentDecoded(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The usual spellings of this machine, which servers and people mix freely. */
const THIS_MACHINE = /^(https?:\/\/)(?:127\.0\.0\.1|\[::1\])(?=:|$)/;

/** The origin of an address, this machine under one name; undefined for what is no address. */
export function originOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).origin.replace(THIS_MACHINE, "$1localhost") : undefined;
}
