// What stands before every path of this page and of the daemon behind it: the daemon writes it into the page, as its reverse proxy
// needs it. Nothing in the address of the page can change it.

/** Such as `/agent`; "" where there is nothing. */
export const BASE = document.querySelector<HTMLMetaElement>('meta[name="agentd-base"]')?.content ?? "";
